import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { arch } from "node:os";
import { ARITHMETIC } from "../graph/folder/arithmetic.ts";
import { programVersions } from "../graph/folder/run-folder.ts";
import { sha256 } from "../formats/sha256.ts";

/** What a program is, as far as games depend on it: versions by name, and a hash of the code of ludoflow. */
export type ProgramIdentity = Readonly<Record<string, string>>;

let known: ProgramIdentity | undefined;

/** This program. Its code is read once. */
export function programIdentity(): ProgramIdentity {
  return (known ??= {
    ...programVersions(),
    architecture: arch(),
    arithmetic: String(ARITHMETIC),
    code: codeHash(resolve(import.meta.dirname, "..")),
  });
}

/** In what two programs differ, in words for people; empty if games come out equal. */
export function programDifferences(run: ProgramIdentity, joiner: ProgramIdentity): string[] {
  const names = [...new Set([...Object.keys(run), ...Object.keys(joiner)])];
  return names
    .filter((name) => run[name] !== joiner[name])
    .map((name) => {
      const of = (program: ProgramIdentity) => program[name]?.slice(0, 12) ?? "none";
      return `${name} (the run has ${of(run)}, this machine ${of(joiner)})`;
    });
}

/** A hash of the modules in a folder and in the folders in it. */
function codeHash(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[jt]s$/.test(entry.name) && !entry.name.endsWith(".d.ts"))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  return sha256(...files.flatMap((file) => [relative(folder, file), "\n", readFileSync(file)]));
}
