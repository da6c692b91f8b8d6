import { taggedUnion, Type, type Static } from "../../../schema.ts";
import type { Game } from "../../../games/game.ts";
import { scheduleSchema } from "../../../schedule.ts";
import type { ExampleLayout } from "../../run/items.ts";
import type { ExampleReader, WantedOfExamples } from "./example-reader.ts";
import { GameExampleReader, gameExamplesIn } from "./game-examples.ts";
import { exampleOffsets, PositionExampleReader } from "./position-examples.ts";

/** Settings of the examples that are made from a self-play game. */
export const examplesSchema = taggedUnion("use", "The training examples that are made from each game.", [
  Type.Object(
    {
      use: Type.Literal("search-samples", {
        description:
          "Positions that the search sampled from its trees, with their values in the trees (MC Softmax).",
      }),
    },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      use: Type.Literal("td", {
        description:
          "Positions of the game played, with lambda-returns: the values that the agent found at its next decisions, mixed with the rewards received.",
      }),
      lambda: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0,
        description: "0: the value of the next decision (TD(0)); 1: the return of the game (Monte Carlo).",
      }),
      values: Type.Unsafe<"search" | "net">({
        type: "string",
        enum: ["search", "net"],
        default: "search",
        description:
          "The value of a decision. `search`: the value that its search found. `net`: the reward of its action plus the net's value of the next position; the search then only chooses the moves.",
      }),
    },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      use: Type.Literal("alphazero", {
        description:
          "The positions of all decisions, with the return of the game as their value and the policy of the search. A whole game takes a few kilobytes.",
      }),
      resultWeight: {
        ...scheduleSchema(
          "The weight w in the value target w z + (1 - w) q; z is the return of the game, q the value that the search found (Willemsen, Baier and Kaisers 2020, Value targets in off-policy AlphaZero)",
          "ply of the game",
          { minimum: 0, maximum: 1 },
        ),
        default: 1,
      },
      quick: Type.Union([Type.Literal("values"), Type.Literal("drop")], {
        default: "values",
        description:
          "Examples of the decisions by a quick search (playout-cap randomisation), whose policy is never a target. `values`: the value is a target; `drop`: no example (Wu 2019, section 3.1).",
      }),
      values: Type.Optional(
        Type.Object(
          {
            solver: Type.Object(
              {
                fromPly: Type.Integer({
                  minimum: 0,
                  maximum: 100_000,
                  description:
                    "Positions after at least this number of plies are solved. In Connect Four: stones on the board.",
                }),
              },
              { additionalProperties: false, description: "By the exact solver of the game." },
            ),
          },
          {
            additionalProperties: false,
            description:
              "Value targets in place of w z + (1 - w) q: the return under perfect play. For games with a solver (Connect Four). Absent: none.",
          },
        ),
      ),
      surprise: Type.Optional(
        Type.Number({
          exclusiveMinimum: 0,
          maximum: 1,
          description:
            "Share of the weights of a game's examples that is in proportion to policy surprise: the Kullback-Leibler divergence of the policy target from the priors of the search. The rest is shared equally, so the mean weight is 1. The trainer's loss is the weighted mean. KataGo: 0.5. Absent: all examples weigh 1.",
        }),
      ),
    },
    { additionalProperties: false },
  ),
]);

/** Settings of the examples that are made from a self-play game, as a value. */
export type ExamplesConfig = Static<typeof examplesSchema>;

/** Whether examples of a kind have weights of their own. */
export function areWeighted(examples: ExamplesConfig): boolean {
  return examples.use === "alphazero" && examples.surprise !== undefined;
}

/** The storage layout of examples of a kind. */
export function layoutOf({ use }: ExamplesConfig): ExampleLayout {
  return use === "alphazero" ? "games" : "positions";
}

/** The number of examples of a game, from their bytes. */
export function examplesIn(bytes: Uint8Array, layout: ExampleLayout): number {
  return layout === "games" ? gameExamplesIn(bytes) : exampleOffsets(bytes).length;
}

/** A reader of examples with this layout. */
export function exampleReader<S>(
  game: Game<S>,
  layout: ExampleLayout,
  wanted: WantedOfExamples,
): ExampleReader<S> {
  return layout === "games" ? new GameExampleReader(game, wanted) : new PositionExampleReader(game);
}
