import { realpathSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { isRunFolder } from "../../runs/find-runs.ts";
import { RequestRefused } from "./responses.ts";

/** The path of a run below the folder that is served, with `/` between its parts: `quickstart/20260101-120000-seed1`. */
export function runPath(root: string, folder: string): string {
  return relative(root, folder).split(sep).join("/");
}

/**
 * The run, the stage and the number of a stored game at a path below the folder that is served: `NAME/ID/STAGE/3`. Throws
 * RequestRefused if there is no such run, or no such name of a stage.
 */
export function gameAt(root: string, parts: readonly string[]) {
  const [stage = "", number = ""] = parts.slice(-2);
  const folder = runFolderAt(root, parts.slice(0, -2));
  if (stage.startsWith(".") || /[/\\]/.test(stage) || !/^\d{1,12}$/.test(number))
    throw new RequestRefused(404, `This run has no stored game "${stage}/${number}".`);
  return { folder, stage, number: Number(number) };
}

/**
 * The folder of the run at a path below the folder that is served. Throws RequestRefused if the path leads elsewhere, also by
 * a link, or to no run.
 */
export function runFolderAt(root: string, parts: readonly string[]): string {
  const none = new RequestRefused(404, `There is no run "${parts.join("/")}" in this folder.`);
  // A path with these would be another one than it seems to be.
  // oxlint-disable-next-line no-control-regex -- a zero byte ends names in the system
  if (parts.some((part) => part.startsWith(".") || /[/\\\u0000]/.test(part))) throw none;
  const folder = join(root, ...parts);
  let at: string;
  let top: string;
  try {
    [at, top] = [realpathSync(folder), realpathSync(root)];
  } catch {
    throw none;
  }
  if ((at !== top && !at.startsWith(top.endsWith(sep) ? top : `${top}${sep}`)) || !isRunFolder(at))
    throw none;
  return folder;
}
