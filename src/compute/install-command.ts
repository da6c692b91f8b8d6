import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { packageRoot } from "../package-root.ts";

/** The command that installs ONNX Runtime for this package where it lies now, to be typed in the working directory. */
export function installCommand(root = packageRoot(), from = process.cwd()): string {
  const { peerDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Readonly<
    Record<string, Readonly<Record<string, string>>>
  >;
  const modules = dirname(root);
  // A checkout has it among the packages to develop with.
  if (basename(modules) !== "node_modules") return "npm ci --ignore-scripts";
  const project = dirname(modules);
  // Only packages that are installed for the whole machine are in a folder that is not a package.
  const place = !existsSync(join(project, "package.json"))
    ? "-g "
    : relative(project, resolve(from)).startsWith("..")
      ? `--prefix ${project} `
      : "";
  return `npm install ${place}--ignore-scripts onnxruntime-node@${peerDependencies!["onnxruntime-node"]}`;
}
