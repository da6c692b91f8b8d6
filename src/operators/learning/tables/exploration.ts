import { taggedUnion, Type, type Static } from "../../../schema.ts";
import { CHANCE, type Game, OVER } from "../../../games/game.ts";
import { type Exploration, greedily } from "../../../models/tables.ts";
import { Random } from "../../../random.ts";

/** The setting that says how a TD learner varies its games; the names are those of Miki et al. (2008). */
export const explorationSchema = taggedUnion(
  "use",
  "How the games are varied. If absent, every move is the greedy one.",
  [
    Type.Object(
      {
        use: Type.Literal("epsilon-greedy", {
          description: "Every decision is uniformly random with a small probability, else greedy.",
        }),
        epsilon: Type.Number({
          minimum: 0,
          maximum: 1,
          default: 0.1,
          description: "Probability of a uniformly random move.",
        }),
      },
      { additionalProperties: false },
    ),
    Type.Object(
      {
        use: Type.Literal("uct-opening", {
          description: "Every game begins with an opening from the stage named by `openings`.",
        }),
        order: Type.Unsafe<"in-turn" | "random">({
          type: "string",
          enum: ["in-turn", "random"],
          default: "random",
          description:
            "in-turn: the games begin with the openings in their order, over and over. random: each game begins with an opening drawn with replacement.",
        }),
      },
      { additionalProperties: false },
    ),
    Type.Object(
      {
        use: Type.Literal("random-opening", {
          description: "The first plies of every game are uniformly random.",
        }),
        plies: Type.Integer({ minimum: 1, maximum: 1000, default: 4, description: "Length of the opening." }),
      },
      { additionalProperties: false },
    ),
  ],
);

/** The setting as a stage's code sees it. */
export type ExplorationConfig = Static<typeof explorationSchema>;

/** Openings to begin games with: a list of actions each. */
export type Openings = readonly ArrayLike<number>[];

/** How game number `index` of a stage explores: a function of the seed, the stage and the number. */
export function explorationOf(
  config: ExplorationConfig | undefined,
  game: Game<unknown>,
  openings: Openings,
  seed: number,
  stage: string,
  index: number,
): Exploration {
  if (config === undefined) return greedily;
  if (config.use === "epsilon-greedy") return { opening: [], epsilon: config.epsilon };
  const draws = Random.named(seed, stage, "opening", index);
  if (config.use === "random-opening")
    return { opening: randomOpening(game, config.plies, draws), epsilon: 0 };
  const { length } = openings;
  return {
    opening: openings[config.order === "in-turn" ? index % length : draws.below(length)]!,
    epsilon: 0,
  };
}

/** The first plies of a game, each drawn uniformly from the legal ones; fewer if the game ends before. */
function randomOpening<S>(game: Game<S>, plies: number, random: Random): number[] {
  const state = game.initial();
  const legal = new Int32Array(game.maxLegal);
  const opening: number[] = [];
  for (let mover = game.toMove(state); opening.length < plies && mover !== OVER; mover = game.toMove(state)) {
    const action =
      mover === CHANCE ? game.chance!.sample(state, random) : legal[random.below(game.legal(state, legal))]!;
    opening.push(action);
    game.play(state, action);
  }
  return opening;
}
