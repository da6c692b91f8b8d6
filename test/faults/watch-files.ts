import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { resolve } from "node:path";

/** A change that a program makes in files, as it is asked of the system. */
export type FileOperation =
  | { readonly kind: "open"; readonly path: string; readonly truncates: boolean }
  | { readonly kind: "write"; readonly path: string; readonly at: number; readonly bytes: Uint8Array }
  | { readonly kind: "truncate"; readonly path: string; readonly length: number }
  | { readonly kind: "sync"; readonly path: string }
  | { readonly kind: "rename"; readonly path: string; readonly to: string }
  | { readonly kind: "remove"; readonly path: string }
  | { readonly kind: "make-folder"; readonly path: string };

/** A write that stores its first bytes and then fails. */
export interface TornWrite {
  readonly stored: number;
  readonly error: Error;
}

/** Called before each change; may throw in its place, or return the most bytes that a write takes, or that it is torn. */
export type BeforeChange = (operation: FileOperation) => number | TornWrite | undefined;

/** Functions of `node:fs` that change files in one step and are not watched: a run that calls one of them is noticed. */
const unwatched = [
  "copyFileSync",
  "cpSync",
  "symlinkSync",
  "writevSync",
  "createWriteStream",
  "truncateSync",
] as const;

type Path = string;
type Open = { path: string; at: number; appends: boolean };
type AnyFunction = (...given: never[]) => unknown;

/** Writes all of some content, as Node's functions for whole files do. */
function writeOn(file: number, data: string | Uint8Array): void {
  const bytes = typeof data === "string" ? Buffer.from(data) : data;
  for (let done = 0; done < bytes.length;) done += fs.writeSync(file, bytes, done, bytes.length - done);
}

/**
 * Watches the changes of this thread's synchronous file functions below a folder, until the returned function is called.
 * The run's lock is left alone: it belongs to a process, not to the run.
 */
export function watchFiles(folder: string, before: BeforeChange): () => void {
  const open = new Map<number, Open>();
  const inside = (path: unknown): path is string =>
    typeof path === "string" && resolve(path).startsWith(folder) && !/\/run\.lock/.test(path);
  const real = { ...fs };
  const parents = (path: string): string[] => {
    const missing: string[] = [];
    for (let at = resolve(path); !real.existsSync(at); at = resolve(at, "..")) missing.unshift(at);
    return missing;
  };
  const patches: Record<string, AnyFunction> = {
    openSync: (path: Path, flags: string | number = "r", ...rest: []) => {
      const text = typeof flags === "string" ? flags : "";
      const bits = typeof flags === "number" ? flags : 0;
      const writes = /[wa+]/.test(text) || (bits & (fs.constants.O_WRONLY | fs.constants.O_RDWR)) !== 0;
      const truncates = text.startsWith("w") || (bits & fs.constants.O_TRUNC) !== 0;
      const appends = text.startsWith("a") || (bits & fs.constants.O_APPEND) !== 0;
      if (inside(path) && writes && (truncates || !real.existsSync(path)))
        before({ kind: "open", path: resolve(path), truncates });
      const file = real.openSync(path, flags, ...rest);
      if (inside(path)) open.set(file, { path: resolve(path), at: 0, appends });
      return file;
    },
    closeSync: (file: number) => {
      open.delete(file);
      real.closeSync(file);
    },
    writeSync: (file: number, data: Uint8Array | string, ...rest: (number | null | undefined)[]) => {
      const known = open.get(file);
      if (known === undefined) return real.writeSync(file, data as Uint8Array, ...(rest as number[]));
      const whole = typeof data === "string";
      const bytes = whole ? Buffer.from(data) : data;
      const [from = 0, length = bytes.length - (from ?? 0), position] = whole ? [] : rest;
      const part = bytes.subarray(from ?? 0, (from ?? 0) + (length ?? bytes.length));
      const at = known.appends ? real.fstatSync(file).size : (position ?? known.at);
      const answer = before({ kind: "write", path: known.path, at, bytes: Uint8Array.from(part) });
      const most = typeof answer === "object" ? answer.stored : answer;
      const taken = real.writeSync(
        file,
        part,
        0,
        Math.min(part.length, most ?? Infinity),
        known.appends ? null : at,
      );
      if (typeof position !== "number") known.at = at + taken;
      if (typeof answer === "object") throw answer.error;
      return taken;
    },
    ftruncateSync: (file: number, length = 0) => {
      const known = open.get(file);
      if (known !== undefined) before({ kind: "truncate", path: known.path, length });
      real.ftruncateSync(file, length);
    },
    fsyncSync: (file: number) => {
      const known = open.get(file);
      if (known !== undefined) before({ kind: "sync", path: known.path });
      // What a power cut takes is told by the model of the files; the test need not wait for the disk.
    },
    renameSync: (path: Path, to: Path) => {
      if (inside(path)) before({ kind: "rename", path: resolve(path), to: resolve(to) });
      real.renameSync(path, to);
      for (const known of open.values())
        if (known.path.startsWith(resolve(path)))
          known.path = resolve(to) + known.path.slice(resolve(path).length);
    },
    rmSync: (path: Path, options?: fs.RmOptions) => {
      if (inside(path) && real.existsSync(path)) before({ kind: "remove", path: resolve(path) });
      real.rmSync(path, options);
    },
    rmdirSync: (path: Path) => {
      if (inside(path)) before({ kind: "remove", path: resolve(path) });
      real.rmdirSync(path);
    },
    unlinkSync: (path: Path) => {
      if (inside(path)) before({ kind: "remove", path: resolve(path) });
      real.unlinkSync(path);
    },
    mkdirSync: (path: Path, options?: fs.MakeDirectoryOptions) => {
      if (inside(path))
        for (const missing of parents(path))
          if (inside(missing)) before({ kind: "make-folder", path: missing });
      return real.mkdirSync(path, options);
    },
    mkdtempSync: (prefix: Path) => {
      const made = real.mkdtempSync(prefix);
      if (inside(made)) before({ kind: "make-folder", path: resolve(made) });
      return made;
    },
    writeFileSync: (path: Path, data: string | Uint8Array, options?: fs.WriteFileOptions) => {
      if (!inside(path)) return real.writeFileSync(path, data, options);
      const { flag = "w", mode } = Object(options) as { readonly flag?: string; readonly mode?: number };
      const file = fs.openSync(path, flag, mode);
      try {
        writeOn(file, data);
      } finally {
        fs.closeSync(file);
      }
    },
    appendFileSync: (path: Path, data: string | Uint8Array, ...rest: []) => {
      if (!inside(path)) return real.appendFileSync(path, data, ...rest);
      const file = fs.openSync(path, "a");
      try {
        writeOn(file, data);
      } finally {
        fs.closeSync(file);
      }
    },
  };
  for (const name of unwatched)
    patches[name] = (...given: never[]) => {
      if (given.some(inside))
        throw new Error(`fs.${name} changes a file of the run and is not watched: watch it`);
      return (real[name] as AnyFunction)(...given);
    };
  Object.assign(fs, patches);
  syncBuiltinESMExports();
  return () => {
    for (const name of Object.keys(patches) as (keyof typeof fs)[]) Object.assign(fs, { [name]: real[name] });
    syncBuiltinESMExports();
  };
}
