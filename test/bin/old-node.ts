import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { nodePackage } from "../../bin/fetch-node.js";
import { root } from "../docs/pages.ts";
import { scratchFolder } from "../formats/scratch-folder.ts";

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

/** A copy of the launcher in a new folder, in which a script of the shell is the Node that it starts. */
export function packageWithNode(script: string): { readonly launcher: string; readonly node: string } {
  const folder = scratchFolder();
  cpSync(join(root, "bin"), join(folder, "bin"), { recursive: true });
  const { name, program } = nodePackage()!;
  const node = join(folder, "node_modules", name, program);
  mkdirSync(dirname(node), { recursive: true });
  mkdirSync(join(folder, "toolchain"));
  for (const file of ["package.json", "toolchain/package.json"]) cpSync(join(root, file), join(folder, file));
  writeFileSync(node, script, { mode: 0o755 });
  return { launcher: join(folder, "bin/ludoflow.js"), node };
}
