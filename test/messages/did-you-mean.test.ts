import { describe, expect, it } from "vitest";
import { games } from "../../src/games/registry.ts";
import { didYouMean, nearestName } from "../../src/messages/did-you-mean.ts";
import { fieldWords, otherGames } from "../../src/messages/field-words.ts";
import { nets } from "../../src/models/registry.ts";
import { operators } from "../../src/operators/registry.ts";
import { experimentSchema } from "../../src/graph/schema.ts";
import { searches } from "../../src/search/registry.ts";

const gameNames = games.map(({ name }) => name);
const searchNames = searches.map(({ name }) => name);
const settingsOf = (name: string) =>
  Object.keys(searches.find((each) => each.name === name)!.options.properties);

describe("words of the field", () => {
  it.each([
    ["alphazero", searchNames, "puct-max-n"],
    ["AlphaZero", searchNames, "puct-max-n"],
    ["mcts", searchNames, "uct"],
    ["alpha-beta", searchNames, "minimax"],
    ["resnet", nets.map(({ name }) => name), "residual"],
    ["connect4", gameNames, "connect-four"],
    ["Connect 4", gameNames, "connect-four"],
    ["reversi", gameNames, "othello"],
    ["c_puct", settingsOf("puct-max-n"), "cInit"],
    ["cpuct", settingsOf("puct-max-n"), "cInit"],
    ["dirichlet", settingsOf("puct-max-n"), "noise"],
    ["sims", settingsOf("gumbel"), "simulations"],
    ["rollouts", settingsOf("uct"), "simulations"],
    ["lr", Object.keys(operators.find(({ use }) => use === "trainer")!.settings), "rate"],
    ["players", Object.keys(experimentSchema().properties), "agents"],
  ])("%s", (given, known, meant) => {
    expect(didYouMean(given, known)).toBe(`; did you mean "${meant}"?`);
  });

  it("that have two meanings are those of the place", () => {
    expect(nearestName("playouts", settingsOf("uct"))).toBe("simulations");
    expect(nearestName("match", ["arena", "checkpoint"])).toBe("arena");
    expect(nearestName("match", ["match", "sweep"])).toBe("match");
  });

  it("count only where they are known, and leave slips to the letters", () => {
    expect(didYouMean("alphazero", ["residual"])).toBe("");
    expect(didYouMean("simulatoins", settingsOf("uct"))).toBe('; did you mean "simulations"?');
  });

  it("lead to names that exist", () => {
    const known = new Set([
      ...gameNames,
      ...searchNames,
      ...nets.map(({ name }) => name),
      ...operators.map(({ use }) => use),
      "batch-evaluator",
      ...Object.keys(experimentSchema().properties),
      ...searches.flatMap(({ options }) => Object.keys(options.properties)),
      ...nets.flatMap(({ options }) => Object.keys(options.properties)),
      ...operators.flatMap(({ settings }) => Object.keys(settings)),
      // Kinds of `ludoflow new`, and keys within settings.
      "alphazero",
      "td",
      "match",
      "alpha",
      "weightDecay",
      "penalty",
      "threads",
      "net",
    ]);
    const missing = Object.values(fieldWords)
      .flat()
      .filter((each) => !known.has(each));
    expect(missing).toEqual([]);
  });

  it("for games that are not here say so, where a game is named", () => {
    expect(didYouMean("gomoku", gameNames)).toContain("ludoflow does not have this game");
    expect(didYouMean("Kuhn poker", gameNames)).toContain("docs/plugins.md#a-game");
    expect(didYouMean("gomoku", searchNames)).toBe("");
    expect(otherGames.filter((each) => gameNames.includes(each))).toEqual([]);
  });
});
