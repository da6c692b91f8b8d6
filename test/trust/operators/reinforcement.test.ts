import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RecordedEvent, RunEvent } from "../../../src/events/event.ts";
import { readMetrics, readState } from "../../../src/events/metrics-file.ts";
import { factsOf } from "../../../src/events/run-state.ts";
import { decodeGameRecord } from "../../../src/formats/game-records.ts";
import { metricsPath } from "../../../src/graph/folder/run-folder.ts";
import { replayGame } from "../../../src/graph/replay-game.ts";
import { listCheckpoints, readCheckpoint } from "../../../src/operators/run/weights/checkpoint-files.ts";
import { playingPart } from "../../../src/operators/run/weights/named-tensors.ts";
import { checkpointsPath, gamesPath, readLog } from "../../../src/operators/run/run-files.ts";
import { resultsOf, resumeRun, startRun, writeExperiment } from "../../graph/tiny-run.ts";

/** A policy learned by AlphaZero's loss for a moment, then reinforced against a pool of five versions. */
const experiment = `
name: tiny-reinforced
seed: 23
workers: 1
compute: { threads: 1 }
game: { rules: tic-tac-toe }
nets:
  before: { use: mlp, hidden: [16], policy: true, values: win-loss }
  after: { use: mlp, hidden: [16], policy: true, values: win-loss }
agents:
  learner: { use: gumbel, net: before, simulations: 4 }
  sampler: { use: policy, net: after }
  supervised: { use: policy, net: before }
graph:
  games: { use: self-play, agent: learner, games: 20, generation: 20, inFlight: 10, examples: { use: alphazero } }
  replay: { use: replay-buffer, from: games, games: 20 }
  supervised: { use: trainer, from: replay, net: before, batch: 16, steps: 10, rate: 0.01, loss: { use: alphazero } }
  saved-before: { use: checkpoint, from: supervised, keep: 0 }
  reinforced:
    use: reinforcement
    from: saved-before
    net: after
    agent: sampler
    games: 40
    steps: 40
    every: 8
    rate: 0.02
    optimiser: { use: adam }
    baseline: { use: leave-one-out }
    symmetries: true
    batch: 64
    inFlight: 16
  saved: { use: checkpoint, from: reinforced, every: 10, keep: 0 }
  match: { use: arena, agents: [sampler, supervised], games: 200, inFlight: 16 }
`;

const scratch = mkdtempSync(join(tmpdir(), "ludoflow-test-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const place = (name: string) => join(scratch, name);
const at = (step: number) => (event: RunEvent) => event.type === "pool-games" && event.step === step;

describe("a run of tiny-reinforced", () => {
  let results: Record<string, string> = {};
  const killed = [5, 27];

  beforeAll(async () => {
    const left = new Map(killed.map((step) => [`killed-${step}`, at(step)]));
    const outcome = await startRun(writeExperiment(scratch, experiment, "file.yaml"), place("unbroken"), [], {
      onEvent: (event) => {
        for (const [name, is] of left)
          if (is(event)) cpSync(place("unbroken"), place(name), { recursive: true });
      },
    });
    expect(outcome).toEqual({ outcome: "finished" });
    results = resultsOf(place("unbroken"));
  });

  it("gives the same bytes with two worker threads", async () => {
    expect(await startRun(place("file.yaml"), place("two"), ["workers=2"])).toEqual({ outcome: "finished" });
    expect(resultsOf(place("two"))).toEqual(results);
  });

  it.each(killed)(
    "ends in the same bytes, and tells the same facts, when killed at step %i",
    async (step) => {
      const folder = place(`killed-${step}`);
      expect(resultsOf(folder)).not.toEqual(results);
      expect(await resumeRun(folder)).toEqual({ outcome: "finished" });
      expect(resultsOf(folder)).toEqual(results);
      const steps = (of: string) =>
        factsOf(readState(metricsPath(of)))
          .filter(({ type }) => type === "pool-games")
          .map((event) => ({ ...event, time: "", elapsed: 0, seq: 0 }));
      expect(steps(folder)).toEqual(steps(place("unbroken")));
    },
  );

  it("ends in the same bytes when it is interrupted and resumed", async () => {
    const folder = place("interrupted");
    const outcome = await startRun(place("file.yaml"), folder, ["workers=2"], {
      onEvent: (event, stop) => {
        if (at(19)(event)) stop.request();
      },
    });
    expect(outcome).toEqual({ outcome: "interrupted" });
    expect(await resumeRun(folder)).toEqual({ outcome: "finished" });
    expect(resultsOf(folder)).toEqual(results);
  });

  it("starts from the weights of the stage before, and plays against members of its pool", () => {
    const [first] = listCheckpoints(checkpointsPath(place("unbroken"), "after"));
    const last = listCheckpoints(checkpointsPath(place("unbroken"), "before")).at(-1)!;
    const weights = (path: string) => [...playingPart(readCheckpoint(path).tensors)];
    expect(weights(first!.path)).toEqual(weights(last.path));
    const opponents = readMetrics(metricsPath(place("unbroken"))).flatMap((event) =>
      event.type === "pool-games" ? [event.opponent] : [],
    );
    expect(opponents).toHaveLength(40);
    for (const [version, opponent] of opponents.entries()) {
      expect(opponent % 8).toBe(0);
      expect(opponent).toBeLessThanOrEqual(version);
    }
    expect(new Set(opponents).size).toBeGreaterThan(3);
  });

  it("records the games of the versions that join the pool, and replays them", async () => {
    const games = readLog(gamesPath(place("unbroken"), "reinforced")).map((bytes) =>
      decodeGameRecord(bytes, "reinforced"),
    );
    expect(games).toHaveLength(5 * 40);
    for (const index of [0, 40 * 16 + 5, 40 * 32 + 39]) {
      expect(games.some(({ game }) => game === index)).toBe(true);
      expect((await replayGame(place("unbroken"), "reinforced", index)).difference).toBeUndefined();
    }
  });

  it("takes the values of a net of another run as its baseline", async () => {
    const judge = listCheckpoints(checkpointsPath(place("unbroken"), "before")).at(-1)!.path;
    const set = [
      `nets.judge={ use: mlp, hidden: [16], policy: true, values: win-loss, weights: ${judge} }`,
      "graph.reinforced.baseline={ use: value-net, net: judge }",
      "graph.reinforced.steps=2",
      "graph.match.games=2",
    ];
    expect(await startRun(place("file.yaml"), place("judged"), set)).toEqual({ outcome: "finished" });
    const steps = (name: string, type: "pool-games" | "training") =>
      readMetrics(metricsPath(place(name))).filter(
        (event) => event.type === type && event.stage === "reinforced" && event.step < 2,
      );
    const plain = (event: RecordedEvent) => ({ ...event, time: "", elapsed: 0, seq: 0 });
    // The games of the first step are those of the other run; what is learned from them is not.
    expect(steps("judged", "pool-games").map(plain)).toEqual(steps("unbroken", "pool-games").map(plain));
    expect(steps("judged", "training").map(plain)).not.toEqual(steps("unbroken", "training").map(plain));
  });

  it("beats the policy that it started from", () => {
    const match = readMetrics(metricsPath(place("unbroken"))).find(({ type }) => type === "match");
    const standing =
      match?.type === "match" ? match.contest!.standings.find(({ agent }) => agent === "sampler") : undefined;
    expect(standing!.wins.interval[0]).toBeGreaterThan(0.6);
  });
});
