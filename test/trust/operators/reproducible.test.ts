import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decodeGameRecord } from "../../../src/formats/game-records.ts";
import { replayGame } from "../../../src/graph/replay-game.ts";
import { participantNamed } from "../../../src/operators/experiment/participant.ts";
import { gameExamplesIn } from "../../../src/operators/play/examples/game-examples.ts";
import { RunFiles } from "../../../src/operators/run/run-files.ts";
import type { RunEvent } from "../../../src/events/event.ts";
import { readMetrics } from "../../../src/events/metrics-file.ts";
import { metricsPath } from "../../../src/graph/folder/run-folder.ts";
import {
  crossedExperiment,
  endedExperiment,
  linearExperiment,
  overlappedExperiment,
  paperExperiment,
  poolExperiment,
  resultsOf,
  resumeRun,
  startRun,
  tablesExperiment,
  trainingExperiment,
  valuesExperiment,
  writeExperiment,
  zeroExperiment,
} from "../../graph/tiny-run.ts";
import { reproducibleTables } from "../../report/reproducible-tables.ts";

const scratch = mkdtempSync(join(tmpdir(), "ludoflow-test-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const place = (name: string) => join(scratch, name);

/**
 * Copies a run's folder as it is at the moments given: what a kill at that moment would leave, since whatever the
 * process has handed to the operating system by then is in its files.
 */
function photographed(folder: string, moments: Readonly<Record<string, (event: RunEvent) => boolean>>) {
  const left = new Map(Object.entries(moments));
  return (event: RunEvent) => {
    for (const [name, is] of left)
      if (is(event)) {
        left.delete(name);
        cpSync(folder, place(name), { recursive: true });
      }
  };
}

const progress = (stage: string, done: number) => (event: RunEvent) =>
  event.type === "progress" && event.stage === stage && event.done === done;

/** The n-th time that a stage tells of its progress. */
const nthProgress = (stage: string, n: number) => {
  let seen = 0;
  return (event: RunEvent) => event.type === "progress" && event.stage === stage && ++seen === n;
};

describe.each([
  {
    name: "tiny-training",
    experiment: trainingExperiment,
    moments: {
      "between two generations": progress("games", 20),
      "in games after the weights last saved": progress("games", 37),
      "in training after the weights last saved": progress("weights", 44),
    },
  },
  {
    name: "tiny-zero",
    experiment: zeroExperiment,
    moments: {
      "while the buffer is being filled": progress("games", 11),
      "when the buffer has just been filled": progress("weights", 10),
      "in games of a full buffer": progress("games", 35),
      "in training on a buffer partly on disk": progress("weights", 20),
    },
  },
  {
    name: "tiny-paper",
    experiment: paperExperiment,
    moments: {
      "in training after the rate has fallen": progress("weights", 32),
    },
  },
  {
    name: "tiny-crossed",
    experiment: crossedExperiment,
    moments: {
      "in games of one net": progress("games-one", 10),
      "in games of the other net": progress("games-two", 15),
      "after training": progress("learn-two", 18),
    },
  },
  {
    name: "tiny-overlapped",
    experiment: overlappedExperiment,
    moments: {
      "while games fill the first buffer": progress("games", 11),
      "in games of the next generation": progress("games", 29),
      "in training": progress("weights", 48),
      "in a match": nthProgress("curve", 6),
      "in the match after all learning": nthProgress("match", 3),
    },
  },
  {
    name: "tiny-pool",
    experiment: poolExperiment,
    moments: {
      "in games against earlier selves": progress("games", 44),
    },
  },
  {
    name: "tiny-values",
    experiment: valuesExperiment,
    moments: {
      "in games with forks of the generation before": progress("games", 21),
      "between two generations": progress("games", 24),
      "in training with weights": progress("weights", 32),
    },
  },
  {
    name: "tiny-values-overlapped",
    experiment: valuesExperiment.replace("seed: 23", "schedule: overlapped\nseed: 24"),
    moments: {
      "in games with forks of an earlier generation": progress("games", 29),
    },
  },
  {
    name: "tiny-ended",
    experiment: endedExperiment,
    moments: {
      "in the round that ends learning": nthProgress("versions", 4),
      "in the generation that an arena made the last": progress("games", 38),
      "in the last training": progress("weights", 32),
    },
  },
  {
    name: "tiny-ended-overlapped",
    experiment: endedExperiment.replace("seed: 41", "schedule: overlapped\nseed: 42"),
    moments: {
      "in the last generation, played while its net learns": progress("games", 45),
    },
  },
  {
    name: "tiny-tables",
    experiment: tablesExperiment,
    moments: {
      "in the middle of learning": progress("learn", 250),
      "in a match on tables": nthProgress("curve", 15),
    },
  },
  {
    name: "tiny-linear",
    experiment: linearExperiment,
    moments: {
      "in the openings": progress("book", 7),
      "in the middle of learning from openings": progress("learn", 120),
      "in a match after two learners": nthProgress("match", 11),
    },
  },
])("a run of $name", ({ name, experiment, moments }) => {
  const unbroken = place(name);
  let results: Record<string, string> = {};
  let tables: Record<string, string[][]> = {};

  beforeAll(async () => {
    const file = writeExperiment(scratch, experiment, `${name}.yaml`);
    const outcome = await startRun(file, unbroken, [], { onEvent: photographed(unbroken, moments) });
    expect(outcome).toEqual({ outcome: "finished" });
    results = resultsOf(unbroken);
    expect(Object.keys(results).length).toBeGreaterThan(4);
    tables = reproducibleTables(unbroken);
    expect(Object.values(tables).filter((rows) => rows.length > 1).length).toBeGreaterThan(3);
  });

  it.each([2, 3])(
    "gives the same games and checkpoints, byte for byte, and the same tables with %i worker threads",
    async (workers) => {
      const folder = place(`${name}-${workers}`);
      expect(await startRun(place(`${name}.yaml`), folder, [`workers=${workers}`])).toEqual({
        outcome: "finished",
      });
      expect(resultsOf(folder)).toEqual(results);
      expect(reproducibleTables(folder)).toEqual(tables);
    },
  );

  it.each(Object.keys(moments))(
    "ends in the same bytes and tables when killed %s and resumed",
    async (moment) => {
      expect(resultsOf(place(moment))).not.toEqual(results);
      expect(await resumeRun(place(moment))).toEqual({ outcome: "finished" });
      expect(resultsOf(place(moment))).toEqual(results);
      expect(reproducibleTables(place(moment))).toEqual(tables);
    },
  );
});

describe("an interrupted run of tiny-tables", () => {
  it("ends in the same bytes when it is resumed with another number of threads", async () => {
    const folder = place("tiny-tables-interrupted");
    const outcome = await startRun(place("tiny-tables.yaml"), folder, [], {
      onEvent: (event, stop) => {
        if (progress("learn", 150)(event)) stop.request();
      },
    });
    expect(outcome).toEqual({ outcome: "interrupted" });
    const saved = readMetrics(metricsPath(folder)).filter(({ type }) => type === "checkpoint");
    expect(saved.at(-1)).toMatchObject({ path: expect.stringMatching(/-partial$/) as string });
    expect(await resumeRun(folder, { workers: 2 })).toEqual({ outcome: "finished" });
    expect(resultsOf(folder)).toEqual(resultsOf(place("tiny-tables")));
  });
});

describe("a run of tiny-pool", () => {
  it("names earlier selves in its records, learns from the decisions of the newest alone, and replays", async () => {
    const folder = place("tiny-pool");
    const files = new RunFiles(folder);
    const games = files.recordedGames("games").map((bytes) => decodeGameRecord(bytes, "games"));
    const kept = files.exampleGenerations("games");
    const examples = kept
      .flatMap((generation) => [...files.readExamples("games", generation)])
      .map(({ samples }) => gameExamplesIn(samples));
    const against = games.filter(({ seats }) => seats.some((name) => name !== "learner"));
    expect(against.length).toBeGreaterThan(10);
    const versions = new Set<number>();
    for (const { generation, seats } of against) {
      const [own, ...earlier] = seats.toSorted();
      expect(own).toBe("learner");
      for (const name of earlier) {
        const { version } = participantNamed(name);
        versions.add(version!);
        expect(version! % 2).toBe(0);
        expect(version).toBeLessThan(generation);
        expect(version).toBeGreaterThanOrEqual(generation - 4);
      }
    }
    expect([...versions].toSorted((a, b) => a - b)).toEqual([0, 2, 4]);
    for (const [i, { actions, seats }] of games.slice(8 * kept[0]!).entries()) {
      const own = seats.indexOf("learner");
      const all = seats.every((name) => name === "learner");
      // In tic-tac-toe the seats take turns.
      const decisions = [...actions].filter((_, ply) => all || ply % 2 === own).length;
      expect(examples[i]).toBe(decisions);
    }
    // Version 6 has a checkpoint, and version 4 is still in the pool.
    const last = against.findLast(
      ({ generation, seats }) => generation === 6 && seats.includes("learner@4"),
    )!;
    const { difference } = await replayGame(folder, "games", last.game);
    expect(difference).toBeUndefined();
  });
});

describe("an interrupted run of tiny-overlapped", () => {
  it("plays on with the last whole version, and ends in the same bytes", async () => {
    const folder = place("tiny-overlapped-interrupted");
    const outcome = await startRun(place("tiny-overlapped.yaml"), folder, ["workers=2"], {
      onEvent: (event, stop) => {
        if (progress("weights", 28)(event)) stop.request();
      },
    });
    expect(outcome).toEqual({ outcome: "interrupted" });
    const saved = readMetrics(metricsPath(folder)).filter(({ type }) => type === "checkpoint");
    expect(saved.at(-1)).toMatchObject({ path: expect.stringMatching(/-partial$/) as string });
    expect(await resumeRun(folder)).toEqual({ outcome: "finished" });
    expect(resultsOf(folder)).toEqual(resultsOf(place("tiny-overlapped")));
  });
});
