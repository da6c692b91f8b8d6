import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { layOutProject } from "../../src/cli/new-project.ts";
import { factsOfGame } from "../../src/cli/starters/game-facts.ts";
import { starters } from "../../src/cli/starters/registry.ts";
import { gameSeconds, rounded } from "../../src/cli/starters/starter.ts";
import { yamlValue } from "../../src/formats/yaml-document.ts";
import { games, openConfiguredGame } from "../../src/games/registry.ts";
import { checkGraph } from "../../src/graph/check-graph.ts";
import { costOf, type Speeds, worksOf } from "../../src/graph/cost/cost.ts";
import { checkSource } from "../../src/graph/experiment-file.ts";

const scratch = mkdtempSync(join(tmpdir(), "ludoflow-test-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const plugin = join(scratch, "my-game", "games", "nim.ts");
// Laying a project out loads its game.
beforeAll(() => void layOutProject(join(scratch, "my-game"), undefined));

const records = join(scratch, "games.h5");
writeFileSync(records, "");

/** The checked graph of a text; of a sweep that of its base. */
function graphOf(text: string) {
  const { sweep, ...value } = yamlValue(text) as Record<string, unknown>;
  const file = checkSource({
    file: "new.yaml",
    value: { name: "new", seed: 1, ...value },
    places: new Map(),
  });
  expect(file.problems).toEqual([]);
  return { graph: checkGraph(file), sweep };
}

/** Speeds at which every decision takes a millisecond, and every step twenty. */
const speeds: Speeds = {
  agents: { get: () => 0.001 } as unknown as ReadonlyMap<string, number>,
  decisions: { get: () => 40 } as unknown as ReadonlyMap<string, number>,
  stages: new Map([
    ["weights", 0.02],
    ["learn", 0.02],
    ["learned", 0.02],
  ]),
};

const opened = (name: string) => openConfiguredGame(name, {});
const factsOf = (name: string) => {
  const game = opened(name);
  return factsOfGame(game, { rules: name }, name === "nim" ? plugin : undefined);
};

describe("the first experiments with a game", () => {
  const names = [...games.map(({ name }) => name), "nim"];
  const refused: Readonly<Record<string, readonly string[]>> = {
    alphazero: ["2048", "daihinmin"],
    td: ["daihinmin"],
    supervised: ["daihinmin"],
    match: [],
    sweep: [],
  };

  for (const [kind, starter] of Object.entries(starters))
    it(`of the kind ${kind} are right for every game that is not refused, measured or not`, () => {
      for (const name of names) {
        const facts = factsOf(name);
        const refusal = starter.refusal(facts, { records });
        expect(`${name}: ${refusal === undefined}`).toBe(`${name}: ${!refused[kind]!.includes(name)}`);
        if (refusal !== undefined) continue;
        for (const budget of [undefined, { speeds, seconds: 600 }, { speeds, seconds: 1 }]) {
          const { graph, sweep } = graphOf(starter.text(facts, { records }, budget));
          expect(graph.stages.length).toBeGreaterThan(0);
          expect(sweep !== undefined).toBe(kind === "sweep");
        }
      }
    });

  it("take more with a greater budget, and stay within a small factor of it", () => {
    const facts = factsOf("othello");
    const seconds = (budget: number) =>
      costOf(
        worksOf(graphOf(starters["alphazero"]!.text(facts, {}, { speeds, seconds: budget })).graph),
        speeds,
        2,
      ).seconds;
    const [small, large] = [seconds(600), seconds(3600)];
    expect(large).toBeGreaterThan(3 * small);
    for (const [cost, budget] of [
      [small, 600],
      [large, 3600],
    ] as const) {
      expect(cost).toBeGreaterThan(budget / 4);
      expect(cost).toBeLessThan(2 * budget);
    }
  });

  it("say what a game of one's own lacks, and where to add it", () => {
    const facts = factsOf("nim");
    const { nets: _, ...blind } = facts.game;
    expect(starters["alphazero"]!.refusal({ ...facts, game: blind }, {})).toBe(
      `nim gives nets no input: add nets: { planes: { ... } } to the rules in ${plugin} (docs/plugins.md#what-nets-need)`,
    );
    expect(starters["supervised"]!.refusal(facts, {})).toContain("--records PATH");
  });
});

describe("amounts", () => {
  it("are whole, of two digits, and not below the least", () => {
    expect([0.4, 8.7, 123.4, 99_999, -5].map((value) => rounded(value))).toEqual([1, 9, 120, 100_000, 1]);
    expect(rounded(3, 10)).toBe(10);
  });

  it("take an unmeasured agent at what they are given", () => {
    expect(gameSeconds({ ...speeds, agents: new Map() }, "player", 7)).toBe(7);
    expect(gameSeconds(speeds, "player", 7)).toBeCloseTo(0.04);
  });
});
