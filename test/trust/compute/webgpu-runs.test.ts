import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Command, ludoflow } from "../../cli/run-cli.ts";
import { hasSoftwareAdapter, softwareAdapter } from "../../compute/software-adapter.ts";
import { Trials } from "../../faults/trials.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";

/** Starts of ludoflow over all kinds: `LUDOFLOW_STARTS=200`. */
const STARTS = Number(process.env["LUDOFLOW_STARTS"] ?? 20);

/** Minutes of a core, on a machine that may be busy with other things; only ends what hangs. */
const LONGEST_MS = 150_000 * STARTS;

/**
 * Two worker threads with several games each, so that both sessions of an evaluator, the other net and the trainer have work at
 * once. The software driver takes seconds for the shaders of a net with convolutions: one start of each kind has such a net.
 */
const experiment = (large: boolean, rest: string) => {
  const net = large ? "residual, filters: 8, blocks: 1" : "mlp, hidden: [8], policy: true";
  return `
name: webgpu
seed: 1
game: { rules: tic-tac-toe }
workers: 2
compute: { engine: onnx, device: webgpu }
nets: { one: { use: ${net} }, two: { use: ${net} } }
agents:
  a: { use: puct-max-n, net: one, simulations: 4 }
  b: { use: puct-max-n, net: two, simulations: 4 }
${rest}`;
};

const arena = `
graph:
  match: { use: arena, agents: [a, b], games: 8, inFlight: 4 }
`;

const learning = (schedule: string, games: number) => `
schedule: ${schedule}
graph:
  games: { use: self-play, agent: a, games: ${games}, generation: 4, inFlight: 4, examples: { use: td, lambda: 1 } }
  replay: { use: replay-buffer, from: games, capacity: 100 }
  weights: { use: trainer, from: replay, net: one, batch: 4, steps: 2, rate: 0.01, loss: { use: alphazero } }
  saved: { use: checkpoint, from: weights }
`;

/** How many checkpoints a run has written so far. */
function checkpointsIn(run: string): number {
  const folder = join(run, "checkpoints", "one");
  return existsSync(folder) ? readdirSync(folder).filter((name) => /^\d+$/.test(name)).length : 0;
}

/** How a command has ended: its exit code. Throws what it said where a signal has ended it, or another code. */
async function endOf(command: Command, code: number): Promise<string> {
  const { signal, code: found, err } = await command.ended;
  if (signal !== null || found !== code) throw new Error(`${signal ?? `exit code ${found}`}: ${err}`);
  return `exit code ${code}`;
}

/** Starts a command that goes on for long, and stops it once it has written a checkpoint more. */
async function stopped(run: string, args: readonly string[]): Promise<string> {
  const before = checkpointsIn(run);
  const command = ludoflow(args, undefined, softwareAdapter);
  const timer = setInterval(() => {
    if (checkpointsIn(run) === before) return;
    // Once: a second one would end it at once.
    clearInterval(timer);
    command.process.kill("SIGINT");
  }, 100);
  return await endOf(command, 130).finally(() => clearInterval(timer));
}

describe.skipIf(!hasSoftwareAdapter)("on WebGPU no start ends by a signal", () => {
  it.each([
    { kind: "a match of two nets", share: 0.3, command: "match", rest: arena },
    { kind: "self-play with a trainer", share: 0.25, command: "run", rest: learning("synchronous", 8) },
    { kind: "learning beside self-play", share: 0.25, command: "run", rest: learning("overlapped", 8) },
  ])(
    "$kind",
    async ({ command, kind, rest, share }) => {
      const starts = Math.ceil(share * STARTS);
      const trials = new Trials(`webgpu, ${kind}`, starts);
      for (let start = 0; start < starts; start++) {
        const folder = scratchFolder();
        const file = join(folder, "webgpu.yaml");
        writeFileSync(file, experiment(start === 0, rest));
        const args = [command, file, "--out", join(folder, "run")];
        await trials.attempt(() => endOf(ludoflow(args, undefined, softwareAdapter), 0));
      }
      trials.end();
      expect(trials.of("exit code 0")).toBe(starts);
    },
    LONGEST_MS,
  );

  it(
    "a run that is stopped, and resumed",
    async () => {
      const pairs = Math.ceil(0.1 * STARTS);
      const trials = new Trials("webgpu, a stop and a resume", 2 * pairs);
      for (let pair = 0; pair < pairs; pair++) {
        const folder = scratchFolder();
        const file = join(folder, "webgpu.yaml");
        const run = join(folder, "run");
        writeFileSync(file, experiment(false, learning("synchronous", 100_000)));
        await trials.attempt(() => stopped(run, ["run", file, "--out", run]));
        await trials.attempt(() => stopped(run, ["resume", run]));
      }
      trials.end();
      expect(trials.of("exit code 130")).toBe(2 * pairs);
    },
    LONGEST_MS,
  );
});
