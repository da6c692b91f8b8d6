import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { RunEvent } from "../../../src/events/event.ts";
import type { RunOutcome } from "../../../src/graph/run-experiment.ts";
import { WorkerCrashed } from "../../../src/workers/worker-thread.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import {
  resultsOf,
  resumeRun,
  startRun,
  tablesExperiment,
  trainingExperiment,
  writeExperiment,
} from "../../graph/tiny-run.ts";
import { failsOnce } from "../../workers/watched-threads.ts";

const threads = await vi.hoisted(async () => {
  const { WatchedThreads } = await import("../../workers/watched-threads.ts");
  return new WatchedThreads();
});
vi.mock("node:worker_threads", async (original) => threads.watch(await original()));
afterEach(() => threads.reset());

const gamesOnly = `
name: games-only
seed: 3
workers: 2
game: { rules: 2048, rows: 2, columns: 3 }
agents: { mover: { use: random } }
graph:
  games: { use: self-play, agent: mover, games: 40, generation: 40, inFlight: 3, examples: { use: td } }
`;

/** Runs an experiment; the failure, the notes, and the bytes. */
async function run(
  text: string,
  set: readonly string[] = [],
  onEvent: (event: RunEvent) => void = () => undefined,
) {
  const folder = scratchFolder();
  const notes: string[] = [];
  const outcome = await startRun(writeExperiment(folder, text), join(folder, "run"), set, {
    onEvent: (event) => {
      if (event.type === "note") notes.push(event.message);
      onEvent(event);
    },
  });
  return { outcome, notes, results: resultsOf(join(folder, "run")) };
}

const crashOf = ({ outcome }: { readonly outcome: RunOutcome }): string => {
  if (outcome.outcome !== "failed") throw new Error(`the run ${outcome.outcome}`);
  expect(outcome.error).toBeInstanceOf(WorkerCrashed);
  return outcome.error.message;
};

describe("a game worker that fails", () => {
  it("by throwing ends the run with its name and message, and leaves no thread behind", async () => {
    threads.failures = { "games 2": failsOnce("throw", 3) };
    const failed = await run(gamesOnly);
    expect(crashOf(failed)).toBe('worker thread "games 2" ended unexpectedly: the disk is on fire');
    expect(threads.started.map(({ name }) => name)).toEqual(["games 1", "games 2"]);
    expect(threads.running()).toEqual([]);
  });

  it("by being terminated ends the run", async () => {
    // So many games that the thread is gone before they are played, whatever else the machine does.
    const many = ["graph.games.games=20000", "graph.games.generation=20000"];
    const failed = await run(gamesOnly, many, (event) => {
      if (event.type === "progress" && event.done === 4) void threads.started[0]!.worker.terminate();
    });
    expect(crashOf(failed)).toBe('worker thread "games 1" ended unexpectedly: it exited with code 1');
    expect(threads.running()).toEqual([]);
  });

  it("by filling its heap ends the run with what helps, and the run goes on to the same bytes", async () => {
    threads.failures = { "games 2": failsOnce("fill its heap", 3) };
    const folder = join(scratchFolder(), "run");
    const file = writeExperiment(scratchFolder(), gamesOnly);
    expect(crashOf({ outcome: await startRun(file, folder) })).toMatch(
      /^worker thread "games 2" ended unexpectedly: its heap is used up; each thread may take \d+ MiB: give it more, for example by NODE_OPTIONS=--max-old-space-size=\d+$/,
    );
    expect(threads.running()).toEqual([]);
    expect(await resumeRun(folder)).toEqual({ outcome: "finished" });
    expect(resultsOf(folder)).toEqual((await run(gamesOnly)).results);
  });

  it("is replaced where the stage says so, and the run ends in the same bytes", async () => {
    const { results } = await run(gamesOnly);
    threads.reset();
    threads.failures = { games: failsOnce("exit", 5) };
    const retried = await run(gamesOnly, ["graph.games.retries=1"]);
    expect(retried.outcome).toEqual({ outcome: "finished" });
    expect(retried.results).toEqual(results);
    expect(retried.notes).toHaveLength(1);
    expect(retried.notes[0]).toMatch(
      /^worker thread "games [12]" ended unexpectedly: it exited with code 7; [1-3] games are started again$/,
    );
    expect(threads.started).toHaveLength(3);
    expect(threads.running()).toEqual([]);
  });

  it("again and again ends the run when the retries are used up", async () => {
    threads.failures = { games: { ...failsOnce("throw", 1), again: true } };
    const failed = await run(gamesOnly, ["graph.games.retries=2", "workers=1"]);
    expect(crashOf(failed)).toMatch(/the disk is on fire/);
    expect(failed.notes.length).toBe(2);
    expect(threads.started).toHaveLength(3);
  });

  it("while it waits for evaluations is replaced too, with a slot of its own", async () => {
    const short = [
      "graph.games.games=20",
      "graph.games.retries=1",
      "graph.curve.every=0",
      "graph.saved.every=1",
    ];
    const { results } = await run(trainingExperiment, short);
    threads.reset();
    threads.failures = { games: failsOnce("exit", 6) };
    const retried = await run(trainingExperiment, short);
    expect(retried.outcome).toEqual({ outcome: "finished" });
    expect(retried.results).toEqual(results);
    expect(threads.running()).toEqual([]);
  });
});

describe("another thread that fails", () => {
  it.each([
    ["evaluator 1 of value", trainingExperiment, 3],
    ["trainer weights", trainingExperiment, 2],
    ["td-learner learn", tablesExperiment, 4],
  ])("%s: ends the run with its name", async (name, text, atRequest) => {
    threads.failures = { [name]: failsOnce("exit", atRequest) };
    const failed = await run(text, ["graph.saved.every=1"]);
    expect(crashOf(failed)).toBe(`worker thread "${name}" ended unexpectedly: it exited with code 7`);
    expect(threads.running()).toEqual([]);
  });
});
