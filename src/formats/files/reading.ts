import { FileCorrupt } from "./file-corrupt.ts";
import { whyUnreadable } from "./unreadable.ts";

/**
 * Runs a step that reads `path`: failures of the operating system come out as `FileCorrupt`, all else as it is. Node's errors of
 * reading do not name the file, in whose place a folder may be.
 */
export function reading<T>(path: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof Error) || !("syscall" in error)) throw error;
    throw new FileCorrupt(path, `cannot be read: ${whyUnreadable(error)}`, { cause: error });
  }
}
