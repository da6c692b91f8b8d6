#!/usr/bin/env node
// Runs the sources where they are (a checkout), else the compiled package. Needs Node 22.18 or later: an older host
// Node is replaced by the one that `npm ci` has installed beside the package.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  const newer = fileURLToPath(new URL("../node_modules/.bin/node", import.meta.url));
  if (!existsSync(newer)) {
    console.error(
      `ludoflow needs Node 22.18 or later; this is ${process.versions.node}. Run it as: npx ludoflow`,
    );
    process.exit(2);
  }
  const { status, signal } = spawnSync(newer, process.argv.slice(1), { stdio: "inherit" });
  if (signal !== null) process.kill(process.pid, signal);
  process.exit(status ?? 1);
}
const source = new URL("../src/cli/main.ts", import.meta.url);
await import(existsSync(source) ? source.href : new URL("../dist/src/cli/main.js", import.meta.url).href);
