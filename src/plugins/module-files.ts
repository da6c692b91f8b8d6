import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The modules that plug-ins import from this package, by their names, as files beside this one's folder. */
const rooms: Readonly<Record<string, string>> = {
  ludoflow: "../api/index",
  "ludoflow/nets": "../api/nets",
};

/** The extension of source and compiled modules. */
const extension = import.meta.url.slice(import.meta.url.lastIndexOf("."));

/** By URL of a module: the modules that it imports. */
const imports = new Map<string, Set<string>>();
/** By URL of a file that was loaded: the SHA-256 of its bytes. */
const hashes = new Map<string, string>();
let watching = false;

/**
 * From now on modules of this thread find `ludoflow` in the running package, wherever they lie, so that there is one copy of
 * it; and what they import is remembered, for `filesOf`. Threads do not inherit this.
 */
export function watchModules(): void {
  if (watching) return;
  watching = true;
  registerHooks({
    resolve(specifier, context, next) {
      const room = rooms[specifier];
      if (room !== undefined)
        return { url: new URL(`${room}${extension}`, import.meta.url).href, shortCircuit: true };
      const resolved = next(specifier, context);
      const { parentURL } = context;
      if (parentURL !== undefined && resolved.url.startsWith("file:")) {
        let known = imports.get(parentURL);
        if (known === undefined) imports.set(parentURL, (known = new Set()));
        known.add(resolved.url);
      }
      return resolved;
    },
    load(url, context, next) {
      const loaded = next(url, context);
      if (url.startsWith("file:") && !hashes.has(url)) hashes.set(url, hashOf(loaded.source, url));
      return loaded;
    },
  });
}

/** CommonJS modules are loaded without a source here. */
function hashOf(source: unknown, url: string): string {
  const bytes =
    typeof source === "string" || source instanceof Uint8Array ? source : readFileSync(fileURLToPath(url));
  return createHash("sha256").update(bytes).digest("hex");
}

/** A file that a plug-in consists of. */
export interface ModuleFile {
  readonly path: string;
  readonly sha256: string;
}

/** The file and all files that it imports, directly or not, in the order of their paths; those of this package excepted. */
export function filesOf(path: string): readonly ModuleFile[] {
  const start = pathToFileURL(path).href;
  const found = new Set([start]);
  for (const url of found) for (const next of imports.get(url) ?? []) found.add(next);
  return [...found]
    .filter((url) => hashes.has(url))
    .map((url) => ({ path: fileURLToPath(url), sha256: hashes.get(url)! }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}
