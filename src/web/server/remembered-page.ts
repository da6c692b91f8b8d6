import { createHash } from "node:crypto";
import { mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { homeFolder } from "../../formats/files/home-folder.ts";
import { readOwnText } from "../../formats/files/own-file.ts";

/** What the server of a folder leaves to the next one of the same folder. */
export interface RememberedPage {
  /** The port that it had: the address of open pages. */
  readonly port: number;
  /** 256 bits, which open pages have too: by them a page shows the next server that it was let in by this one. */
  readonly key: string;
}

/** What was remembered of a folder; undefined: nothing, or nothing that this user alone can read. */
export function rememberedPage(folder: string): RememberedPage | undefined {
  const path = rememberedPath(folder);
  try {
    const { mode, uid } = statSync(path);
    if (process.getuid !== undefined && (uid !== process.getuid() || (mode & 0o077) !== 0)) return undefined;
    const { key, port } = JSON.parse(readOwnText(path)) as Partial<RememberedPage>;
    const whole = typeof key === "string" && /^[\w-]{43}$/.test(key) && Number.isInteger(port);
    return whole ? { key, port: port! } : undefined;
  } catch {
    return undefined;
  }
}

/** Remembers a page, readable by this user alone. If that cannot be written, open pages need the next server's link. */
export function rememberPage(folder: string, page: RememberedPage): void {
  const path = rememberedPath(folder);
  const next = `${path}.${process.pid}`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    rmSync(next, { force: true });
    writeFileSync(next, JSON.stringify(page), { mode: 0o600, flag: "wx" });
    renameSync(next, path);
  } catch {
    // A home folder that cannot be written, or none.
  }
}

/**
 * A file for each folder of runs: in `ludoflow/pages` of the folder that the system has for the state of programs, which is
 * XDG_STATE_HOME (by default ~/.local/state), on Windows LOCALAPPDATA.
 */
function rememberedPath(folder: string): string {
  const { XDG_STATE_HOME: state, LOCALAPPDATA: windows } = process.env;
  const system = process.platform === "win32" ? windows : undefined;
  const place = [state, system].find((each) => each !== undefined && each !== "");
  const digest = createHash("sha256").update(realPath(folder)).digest("hex").slice(0, 32);
  return join(place ?? join(homeFolder(), ".local/state"), "ludoflow", "pages", `${digest}.json`);
}

/** The folder without links; the name as given if there is no folder yet. */
function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return resolve(folder);
  }
}
