import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { median } from "./report.ts";

const source = fileURLToPath(new URL("n_tuple_peer.c", import.meta.url));

/**
 * The rates of a learner and of the same learner in C (`n_tuple_peer.c`), in moves per second of processor time. They take
 * turns; the results are medians over rounds, after the rounds of warming up. Undefined if no compiler is installed.
 */
export async function besideC(
  learn: () => number,
  clock: () => number,
  { rounds, warmUps, sliceMs }: { rounds: number; warmUps: number; sliceMs: number },
): Promise<{ readonly own: number; readonly peer: number } | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "n-tuple-"));
  const program = join(folder, "peer");
  try {
    if (
      !existsSync(source) ||
      spawnSync("cc", ["-O3", "-march=native", "-o", program, source, "-lm"]).status !== 0
    )
      return undefined;
    const child = spawn(program);
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const own: number[] = [];
    const peer: number[] = [];
    for (let round = -warmUps; round < rounds; round++) {
      const start = clock();
      let moves = 0;
      while (clock() - start < sliceMs) moves += learn();
      const rate = (1000 * moves) / (clock() - start);
      child.stdin.write(`${sliceMs}\n`);
      const line = await lines.next();
      if (line.done === true) throw new Error("the learner in C ended");
      const [made, took] = line.value.split(" ").map(Number);
      if (round < 0) continue;
      own.push(rate);
      peer.push((1000 * made!) / took!);
    }
    child.stdin.end();
    return { own: median(own), peer: median(peer) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
