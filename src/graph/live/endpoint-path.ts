import { lstatSync, mkdirSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sha256 } from "../../formats/sha256.ts";

/**
 * The path of the socket at which a run of this machine sends its events; undefined if this user can have none. It is in a
 * folder for temporary files that this user alone may read.
 */
export function endpointPath(runFolder: string): string | undefined {
  const name = sha256(realpathSync(runFolder)).slice(0, 32);
  if (process.platform === "win32") return `\\\\.\\pipe\\ludoflow-${name}`;
  // Not `userInfo`, which fails for a user without a name, as in many containers.
  const uid = process.getuid!();
  const folder = join(tmpdir(), `ludoflow-${uid}`);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") return undefined;
  }
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  // Somebody else's folder of this name would let them read and stop runs.
  const own = stat?.isDirectory() === true && stat.uid === uid && (stat.mode & 0o077) === 0;
  const path = join(folder, `${name}.sock`);
  // The system takes no longer paths.
  return own && Buffer.byteLength(path) < 104 ? path : undefined;
}
