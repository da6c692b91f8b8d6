import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { resolve } from "node:path";

/** Functions of `node:fs` that begin to read a file, by its path. */
const readers = ["openSync", "readFileSync", "createReadStream"] as const;

/**
 * Calls `onRead` with the path of each file that this thread opens or reads, and what follows it in the call, until the returned
 * function is called.
 */
export function watchReads(onRead: (path: string, ...rest: unknown[]) => void): () => void {
  const real = Object.fromEntries(readers.map((name) => [name, fs[name]]));
  for (const name of readers) {
    const call = real[name] as (...given: unknown[]) => unknown;
    Object.assign(fs, {
      [name]: (path: unknown, ...rest: unknown[]) => {
        if (typeof path === "string") onRead(resolve(path), ...rest);
        return call(path, ...rest);
      },
    });
  }
  syncBuiltinESMExports();
  return () => {
    Object.assign(fs, real);
    syncBuiltinESMExports();
  };
}
