import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it, onTestFinished } from "vitest";
import { Trials } from "../../faults/trials.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { writeExperiment } from "../../graph/tiny-run.ts";

/** Games of the run. */
const GAMES = Number(process.env["LUDOFLOW_GAMES"] ?? 6000);
/** Samples are taken each second; shorter runs say too little of growth. */
const LEAST_SAMPLES = 15;

const EXPERIMENT = `
name: flat-memory
seed: 1
workers: 8
compute: { threads: 1 }
game: { rules: tic-tac-toe }
nets: { value: { use: mlp, hidden: [64], valueActivation: linear } }
agents: { mover: { use: random } }
graph:
  games: { use: self-play, agent: mover, games: ${GAMES}, generation: 100, inFlight: 4, examples: { use: td, lambda: 0.5 } }
  replay: { use: replay-buffer, from: games, capacity: 2000 }
  weights: { use: trainer, from: replay, net: value, batch: 64, steps: 100, rate: 0.01 }
  saved: { use: checkpoint, from: weights, every: 10, keep: 2 }
`;

interface Sample {
  readonly games: number;
  readonly rss: number;
  readonly holds?: number;
  readonly bound?: number;
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;

it(
  `keeps its memory through ${GAMES} games with a slow trainer, disk and observer, and no more games at once than its bound`,
  async () => {
    const folder = scratchFolder();
    const file = writeExperiment(folder, EXPERIMENT);
    const program = join(import.meta.dirname, "../../faults/slow-run.ts");
    const child = spawn(process.execPath, [program, file, join(folder, "run")], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const ended = once(child, "exit");
    const trials = new Trials("memory", GAMES);
    let counted = 0;
    const samples: Sample[] = [];
    for await (const line of createInterface(child.stdout)) {
      const told = JSON.parse(line) as Sample & { readonly outcome?: string };
      if (told.outcome !== undefined) continue;
      samples.push(told);
      for (; counted < told.games; counted++) trials.count("games");
    }
    expect(await ended).toEqual([0, null]);
    expect(samples.length).toBeGreaterThan(LEAST_SAMPLES);
    const bounds = samples.flatMap(({ bound }) => bound ?? []);
    const held = samples.flatMap(({ holds }) => holds ?? []);
    const third = Math.floor(samples.length / 3);
    const [before, after] = [samples.slice(third, 2 * third), samples.slice(2 * third)].map((part) =>
      median(part.map(({ rss }) => rss)),
    ) as [number, number];
    console.log(
      `${samples.length} s: at most ${Math.max(...held).toFixed(0)} games under way, bound ${Math.max(...bounds)}; ` +
        `memory ${(before / 1e6).toFixed(0)} MB in the second third, ${(after / 1e6).toFixed(0)} MB in the last`,
    );
    expect(Math.max(...held)).toBeLessThanOrEqual(Math.max(...bounds));
    expect(after).toBeLessThan(1.1 * before);
    for (; counted < GAMES; counted++) trials.count("games");
    trials.end();
  },
  // It only ends what hangs.
  300_000 + 200 * GAMES,
);
