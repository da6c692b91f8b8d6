// `npm run try-managers -- TARBALL`: installs a tarball by npm, pnpm, yarn 1, yarn 4 (with node_modules and with Plug'n'Play) and bun,
// and runs a small quickstart with each. Fails if one of them ends with another exit code than 0. The managers come from npm.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** As docs/notebook/installation.md has them. */
const VERSIONS = ["pnpm@12.23.0", "yarn@1.22.22", "@yarnpkg/cli-dist@4.18.1", "bun@1.4.5"];

const tarball = resolve(process.argv[2] ?? "ludoflow.tgz");
const scratch = mkdtempSync(join(tmpdir(), "ludoflow-managers-"));
const tools = join(scratch, "tools");
const tool = (path: string) => `"${process.execPath}" "${join(tools, "node_modules", path)}"`;
const yarn1 = tool("yarn/bin/yarn.js");
const yarn4 = tool("@yarnpkg/cli-dist/bin/yarn.js");
const pnpm = tool("pnpm/bin/pnpm.mjs");
const bun = `"${join(tools, "node_modules/.bin/bun")}"`;

/** What installs, and what runs a program of the package. */
const managers: Readonly<Record<string, readonly [install: string, run: string]>> = {
  npm: [`npm install --no-audit --no-fund "${tarball}"`, "npx"],
  pnpm: [`${pnpm} add "${tarball}"`, `${pnpm} exec`],
  "yarn 1": [`${yarn1} add "${tarball}"`, `${yarn1} -s`],
  "yarn 4": [`${yarn4} config set nodeLinker node-modules && ${yarn4} add "ludoflow@file:${tarball}"`, yarn4],
  "yarn 4, Plug'n'Play": [`${yarn4} add "ludoflow@file:${tarball}"`, yarn4],
  bun: [`${bun} add "${tarball}"`, `${bun} x`],
};

const QUICKSTART =
  "ludoflow run quickstart --out runs/q --set graph.learn.games=300 --set graph.learn.every=100 --set graph.curve.games=10 --set graph.gain.games=2";

/** Runs a line of a shell; its exit code, with what it said if that is not 0. */
function call(line: string, cwd: string): { readonly status: number | null; readonly said: string } {
  const environment = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  const env = {
    ...Object.fromEntries(environment),
    YARN_ENABLE_TELEMETRY: "0",
    // Yarn and bun would take an earlier tarball of the same version out of their caches.
    YARN_CACHE_FOLDER: `${cwd}-cache`,
    BUN_INSTALL_CACHE_DIR: `${cwd}-cache`,
  };
  const { status, stdout, stderr } = spawnSync(line, { cwd, env, encoding: "utf8", shell: true });
  return { status, said: stdout + stderr };
}

try {
  mkdirSync(tools);
  writeFileSync(join(tools, "package.json"), '{ "private": true }\n');
  // Bun's program is put in place by its script.
  const got = call(`npm install --no-audit --no-fund ${VERSIONS.join(" ")}`, tools);
  if (got.status !== 0) throw new Error(`the package managers cannot be had:\n${got.said}`);
  for (const [name, [install, run]] of Object.entries(managers)) {
    const folder = join(scratch, name.replaceAll(/\W+/g, "-"));
    mkdirSync(folder);
    writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
    // Yarn 4 would otherwise take a folder above for its project.
    if (name.startsWith("yarn 4")) writeFileSync(join(folder, "yarn.lock"), "");
    for (const line of [install, `${run} ludoflow --version`, `${run} ${QUICKSTART}`]) {
      const { said, status } = call(line, folder);
      console.log(`${name}: ${line.replaceAll(scratch, "")}: exit code ${status}`);
      if (status === 0) continue;
      console.error(said);
      process.exitCode = 1;
      break;
    }
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
