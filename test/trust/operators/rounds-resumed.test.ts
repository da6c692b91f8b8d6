import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Effect, Latch } from "effect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunEvent } from "../../../src/events/event.ts";
import { readMetrics, readState } from "../../../src/events/metrics-file.ts";
import { factsOfType } from "../../../src/events/run-state.ts";
import { metricsPath } from "../../../src/graph/folder/run-folder.ts";
import type { HostOfRun } from "../../../src/graph/run-experiment.ts";
import { openLocalThreads } from "../../../src/operators/play/local-threads.ts";
import { forkRun } from "../../../src/runs/fork-run.ts";
import { roundsUnderWayPath } from "../../../src/operators/run/run-files.ts";
import { resultsOf, resumeRun, startRun, writeExperiment } from "../../graph/tiny-run.ts";

/** Tables that change in place. */
const tables = `
name: tiny-rounds-tables
seed: 31
workers: 1
game: { rules: tic-tac-toe }
nets:
  value: { use: linear }
agents:
  player: { use: greedy, net: value }
  uct: { use: uct, simulations: 50 }
graph:
  learn: { use: td-learner, net: value, exploration: { use: epsilon-greedy, epsilon: 0.2 }, games: 400, every: 20, lambda: 0.8, step: td, rate: 0.05 }
  saved: { use: checkpoint, from: learn, keep: 0 }
  curve: { use: arena, after: learn, every: 10, agents: [player, uct], games: 20, openings: { plies: 1 }, inFlight: 1 }
`;

const network = `
name: tiny-rounds-network
seed: 32
workers: 1
compute: { threads: 1 }
game: { rules: tic-tac-toe }
nets:
  value: { use: mlp, hidden: [4], valueActivation: linear }
agents:
  player: { use: greedy, net: value }
  uct: { use: uct, simulations: 50 }
graph:
  games: { use: self-play, agent: player, games: 80, generation: 4, inFlight: 4, examples: { use: td } }
  replay: { use: replay-buffer, from: games, capacity: 200 }
  learn: { use: trainer, from: replay, net: value, batch: 8, steps: 2, rate: 0.01 }
  saved: { use: checkpoint, from: learn, keep: 0 }
  curve: { use: arena, after: learn, every: 10, agents: [player, uct], games: 20, openings: { plies: 1 }, inFlight: 1 }
`;

const scratch = mkdtempSync(join(tmpdir(), "ludoflow-test-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const place = (name: string) => join(scratch, name);

/**
 * Threads of this machine that keep the games of the arena waiting until its latch is open: then checkpoints pass the
 * version of the round, however fast learning is.
 */
const keptWaiting =
  (latch: Latch.Latch): HostOfRun =>
  () =>
  (opened, env) =>
    Effect.map(openLocalThreads(opened, env), (host) => ({
      ...host,
      play: (task, retries) =>
        task.stage === "curve"
          ? Effect.andThen(latch.await, host.play(task, retries))
          : host.play(task, retries),
    }));

const isCheckpoint = (event: RunEvent, learned: number) =>
  event.type === "checkpoint" && event.learned === learned;
const matches = (folder: string) =>
  factsOfType(readState(metricsPath(folder)), "match").map(({ agents, contest, learned }) => ({
    agents,
    contest,
    learned,
  }));

describe.each([
  { name: "tables", experiment: tables, learned: [100, 300], last: 400, forked: ["tables", "tables-100"] },
  { name: "network", experiment: network, learned: [10, 30], last: 40, forked: [] },
])("a round that checkpoints have left behind: $name", ({ name, experiment, forked, last, learned }) => {
  let results: Record<string, string> = {};
  const file = () => place(`${name}.yaml`);

  beforeAll(async () => {
    writeExperiment(scratch, experiment, `${name}.yaml`);
    const latch = Latch.makeUnsafe(false);
    let ends = false;
    const outcome = await startRun(file(), place(name), [], {
      hostOf: keptWaiting(latch),
      onEvent: (event) => {
        for (const each of learned)
          if (isCheckpoint(event, each)) {
            cpSync(place(name), place(`${name}-${each}`), { recursive: true });
            latch.openUnsafe();
          }
        if (isCheckpoint(event, last)) ends = true;
        if (ends) latch.openUnsafe();
        // The next round waits again.
        else if (event.type === "match") latch.closeUnsafe();
      },
    });
    expect(outcome).toEqual({ outcome: "finished" });
    results = resultsOf(place(name));
  });

  it("leaves no notes and no weights behind when it is over", () => {
    expect(existsSync(roundsUnderWayPath(place(name), "value"))).toBe(false);
    expect(Object.keys(results).filter((path) => path.startsWith("weights/"))).toEqual([]);
    expect(matches(place(name)).length).toBe(3);
  });

  it.each(learned)("is finished after a kill at the checkpoint of %i", async (each) => {
    const folder = place(`${name}-${each}`);
    expect(existsSync(roundsUnderWayPath(folder, "value"))).toBe(true);
    expect(await resumeRun(folder, { workers: 2 })).toEqual({ outcome: "finished" });
    expect(resultsOf(folder)).toEqual(results);
    expect(matches(folder)).toEqual(matches(place(name)));
  });

  it.each(forked)("has its result in a fork of %s at the checkpoint", async (run) => {
    const out = place(`${run}-fork`);
    const { folder } = await forkRun(place(run), { set: [], at: String(learned[0]), out });
    expect(await resumeRun(folder)).toEqual({ outcome: "finished" });
    expect(matches(folder)).toEqual(matches(place(name)));
  });

  it.each([
    { moment: "at a checkpoint", is: (event: RunEvent) => isCheckpoint(event, learned[0]!) },
    {
      moment: "within the version after it",
      is: (event: RunEvent) =>
        event.type === "progress" && event.stage === "learn" && event.done > 0 && event.done < learned[0]!,
    },
  ])("is finished after a request to stop $moment", async ({ moment, is }) => {
    const folder = place(`${name}-stopped ${moment}`);
    const stopped = await startRun(file(), folder, [], {
      hostOf: keptWaiting(Latch.makeUnsafe(false)),
      onEvent: (event, stop) => {
        if (is(event)) stop.request();
      },
    });
    expect(existsSync(roundsUnderWayPath(folder, "value"))).toBe(true);
    expect(stopped).toEqual({ outcome: "interrupted" });
    expect(readMetrics(metricsPath(folder)).some(({ type }) => type === "match")).toBe(false);
    expect(await resumeRun(folder)).toEqual({ outcome: "finished" });
    expect(resultsOf(folder)).toEqual(results);
    expect(matches(folder)).toEqual(matches(place(name)));
  });
});
