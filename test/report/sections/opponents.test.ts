import { describe, expect, it } from "vitest";
import type { RunEvent } from "../../../src/events/event.ts";
import { ContestTally } from "../../../src/operators/measuring/match/contest.ts";
import { learningCurveSection } from "../../../src/report/sections/learning-curve.ts";
import { opponentsSection } from "../../../src/report/sections/opponents.ts";
import type { RunData } from "../../../src/report/run-data.ts";
import { ShareTally } from "../../../src/stats/share-tally.ts";
import { timed } from "../example-run.ts";

const experiment = `
game: { rules: blokus }
nets: {}
agents:
  zero: { use: puct-max-n, net: zero, simulations: 100 }
  once: { use: mcts-max-n, simulations: 100, milliseconds: 0 }
  twice: { use: mcts-max-n, simulations: 200, milliseconds: 0 }
  timed: { use: mcts-max-n, simulations: 800, milliseconds: 50 }
graph: {}
`;

/** A match of one zero against three of each opponent, of which it wins so many of ten. */
function match(stage: string, learned: number, wins: Readonly<Record<string, number>>): RunEvent {
  const names = ["zero", ...Object.keys(wins)];
  const tally = new ContestTally(names, 4);
  for (const [opponent, won] of Object.entries(wins))
    for (let game = 0; game < 10; game++)
      tally.add(
        {
          seats: ["zero", opponent, opponent, opponent],
          returns: game < won ? [1, 0, 0, 0] : [0, 1, 0, 0],
          actions: Int32Array.of(game),
        },
        game,
      );
  return {
    type: "match",
    stage,
    learned,
    unit: "steps",
    agents: names.map((agent) => ({
      agent,
      games: 10,
      mean: 0,
      interval: [-1, 1],
      returns: Array.from({ length: 10 }, () => 0),
      facts: {},
    })),
    contest: { ...tally.contest, failures: [] },
  };
}

const run = (events: readonly RunEvent[], text: string | undefined = experiment): RunData => ({
  name: "run",
  folder: ".",
  manifest: {},
  ...(text === undefined ? {} : { experiment: text }),
  events: events.map((event, i) => timed(i, event)),
});

function wonOfTen(won: number): readonly [number, number] {
  const tally = new ShareTally();
  for (let game = 0; game < 10; game++) tally.add(game, Number(game < won));
  return tally.estimate.interval;
}

const textOf = (content: unknown) => String(content).replaceAll(/<[^>]*>/g, "");

describe("the section on opponents by what they think with", () => {
  it("gathers the last matches of one against the rest, from one stage or several", () => {
    const { body, tables } = opponentsSection(
      run([
        match("ladder", 10, { once: 9, twice: 8 }),
        match("ladder", 20, { once: 6 }),
        match("more", 20, { twice: 3 }),
      ]),
    )!;
    expect(tables[0]!.rows).toEqual([
      ["ladder", 20, "zero", 100, "once", 100, "simulations", 10, 0.6, ...wonOfTen(6), 0.25],
      ["more", 20, "zero", 100, "twice", 200, "simulations", 10, 0.3, ...wonOfTen(3), 0.25],
    ]);
    const text = textOf(body);
    expect(text).toContain("200 (×2)");
    expect(text).toContain("zero at 100 (×1): 60.0%");
    expect(text).toContain("equal players");
  });

  it("is left out if all opponents have equal budgets, budgets in different units, or none known", () => {
    expect(opponentsSection(run([match("ladder", 10, { once: 5 })]))).toBeUndefined();
    expect(opponentsSection(run([match("ladder", 10, { once: 5, timed: 5 })]))).toBeUndefined();
    const both = [match("ladder", 10, { once: 5, twice: 5 })];
    expect(opponentsSection(run(both))).toBeDefined();
    expect(
      opponentsSection({ name: "run", folder: ".", manifest: {}, events: run(both).events }),
    ).toBeUndefined();
    expect(opponentsSection(run(both, "agents: [unclosed"))).toBeUndefined();
    expect(opponentsSection(run(both, "name: nothing else"))).toBeUndefined();
  });
});

describe("the learning curve of one against the rest", () => {
  const training = (step: number, rate: number): RunEvent => ({
    type: "training",
    stage: "weights",
    step,
    loss: 1,
    parts: {},
    rate,
  });
  const matches = [
    match("curve", 0, { once: 2 }),
    match("curve", 10, { once: 4 }),
    match("curve", 20, { once: 7 }),
  ];
  const of = (rates: readonly RunEvent[]) => textOf(learningCurveSection(run([...matches, ...rates]))!.body);

  it("shows the one alone, with the level of equal players", () => {
    const text = of([]);
    expect(text).toContain("Share of games won of zero, against once in all the other seats,");
    expect(text).toContain("zero at 20: 70.0%");
    expect(text).not.toContain("once at 20");
    expect(text).toContain("equal players");
  });

  it("marks the steps of the learning rate if it has a few, and none if it falls all the time", () => {
    const steps = of([training(4, 0.01), training(12, 0.01), training(16, 0.001), training(20, 0.001)]);
    expect(steps).toContain("learning rate 0.001");
    expect(steps.match(/Vertical lines mark steps/g)).toHaveLength(1);
    const falling = of(Array.from({ length: 20 }, (_, i) => training(i + 1, 1 / (i + 1))));
    expect(falling).not.toContain("learning rate");
  });
});
