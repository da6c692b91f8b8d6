import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { RecordedEvent, RunEvent } from "../../src/events/event.ts";
import { ContestTally } from "../../src/operators/measuring/match/contest.ts";
import { Random } from "../../src/random.ts";
import { buildReport } from "../../src/report/report.ts";
import { scratchFolder } from "../formats/scratch-folder.ts";
import { timed } from "./example-run.ts";

const experiment = `name: two
game: { rules: tic-tac-toe }
nets: {}
agents: { one: { use: uct, simulations: 10 }, two: { use: uct, simulations: 20 } }
graph:
  games: {}
  weights: {}
  strong: { after: weights }
  weak: { after: weights }
  more-games: {}
  more-weights: {}
`;

function match(stage: string, learned: number): RunEvent {
  const tally = new ContestTally(["one", "two"], 2);
  const random = Random.named(stage, learned);
  const firsts = Array.from({ length: 12 }, () => (random.float() < 0.5 ? 1 : 0));
  for (const [i, first] of firsts.entries())
    tally.add({ seats: ["one", "two"], returns: [first, 1 - first], actions: Int32Array.of(i) }, i);
  const agents = ["one", "two"].map((agent, seat) => {
    const returns = firsts.map((first) => (seat === 0 ? first : 1 - first));
    return { agent, games: 12, mean: 0.5, interval: [0, 1] as const, returns, facts: {} };
  });
  const contest = { ...tally.contest, failures: [] };
  return { type: "match", stage, learned, unit: "steps", agents, contest };
}

/** The events of a learner and its stages, by stage. */
function facts(source: string, learner: string, arenas: readonly string[]): RunEvent[][] {
  const learned = [10, 20];
  return [
    learned.map((done) => ({
      type: "games",
      stage: source,
      done,
      count: 10,
      mean: 1,
      min: 0,
      max: 2,
      plies: 9,
      entropy: 1 / done,
    })),
    learned.map((step) => ({
      type: "training",
      stage: learner,
      step,
      loss: 1 / step,
      parts: {},
      rate: 0.1,
    })),
    learned.map((step) => ({
      type: "weights",
      stage: learner,
      learned: step,
      unit: "games",
      names: ["a", "b"],
      values: [step, learner.length],
    })),
    learned.map((step) => ({ type: "checkpoint", stage: learner, learned: step, unit: "steps", path: "p" })),
    ...arenas.map((stage) => learned.map((step) => match(stage, step))),
  ];
}

/** The page and the tables of a run whose stages emitted their facts at these times; columns of time are left out. */
function tablesOf(events: readonly RecordedEvent[]): unknown[] {
  const folder = scratchFolder();
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "experiment.yaml"), experiment);
  writeFileSync(join(folder, "metrics.jsonl"), events.map((event) => `${JSON.stringify(event)}\n`).join(""));
  const { html, tables } = buildReport(folder);
  return [
    html.match(/<p class="result">.*?<\/p>/)![0],
    html.match(/<nav.*?<\/nav>/s)![0],
    ...tables.map(({ columns, name, rows }) => {
      const kept = columns.flatMap((column, i) => (/second/.test(column.name) ? [] : [i]));
      return [name, rows.map((row) => kept.map((i) => row[i]))];
    }),
  ];
}

it("follows learning and the experiment's file, whichever stage was done first", () => {
  const stages = [
    ...facts("games", "weights", ["strong", "weak"]),
    ...facts("more-games", "more-weights", []),
  ];
  const first = stages.flat().map((event, i) => timed(i + 1, event));
  const last = stages
    .toReversed()
    .flat()
    .map((event, i) => timed(2 * i + 1, event));
  const alternating = [0, 1]
    .flatMap((i) => stages.map((events) => events[i]!))
    .map((event) => timed(1, event));
  const tables = tablesOf(first);
  expect(tables[0]).toContain("20 steps");
  expect(tables.length).toBeGreaterThan(8);
  expect(tablesOf(last)).toEqual(tables);
  expect(tablesOf(alternating)).toEqual(tables);
});

it("leaves out the checkpoint of an interruption that learning has passed", () => {
  const checkpoint = (learned: number, path: string) =>
    timed(learned, { type: "checkpoint", stage: "saved", learned, unit: "steps", path });
  const paths = (events: readonly RecordedEvent[]) =>
    JSON.stringify(tablesOf(events)).match(/c\/\d+(-partial)?/g)!;
  const [whole, partial, next] = [checkpoint(1, "c/1"), checkpoint(2, "c/2-partial"), checkpoint(3, "c/3")];
  expect(paths([whole, partial])).toEqual(["c/1", "c/2-partial"]);
  expect(paths([whole, partial, next])).toEqual(["c/1", "c/3"]);
});
