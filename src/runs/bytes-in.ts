import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** The bytes of a file, or of all files in a folder; 0 if there is none. Files that vanish meanwhile do not count. */
export function bytesIn(path: string): number {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 0;
  if (!stat.isDirectory()) return stat.size;
  return namesIn(path).reduce((sum, name) => sum + bytesIn(join(path, name)), 0);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
