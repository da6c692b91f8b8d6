import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Turns } from "./in-turn.ts";
import { median } from "./report.ts";

const FLAGS = ["-O3", "-march=native"];
/** How the programs in C are compiled; figures name it. */
export const C_COMPILED = `cc ${FLAGS.join(" ")}`;

/** A program in C of this folder, compiled and started. */
export class CProgram {
  readonly #folder: string;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;

  private constructor(folder: string, program: string) {
    this.#folder = folder;
    this.#child = spawn(program);
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** Compiles and starts a program of this folder. Undefined if no compiler is installed. */
  static start(name: string): CProgram | undefined {
    const source = fileURLToPath(new URL(name, import.meta.url));
    const folder = mkdtempSync(join(tmpdir(), "ludoflow-c-"));
    const program = join(folder, "program");
    const args = [...FLAGS, "-o", program, source, "-lm"];
    if (existsSync(source) && spawnSync("cc", args).status === 0) return new CProgram(folder, program);
    rmSync(folder, { recursive: true });
    return undefined;
  }

  /** Sends a line; returns so many lines of response. */
  async respond(line: string, count = 1): Promise<string[]> {
    this.#child.stdin.write(`${line}\n`);
    const response: string[] = [];
    while (response.length < count) {
      const next = await this.#lines.next();
      if (next.done === true) throw new Error("the program in C ended");
      response.push(next.value);
    }
    return response;
  }

  /** Ends the program and removes it. */
  close(): void {
    this.#child.stdin.end();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/**
 * The rates of a player and of a program in C, in units of work per second of processor time. They take turns; the results
 * are medians over rounds, after the rounds of warming up. `command` makes the program work for some milliseconds; its
 * response is the work and the milliseconds that it took.
 */
export async function ratesBesideC(
  program: CProgram,
  command: (ms: number) => string,
  play: () => number,
  clock: () => number,
  { rounds, warmUps, sliceMs }: Turns,
): Promise<{ readonly own: number; readonly peer: number }> {
  const own: number[] = [];
  const peer: number[] = [];
  for (let round = -warmUps; round < rounds; round++) {
    const start = clock();
    let work = 0;
    while (clock() - start < sliceMs) work += play();
    const rate = (1000 * work) / (clock() - start);
    const [line] = await program.respond(command(sliceMs));
    const [made, took] = line!.split(" ").map(Number);
    if (round < 0) continue;
    own.push(rate);
    peer.push((1000 * made!) / took!);
  }
  return { own: median(own), peer: median(peer) };
}
