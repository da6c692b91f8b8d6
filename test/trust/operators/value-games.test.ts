import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { MeasuredErrors, RunEvent } from "../../../src/events/event.ts";
import { readMetrics } from "../../../src/events/metrics-file.ts";
import { decodeGameRecord } from "../../../src/formats/game-records.ts";
import { metricsPath } from "../../../src/graph/folder/run-folder.ts";
import { replayGame } from "../../../src/graph/replay-game.ts";
import { valuesOfGame } from "../../../src/operators/play/examples/game-examples.ts";
import { gamesPath, readLog, RunFiles } from "../../../src/operators/run/run-files.ts";
import { resultsOf, resumeRun, startRun, writeExperiment } from "../../graph/tiny-run.ts";

/** One position a game and all positions of as many games, with a net for each, and the errors of both. */
const experiment = `
name: tiny-values
seed: 24
workers: 1
compute: { threads: 1 }
game: { rules: tic-tac-toe }
nets:
  policy: { use: mlp, hidden: [8], policy: true }
  one: { use: mlp, hidden: [64], values: win-share }
  all: { use: mlp, hidden: [64], values: win-share }
agents:
  sampler: { use: policy, net: policy }
  uniform: { use: random }
graph:
  learn: { use: reinforcement, net: policy, agent: sampler, games: 16, steps: 4, rate: 0.1, inFlight: 8 }
  saved-policy: { use: checkpoint, from: learn }
  games: { use: value-games, first: uniform, then: sampler, games: 60, longest: 9, heldOut: 0.25, values: win-share, inFlight: 8 }
  replay: { use: replay-buffer, from: games, games: 60 }
  value: { use: trainer, from: replay, net: one, batch: 16, steps: 60, rate: 0.01, symmetries: true }
  saved: { use: checkpoint, from: value }
  games-all: { use: value-games, first: uniform, then: sampler, games: 60, generation: 30, longest: 3, positions: all, heldOut: 0.25, values: win-share, inFlight: 8 }
  replay-all: { use: replay-buffer, from: games-all, games: 60 }
  value-all: { use: trainer, from: replay-all, net: all, batch: 16, steps: 200, rate: 0.01 }
  saved-all: { use: checkpoint, from: value-all }
  error: { use: value-error, games: games, nets: [one, all], values: win-share, rollouts: [{ agent: uniform, count: 6 }, { agent: sampler, count: 3 }], width: 3, inFlight: 8 }
  error-all: { use: value-error, games: games-all, nets: [all], values: win-share, width: 3 }
`;

const scratch = mkdtempSync(join(tmpdir(), "ludoflow-test-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const place = (name: string) => join(scratch, name);

const progress = (stage: string, done: number, latest?: string) => (event: RunEvent) =>
  event.type === "progress" &&
  event.stage === stage &&
  event.done >= done &&
  (latest ?? event.latest) === event.latest;

/** The bytes of what a run keeps, its measurements included. */
const keptBy = (folder: string) => {
  const errors = join(folder, "measurements", "error.log");
  return {
    ...resultsOf(folder),
    measurements: existsSync(errors) ? readFileSync(errors).toString("hex") : "",
  };
};

const errorsOf = (folder: string, stage: string): readonly MeasuredErrors[] =>
  readMetrics(metricsPath(folder)).flatMap((event) =>
    event.type === "value-errors" && event.stage === stage ? event.measures : [],
  );

describe("a run of tiny-values", () => {
  let kept: ReturnType<typeof keptBy>;
  const moments = {
    "in games of one position": progress("games", 23),
    "in games of all positions": progress("games-all", 40),
    "in rollouts": progress("error", 21, "sampler"),
  };

  beforeAll(async () => {
    const left = new Map(Object.entries(moments));
    const outcome = await startRun(writeExperiment(scratch, experiment, "file.yaml"), place("unbroken"), [], {
      onEvent: (event) => {
        for (const [name, is] of left)
          if (is(event)) {
            left.delete(name);
            cpSync(place("unbroken"), place(name), { recursive: true });
          }
      },
    });
    expect(outcome).toEqual({ outcome: "finished" });
    kept = keptBy(place("unbroken"));
  });

  it("gives the same bytes and errors with two worker threads", async () => {
    expect(await startRun(place("file.yaml"), place("two"), ["workers=2"])).toEqual({ outcome: "finished" });
    expect(keptBy(place("two"))).toEqual(kept);
    expect(errorsOf(place("two"), "error")).toEqual(errorsOf(place("unbroken"), "error"));
  });

  it.each(Object.keys(moments))(
    "ends in the same bytes and errors when killed %s and resumed",
    async (moment) => {
      expect(keptBy(place(moment))).not.toEqual(kept);
      expect(await resumeRun(place(moment))).toEqual({ outcome: "finished" });
      expect(keptBy(place(moment))).toEqual(kept);
      expect(errorsOf(place(moment), "error")).toEqual(errorsOf(place("unbroken"), "error"));
    },
  );

  it.each(["games", "games-all"])(
    "keeps the examples of %s after the random move, with their results",
    (stage) => {
      const games = readLog(gamesPath(place("unbroken"), stage)).map((bytes) =>
        decodeGameRecord(bytes, stage),
      );
      expect(games).toHaveLength(60);
      const files = new RunFiles(place("unbroken"));
      const examples = files
        .exampleGenerations(stage)
        .flatMap((number) => [...files.readExamples(stage, number)]);
      let again = 0;
      for (const [i, { samples }] of examples.entries()) {
        const { actions, facts, returns } = games[i]!;
        const given = valuesOfGame(samples, 2);
        const { randomPly, attempt } = facts as { randomPly: number; attempt: number };
        again += attempt;
        expect(given.actions).toEqual(actions);
        const plies = stage === "games" ? [randomPly] : [...actions.keys()].slice(randomPly);
        expect(given.examples.map(({ ply }) => ply)).toEqual(plies);
        const share = returns.map((score) => (score > 0.5 ? 1 : score));
        for (const { values } of given.examples) expect(values).toEqual(share);
      }
      if (stage === "games") expect(again).toBeGreaterThan(10);
    },
  );

  it("replays its games from their random move on", async () => {
    for (const game of [0, 31])
      expect((await replayGame(place("unbroken"), "games", game)).difference).toBeUndefined();
  });

  it("measures nets on both parts and rollouts on the games held out", () => {
    const measures = errorsOf(place("unbroken"), "error");
    expect(measures.map(({ of, part, positions, rollouts }) => [of, part, positions, rollouts])).toEqual([
      ["one", "training", 45, undefined],
      ["one", "test", 15, undefined],
      ["all", "training", 45, undefined],
      ["all", "test", 15, undefined],
      ["uniform", "test", 15, 6],
      ["sampler", "test", 15, 3],
    ]);
  });

  it("shows that a net learns games by heart whose positions it has all seen", () => {
    const [training, test] = errorsOf(place("unbroken"), "error-all");
    expect(training!.error.value).toBeLessThan(test!.error.value);
  });
});
