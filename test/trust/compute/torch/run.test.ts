import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readEvents } from "../../../../src/events/metrics-file.ts";
import { ludoflow } from "../../../cli/run-cli.ts";
import { scratchFolder } from "../../../formats/scratch-folder.ts";
import { NO_TORCH, torchPython } from "../../../compute/torch/python.ts";

/** Self-play, a trainer, checkpoints and matches, small. */
const experiment = (python: string) => `
name: tiny-torch
seed: 14
workers: 1
compute: { engine: torch, device: cpu, python: ${python}, threads: 1 }
game: { rules: tic-tac-toe }
nets:
  zero: { use: residual, filters: 4, blocks: 1, valueUnits: 8, values: win-loss, policyHead: convolutional }
agents:
  learner: { use: gumbel, net: zero, simulations: 4 }
  random: { use: random }
graph:
  games: { use: self-play, agent: learner, games: 24, generation: 8, inFlight: 4, examples: { use: alphazero } }
  replay: { use: replay-buffer, from: games, games: 24 }
  weights: { use: trainer, from: replay, net: zero, batch: 8, steps: 6, rate: 0.01, loss: { use: alphazero, legalOnly: true } }
  saved: { use: checkpoint, from: weights, keep: 0 }
  curve: { use: arena, after: weights, agents: [learner, random], games: 2, inFlight: 2 }
`;

/** The processes of PyTorch that a process has started, by their numbers. */
function pythonsOf(program: number): number[] {
  const lines = execFileSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8" }).split("\n");
  const all = lines.flatMap((line) => {
    const [, pid, parent, args] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), args: args! }];
  });
  const below = (pid: number): number[] => [
    pid,
    ...all.filter(({ parent }) => parent === pid).flatMap((each) => below(each.pid)),
  ];
  const own = new Set(below(program));
  return all.filter(({ args, pid }) => own.has(pid) && args.includes("executor.py")).map(({ pid }) => pid);
}

describe("a run whose nets PyTorch computes", () => {
  it("asks for permission, fails with words if its process is killed, is resumed, and finishes checked", async ({
    skip,
  }) => {
    skip(torchPython === undefined, NO_TORCH);
    skip(process.platform === "win32", "no ps");
    const folder = scratchFolder();
    const file = join(folder, "torch.yaml");
    writeFileSync(file, experiment(torchPython!));
    const run = join(folder, "run");
    const settings = { XDG_CONFIG_HOME: join(folder, "settings") };

    const refused = await ludoflow(["run", file, "--out", run], folder, settings).ended;
    expect(refused.code).toBe(2);
    expect(refused.err).toMatch(/compute names a program: \S*python3\n/);
    expect(existsSync(run)).toBe(false);

    const checkedOnly = await ludoflow(["check", file], folder, settings).ended;
    expect(checkedOnly.code, checkedOnly.err).toBe(0);
    expect(checkedOnly.err).toContain("not started here, this Python computes the nets: ");

    const first = ludoflow(["run", file, "--out", run, "--allow-code", "--json"], folder, settings);
    await first.event((event) => event.type === "checkpoint" && event.learned > 0);
    const pythons = pythonsOf(first.process.pid!);
    // Two of the evaluator, one of the trainer.
    expect(pythons).toHaveLength(3);
    for (const pid of pythons) process.kill(pid, "SIGKILL");
    const failed = await first.ended;
    expect(failed.code).toBe(1);
    expect(failed.err).toMatch(/the engine torch: its Python process was ended by SIGKILL/);
    expect(failed.err).toContain("ludoflow resume");

    const manifest = JSON.parse(readFileSync(join(run, "manifest.json"), "utf8")) as object;
    expect(manifest).toMatchObject({
      reproducible: false,
      compute: { engine: "torch", device: "cpu", torch: expect.stringMatching(/^\d+\./) },
    });

    const second = ludoflow(["resume", run, "--allow-code"], folder, settings);
    const resumed = await second.ended;
    expect(resumed.code, resumed.err).toBe(0);
    const events = readEvents(join(run, "metrics.jsonl"));
    const starts = events.flatMap((event) => (event.type === "run-started" ? [event.compute] : []));
    expect(starts).toHaveLength(2);
    for (const compute of starts)
      expect(compute).toMatch(/^2 sessions, each torch \S+ on cpu, \d+ threads?$/);
    expect(events.filter(({ type }) => type === "match").length).toBeGreaterThanOrEqual(4);
    const checked = events.flatMap((event) =>
      event.type === "evaluator-flow" && event.checked !== undefined ? [event.checked] : [],
    );
    expect(checked.length).toBeGreaterThan(0);
    for (const { rows, largest } of checked) {
      expect(rows).toBeGreaterThan(0);
      expect(largest).toBeLessThan(1e-4);
    }
    expect(readFileSync(join(run, "report.html"), "utf8")).toContain("computed again on the CPU");
  });
});
