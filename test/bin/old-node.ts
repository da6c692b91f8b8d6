import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** A Node of this machine that is too old for ludoflow, so that its launcher starts another one; undefined where there is none. */
export function oldNode(): string | undefined {
  return (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((folder) => join(folder, "node"))
    .find((node) => {
      if (!existsSync(node)) return false;
      const [major, minor] = execFileSync(node, ["--version"], { encoding: "utf8" })
        .slice(1)
        .split(".")
        .map(Number);
      return major! < 22 || (major === 22 && minor! < 18);
    });
}
