import * as Effect from "effect/Effect";
import { describe, expect, it } from "vitest";
import {
  equalSimulations,
  type SimulationsByAgent,
  simulationsFor,
} from "../../../../src/operators/measuring/match/equal-simulations.ts";

const range = { minimum: 1, maximum: 1_000_000 };

/** Finds numbers for agents whose decisions take these milliseconds, by their simulations and the number of the measurement. */
function found(
  costs: Readonly<Record<string, (simulations: number, measurement: number) => number>>,
  scaled: Readonly<Record<string, number>>,
) {
  const asked: SimulationsByAgent[] = [];
  const ranges = Object.entries(scaled).map(
    ([agent, simulations]) => [agent, { ...range, simulations }] as const,
  );
  const agents = Effect.runSync(
    equalSimulations({ reference: "reference", scaled: new Map(ranges) }, (simulations, measurement) => {
      asked.push(simulations);
      return Effect.succeed(
        new Map(
          Object.entries(costs).map(([agent, cost]) => [
            agent,
            { decisions: 100, milliseconds: cost(simulations[agent] ?? NaN, measurement) },
          ]),
        ),
      );
    }),
  );
  return { asked, agents, numbers: Object.fromEntries(agents.map((each) => [each.agent, each.simulations])) };
}

describe("equal simulations", () => {
  it("are proportional to the time, and kept once they are measured to be equal", () => {
    const { agents, asked } = found({ reference: () => 12, uct: (n) => 0.02 * n }, { uct: 100 });
    expect(asked).toEqual([{ uct: 100 }, { uct: 600 }]);
    expect(agents).toEqual([
      {
        agent: "reference",
        measured: [
          { decisions: 100, milliseconds: 12 },
          { decisions: 100, milliseconds: 12 },
        ],
      },
      {
        agent: "uct",
        simulations: 600,
        measured: [
          { simulations: 100, decisions: 100, milliseconds: 2 },
          { simulations: 600, decisions: 100, milliseconds: 12 },
        ],
      },
    ]);
  });

  it("are found with a constant part of a decision, for several agents, up and down", () => {
    const { asked, numbers } = found(
      { reference: () => 20, quick: (n) => 2 + 0.01 * n, slow: (n) => 1 + 0.5 * n, random: () => 0.001 },
      { quick: 10, slow: 800 },
    );
    expect(numbers).toEqual({ reference: undefined, quick: 1800, slow: 38, random: undefined });
    expect(asked.length).toBeLessThanOrEqual(4);
  });

  it("do not follow the first measurement alone, in which threads are slow", () => {
    const cold = (measurement: number) => (measurement === 0 ? 3 : 1);
    const { asked, numbers } = found(
      { reference: (_, i) => 10 * cold(i), uct: (n, i) => 0.1 * n * cold(i) ** 2 },
      { uct: 100 },
    );
    expect(asked[1]).toEqual({ uct: 33 });
    expect(numbers["uct"]).toBe(100);
  });

  it("are one where even one takes longer, and the most that a search may have", () => {
    expect(found({ reference: () => 0.001, uct: (n) => n }, { uct: 50 }).numbers["uct"]).toBe(1);
    expect(found({ reference: () => 1e9, uct: (n) => n }, { uct: 50 }).numbers["uct"]).toBe(range.maximum);
  });

  it("end after some measurements, whatever is measured", () => {
    const { asked } = found({ reference: () => 10, uct: (_, i) => (i % 2 === 0 ? 1 : 100) }, { uct: 50 });
    expect(asked).toHaveLength(4);
  });

  it("take times for proportional where only nearly equal numbers or the first measurement could tell otherwise", () => {
    const of = (simulations: number, milliseconds: number) => ({ simulations, decisions: 1, milliseconds });
    expect(simulationsFor(44, [of(10, 10), of(100, 10), of(110, 22)], range)).toBe(220);
    expect(simulationsFor(44, [of(1, 10), of(100, 10), of(200, 12)], range)).toBe(1800);
  });
});
