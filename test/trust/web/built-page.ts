import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { build } from "vite";
import { packageRoot } from "../../../src/package-root.ts";

/** A build that takes longer was killed. In milliseconds. */
const LONGEST_MS = 240_000;

/** Builds the page if its sources are newer. Test files run side by side and share it, so one of them builds at a time. */
export async function builtPage(): Promise<void> {
  const root = packageRoot();
  const lock = join(root, "dist", ".page-tests");
  mkdirSync(join(root, "dist"), { recursive: true });
  while (!taken(lock)) await after(200);
  try {
    const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" });
    const newest = Math.max(...sources.map((path) => changed(join(root, "src", path))));
    if (newest > changed(join(root, "dist/page/index.html")))
      await build({ configFile: join(root, "vite.page.config.ts"), logLevel: "error" });
  } finally {
    rmSync(lock, { recursive: true });
  }
}

function taken(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch {
    if (Date.now() - changed(lock) > LONGEST_MS) rmSync(lock, { recursive: true, force: true });
    return false;
  }
}

/** When a file was changed; 0: there is none. */
function changed(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
