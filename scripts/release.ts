// `npm run release [-- --unreleased]`: makes the tarball that can be published, and checks it. It publishes nothing.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { changeLogProblems } from "./change-log.ts";
import { checkout, missingFiles, pack, run } from "./tarball.ts";

/** What checks the package, in these versions: with npx, because the second brings a TypeScript of its own. */
const checks: readonly (readonly [name: string, args: readonly string[]])[] = [
  ["publint@0.3.25", ["--strict"]],
  ["@arethetypeswrong/cli@0.18.5", ["--profile", "esm-only"]],
];

const { version } = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8")) as { version: string };
const problems = process.argv.includes("--unreleased")
  ? []
  : changeLogProblems(readFileSync(join(checkout, "CHANGELOG.md"), "utf8"), version);
if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exit(2);
}
const { path, packed, unpacked, files } = pack(checkout);
const missing = missingFiles(files);
if (missing.length > 0) {
  console.error(`${path} lacks:\n${missing.join("\n")}`);
  process.exit(1);
}
for (const [name, args] of checks) {
  console.log(`== ${name}`);
  console.log(run("npx", ["--yes", name, path, ...args]));
}
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
console.log(`${path}: ${megabytes(packed)}, ${megabytes(unpacked)} unpacked, ${files.length} files`);
