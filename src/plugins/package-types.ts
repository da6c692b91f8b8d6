import { registerHooks, stripTypeScriptTypes } from "node:module";

let registered = false;

/** Of each module whose types were stripped, by its URL: its source before. */
const sources = new Map<string, string>();

/** The source of a module before its types were stripped here; undefined if they were not. */
export function sourceWithTypes(url: string): string | undefined {
  return sources.get(url);
}

/**
 * From now on modules in TypeScript load in installed packages too, in this thread: Node itself strips types outside of
 * `node_modules` alone, and the examples of this package are there.
 */
export function stripTypesInPackages(): void {
  if (registered) return;
  registered = true;
  registerHooks({
    load(url, context, next) {
      if (!/\/node_modules\/.*\.[cm]?ts$/.test(url)) return next(url, context);
      const loaded = next(url, context);
      if (loaded.format !== "module-typescript" || loaded.source === undefined) return loaded;
      const source =
        typeof loaded.source === "string" ? loaded.source : new TextDecoder().decode(loaded.source);
      sources.set(url, source);
      return { ...loaded, format: "module", source: withoutWarning(() => stripTypeScriptTypes(source)) };
    },
  });
}

/** Node calls the function experimental, in a warning that is no concern of a user; types outside of packages are stripped by it too. */
function withoutWarning<T>(work: () => T): T {
  const before = Object.getOwnPropertyDescriptor(process, "emitWarning")!;
  process.emitWarning = () => undefined;
  try {
    return work();
  } finally {
    Object.defineProperty(process, "emitWarning", before);
  }
}
