import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

/** The process numbers that programs have written to a file, one a line. */
export function pidsIn(file: string): number[] {
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean).map(Number) : [];
}

/** Those of the processes that still run; one that has ended and is not yet buried does not. */
export function running(pids: readonly number[]): number[] {
  if (pids.length === 0) return [];
  let listed = "";
  try {
    listed = execFileSync("ps", ["-o", "pid=,stat=", "-p", pids.join(",")], { encoding: "utf8" });
  } catch {
    // The exit code of ps where there are none of these processes.
  }
  return listed
    .split("\n")
    .filter((line) => line.trim() !== "" && !/\sZ/.test(line))
    .map((line) => Number(line.trim().split(/\s+/)[0]));
}

/** Resolves when none of the processes runs any more; rejects after ten seconds. */
export async function gone(pids: readonly number[]): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if (running(pids).length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`still running: ${running(pids).join(", ")}`);
}
