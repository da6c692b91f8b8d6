import { moduleBeside } from "../module-beside.ts";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { isBuiltin, registerHooks } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { noteOutsideFile } from "../messages/outside-place.ts";
import type { ModuleFiles } from "./module-files.ts";
import { sourceWithTypes, stripTypesInPackages } from "./package-types.ts";
import { watchGlobals } from "./watched-globals.ts";

/** The modules that plug-ins import from this package, by their names, as files beside this one's folder. */
const rooms: Readonly<Record<string, string>> = {
  ludoflow: "../api/index",
  "ludoflow/data": "../api/data",
  "ludoflow/nets": "../api/nets",
  "ludoflow/search": "../api/search",
  "ludoflow/testing": "../api/testing",
};

/** By URL of a file of a plug-in: the SHA-256 of the bytes that may be loaded. */
const known = new Map<string, string>();
let registered = false;

/**
 * From now on the modules of these files find `ludoflow` in the running package, wherever they lie, so that there is one copy
 * of it. They can import each other and the modules of Node, and nothing else: other files, and files that
 * have changed meanwhile, are refused before they run. Holds for this thread alone.
 */
export function allowModules({ files, packages }: ModuleFiles): void {
  for (const { path, sha256 } of [...files, ...packages.flatMap((each) => each.files)]) {
    const url = pathToFileURL(path).href;
    known.set(url, sha256);
    noteOutsideFile(url, path);
  }
  if (registered) return;
  registered = true;
  watchGlobals();
  stripTypesInPackages();
  registerHooks({
    resolve(specifier, context, next) {
      const room = rooms[specifier];
      if (room !== undefined) return { url: moduleBeside(room, import.meta.url).href, shortCircuit: true };
      const resolved = next(specifier, context);
      const from = context.parentURL;
      if (from !== undefined && known.has(from) && !known.has(resolved.url) && !isBuiltin(resolved.url))
        throw new Error(
          `${fileURLToPath(from)}: it imports "${specifier}", which was not found when its files were read; write each import with the path of a file or the name of a package as a plain text`,
        );
      return resolved;
    },
    load(url, context, next) {
      const loaded = next(url, context);
      const expected = known.get(url);
      if (expected !== undefined && expected !== hashOf(sourceWithTypes(url) ?? loaded.source, url))
        throw new Error(
          `${fileURLToPath(url)}: it has changed since the command began; start the command again`,
        );
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
