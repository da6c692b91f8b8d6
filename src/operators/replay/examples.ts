import { taggedUnion, Type, type Static } from "../../schema.ts";
import type { Game } from "../../games/game.ts";
import type { ExampleReader, WantedOfExamples } from "./example-reader.ts";
import { GameExampleReader, gameExamplesIn } from "./game-examples.ts";
import { exampleOffsets, PositionExampleReader } from "./position-examples.ts";

/** What is learned from a self-play game. */
export const examplesSchema = taggedUnion("use", "What is learned from each game.", [
  Type.Object(
    {
      use: Type.Literal("search-samples", {
        description:
          "Positions that the search sampled from its trees, with their values in the tree (MC Softmax).",
      }),
    },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      use: Type.Literal("td", {
        description:
          "Positions along the moves really played, with lambda-returns: the values the agent found at its next decisions, mixed with the rewards really earned.",
      }),
      lambda: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0,
        description: "0: the value of the next decision (TD(0)); 1: the return really earned (Monte Carlo).",
      }),
      values: Type.Unsafe<"search" | "net">({
        type: "string",
        enum: ["search", "net"],
        default: "search",
        description:
          "What a decision is taken to be worth: what its search found (search), or the reward of its action and the net's own value of the position after it (net): the search then only chooses the moves.",
      }),
    },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      use: Type.Literal("alphazero", {
        description:
          "The positions decided in, with the result of the game as their value and the search's policy; a whole game is kept in a few kilobytes.",
      }),
      resultWeight: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 1,
        description:
          "w in the values learned, w z + (1 - w) q: z the result, q what the search found (Willemsen, Baier and Kaisers 2020, Value targets in off-policy AlphaZero).",
      }),
      quick: Type.Union([Type.Literal("values"), Type.Literal("drop")], {
        default: "values",
        description:
          "What is learned of decisions by a quick search (playout-cap randomisation), whose policy is not: their `values`, or nothing (`drop`, as in Wu 2019, section 3.1).",
      }),
    },
    { additionalProperties: false },
  ),
]);

/** What is learned from a self-play game. */
export type ExamplesConfig = Static<typeof examplesSchema>;

/** How examples are kept: positions one by one, or games whole. */
export type ExampleLayout = "positions" | "games";

/** How examples of a kind are kept. */
export function layoutOf({ use }: ExamplesConfig): ExampleLayout {
  return use === "alphazero" ? "games" : "positions";
}

/** The number of examples in what a game left behind. */
export function examplesIn(bytes: Uint8Array, layout: ExampleLayout): number {
  return layout === "games" ? gameExamplesIn(bytes) : exampleOffsets(bytes).length;
}

/** A reader of examples that are kept in this way. */
export function exampleReader<S>(
  game: Game<S>,
  layout: ExampleLayout,
  wanted: WantedOfExamples,
): ExampleReader<S> {
  return layout === "games" ? new GameExampleReader(game, wanted) : new PositionExampleReader(game);
}
