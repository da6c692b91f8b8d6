import { readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { packageRoot } from "../package-root.ts";

/** The paths of the experiments of this package by name: the files in `experiments` and in the folders in it. */
export function shippedFiles(): ReadonlyMap<string, string> {
  const folder = join(packageRoot(), "experiments");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".yaml"))
    .toSorted((a, b) => dirname(a).localeCompare(dirname(b)) || a.localeCompare(b));
  return new Map(files.map((file) => [basename(file, ".yaml"), join(folder, file)]));
}

/** A path if it is a file; else the experiment of this package with a name, by default the path; else the path. */
export function shippedOr(path: string, name = path): string {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === true) return path;
  return shippedFiles().get(name) ?? path;
}
