import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";

/** What can be in the place of a run's own file: a link to another file, or a pipe whose other end nobody opens. */
type ForeignKind = "link" | "pipe";

/** The files of a run that are looked at without knowing more of the run than the stage `match`. */
const files = [
  "manifest.json",
  "experiment.yaml",
  "metrics.jsonl",
  "logs.json",
  "games/match.games",
  "analyses/match.analyses",
];

/** Each kind in the place of each file. */
export function everyForeignFile(): (readonly [kind: ForeignKind, file: string])[] {
  return files.flatMap((file) => (["link", "pipe"] as const).map((kind) => [kind, file] as const));
}

/** Puts a link to a file, or a pipe, in the place of a file of a run. */
export function placeForeignFile(run: string, kind: ForeignKind, file: string, linked: string): void {
  const path = join(run, file);
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true });
  if (kind === "link") symlinkSync(linked, path);
  else execFileSync("mkfifo", [path]);
}
