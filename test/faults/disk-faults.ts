import type { Random } from "../../src/random.ts";
import type { FileModel } from "./file-model.ts";
import type { BeforeChange, FileOperation } from "./watch-files.ts";

/**
 * How the disk fails: at one operation (EIO), at all that take room from one on (ENOSPC), at a file that must not grow any more
 * (EFBIG, as by `ulimit -f`). Each also after a part of a write was stored (`torn`). `short`: a write takes a part, and says so.
 */
export const diskFaults = ["EIO", "ENOSPC", "short", "torn EIO", "torn ENOSPC", "torn EFBIG"] as const;
export type DiskFault = (typeof diskFaults)[number];

/** The error code of a fault. */
export function codeOf(how: DiskFault): string {
  return how.split(" ").at(-1)!;
}

/** Whether a fault makes another difference at an operation than the faults before it in the list. */
export function concerns(how: DiskFault, { kind }: FileOperation): boolean {
  return kind === "write" || how === "EIO" || how === "ENOSPC";
}

/** A disk that fails from operation `at` on, counted from 0; faults of writes at the first write from there on. */
export function failingDisk(at: number, how: DiskFault, random: Random): BeforeChange {
  let done = 0;
  /** The file whose write was torn. */
  let torn: string | undefined;
  const error = (kind: string) =>
    Object.assign(new Error(`${codeOf(how)}: injected, ${kind}`), { code: codeOf(how), syscall: kind });
  return (operation) => {
    const { kind, path } = operation;
    const due = done++ >= at;
    if (!due) return undefined;
    const takesRoom = kind === "write" || kind === "open" || kind === "make-folder";
    if (how === "EIO" && done - 1 === at) throw error(kind);
    if (how === "ENOSPC" && takesRoom) throw error(kind);
    if (torn === undefined && kind === "write" && (how === "short" || how.startsWith("torn"))) {
      torn = path;
      // At least one byte, as the last of it may be missing, and never all.
      const stored = Math.min(
        operation.bytes.length,
        1 + random.below(Math.max(1, operation.bytes.length - 1)),
      );
      return how === "short"
        ? stored
        : { stored: Math.min(stored, operation.bytes.length - 1), error: error(kind) };
    }
    if (torn === undefined) return undefined;
    // A fault of the disk passes; a full disk stays full; a file stays as long as it may be.
    if (how === "torn ENOSPC" && takesRoom) throw error(kind);
    if (how === "torn EFBIG" && kind === "write" && path === torn) throw error(kind);
    return undefined;
  };
}

/** Does what a disk does, in a model of its files too. */
export function inModel(model: FileModel, disk: BeforeChange = () => undefined): BeforeChange {
  return (operation) => {
    let answer: ReturnType<BeforeChange>;
    try {
      answer = disk(operation);
    } catch (error) {
      if (operation.kind === "sync") model.failSync(operation.path);
      throw error;
    }
    const stored = typeof answer === "object" ? answer.stored : answer;
    model.apply(
      operation.kind === "write" && stored !== undefined
        ? { ...operation, bytes: operation.bytes.subarray(0, stored) }
        : operation,
    );
    return answer;
  };
}
