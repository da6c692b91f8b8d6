import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { checkSweep } from "../../../src/graph/sweep/check-sweep.ts";
import { memberFile, readSweep, sweepText } from "../../../src/graph/sweep/sweep-plan.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";

const BASE = `name: toy
seed: 5
game: { rules: 2048, rows: 2, columns: 2 }
nets: { value: { use: n-tuple, tuples: board } }
agents: { greedy: { use: greedy, net: value } }
graph:
  learn: { use: td-learner, net: value, games: 400, every: 100, lambda: 0.5 }
`;

/** The plan of the base experiment with this sweep; the sweep begins in line 8. */
function plan(sweep: string) {
  const file = join(scratchFolder(), "toy.yaml");
  writeFileSync(file, `${BASE}sweep:\n${sweep}\n`);
  return readSweep(file)!;
}

const check = (sweep: string) => checkSweep(plan(sweep), () => undefined);

it("combines a list, a grid and draws with each other, and all with every seed", () => {
  const { members, seeds } = plan(`
  seeds: 2
  list: [{ graph.learn.games: 100 }, { graph.learn.games: 200, nets.value.board: null }]
  grid: { graph.learn.lambda: [0, 0.5, 1] }
  random: { draws: 2, keys: { graph.learn.rate: { low: 0.01, high: 1, scale: log } } }`);
  expect(seeds).toEqual([5, 6]);
  expect(members).toHaveLength(2 * 3 * 2 * 2);
  expect(new Set(members.map(({ name }) => name)).size).toBe(24);
  expect(members.slice(0, 12).every(({ seed }) => seed === 5)).toBe(true);
  expect(members[0]!.settings).toMatchObject({ "graph.learn.games": 100, "graph.learn.lambda": 0 });
  for (const { settings } of members) {
    expect(settings["graph.learn.rate"]).toBeGreaterThanOrEqual(0.01);
    expect(settings["graph.learn.rate"]).toBeLessThanOrEqual(1);
  }
});

it("draws the same values whenever it is read, whole numbers with both ends of their range", () => {
  const sweep = `
  random: { draws: 60, keys: { graph.learn.games: { low: 1, high: 3, whole: true }, graph.learn.step: { choose: [tc, 0.1] } } }`;
  const drawn = plan(sweep).members.map(({ settings }) => settings);
  expect(plan(sweep).members.map(({ settings }) => settings)).toEqual(drawn);
  // Draws that repeat others count once: three numbers with two choices.
  expect(drawn).toHaveLength(6);
});

it("names a run by its own settings: further values and seeds change no names", () => {
  const few = plan("  grid: { graph.learn.lambda: [0.5] }").members.map(({ name }) => name);
  const more = plan("  seeds: 3\n  grid: { graph.learn.lambda: [0, 0.5] }").members.map(({ name }) => name);
  expect(more).toContain(few[0]);
  expect(few[0]).toMatch(/^lambda-0\.5_[0-9a-f]{6}_seed-5$/);
});

it("says how many runs there are", () => {
  expect(sweepText(plan("  seeds: [7, 9]"))).toBe("2 runs: 1 combination of settings, seeds 7, 9");
});

it("makes experiments that differ in the swept values and the seed", () => {
  const made = plan("  seeds: [7]\n  grid: { graph.learn.lambda: [0, 0.9] }");
  const experiments = made.members.map((member) => memberFile(made, member).experiment);
  expect(experiments.map(({ graph, seed }) => [seed, graph["learn"]!["lambda"]])).toEqual([
    [7, 0],
    [7, 0.9],
  ]);
  expect(experiments.every((experiment) => !("sweep" in experiment))).toBe(true);
});

it.each([
  [
    "  grid: { graph.learn.lambda: [0, 2] }",
    /:9:35: graph\.learn\.lambda: expected a number from 0 to 1, found 2/,
  ],
  ["  grid: { graph.learn.lamda: [0] }", /:9:31: .*unknown key "lamda"; did you mean "lambda"/],
  ["  list: [{ graph.learn.lambda: 2 }]", /:9:32: graph\.learn\.lambda: expected a number from 0 to 1/],
  ["  grid: { seed: [1, 2] }", /:9:11: sweep\.grid\.seed: seeds are swept by `seeds`/],
  ["  grid: { workers: [1, 2] }", /"workers" is one for all runs of a sweep/],
  ["  grid: { graph.learn.lambda: 0.5 }", /sweep\.grid\.graph\.learn\.lambda: expected a list/],
  ["  list: [{ a: 1 }]\n  grid: { a: [1] }", /"a" is also set by another part of the sweep/],
  ["  random: { draws: 2, keys: { a: { low: 1 } } }", /give the range to draw from/],
  ["  random: { draws: 2, keys: { a: { low: 2, high: 1 } } }", /the range ends at 1, which is not above 2/],
  ["  random: { draws: 2, keys: { a: { low: 0, high: 1, scale: log } } }", /0 has no logarithm/],
  ["  random: { draws: 2, keys: { a: { low: 0, choose: [1] } } }", /give one of the two/],
  ["  seeds: 0", /sweep\.seeds: expected/],
  ["  sedes: 3", /unknown key "sedes"; did you mean "seeds"/],
])("says at its place what is wrong with %j", async (sweep, message) => {
  await expect(async () => check(sweep)).rejects.toThrow(message);
});
