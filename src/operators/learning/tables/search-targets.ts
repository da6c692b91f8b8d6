import { taggedUnion, Type, type Static } from "../../../schema.ts";

const closed = { additionalProperties: false } as const;

/** The setting that names the learning target of afterstates. Watanabe and Matsuzaki's are `samples` and the first two. */
export const searchTargetsSchema = taggedUnion(
  "use",
  "What each afterstate of a game learns from the search of the next decision.",
  [
    Type.Object(
      {
        use: Type.Literal("node-value", {
          description: "NodeV+Reward: the reward of the chosen move and the value of its node in the tree.",
        }),
      },
      closed,
    ),
    Type.Object(
      {
        use: Type.Literal("eval-value", {
          description:
            "EvalV+Reward: the reward of the chosen move and the value function's value of its afterstate.",
        }),
      },
      closed,
    ),
    Type.Object(
      {
        use: Type.Literal("returns", {
          description: "The lambda-return along the moves played. The search only chooses these moves.",
        }),
        lambda: Type.Number({
          minimum: 0,
          maximum: 1,
          default: 0,
          description: "0 looks one move ahead (TD(0)); 1 looks at the whole rest of the game.",
        }),
      },
      closed,
    ),
    Type.Object(
      {
        use: Type.Literal("mixed", {
          description: "A fixed mixture of NodeV+Reward and the return of the game.",
        }),
        weight: Type.Number({
          minimum: 0,
          maximum: 1,
          default: 0.5,
          description: "Share of the return of the game.",
        }),
      },
      closed,
    ),
    Type.Object(
      {
        use: Type.Literal("clipped", {
          description: "NodeV+Reward, limited to the best score of any game so far.",
        }),
      },
      closed,
    ),
    Type.Object(
      {
        use: Type.Literal("target-net", {
          description:
            "NodeV+Reward, found by searches on a copy of the value function that is renewed at intervals.",
        }),
        every: Type.Integer({
          minimum: 1,
          maximum: 1_000_000,
          default: 100,
          description: "Games from one copy to the next.",
        }),
      },
      closed,
    ),
    Type.Object(
      {
        use: Type.Literal("double", {
          description:
            "Two value functions. For each game, one of them is drawn at random: it searches, and the other learns NodeV+Reward. Matches use the first.",
        }),
      },
      closed,
    ),
    Type.Object(
      {
        use: Type.Literal("samples", {
          description:
            "Not the afterstates of the game, but the positions that the search samples from its trees (the agent's option samples), each with its value in the tree.",
        }),
        clip: Type.Optional(
          Type.Number({
            exclusiveMinimum: 0,
            maximum: 1e12,
            description:
              "A target differs from the value function's value by at most this many points. If absent, there is no limit.",
          }),
        ),
      },
      closed,
    ),
  ],
);

/** The setting as a stage's code sees it. */
export type SearchTargets = Static<typeof searchTargetsSchema>;

/** Whether the targets contain values that the search found (N in `SearchTargets`). */
export function learnsFound({ use }: SearchTargets): boolean {
  return use !== "returns" && use !== "eval-value";
}

/** A setting under which the afterstates of the game are learned. */
export type AfterstateTargets = Exclude<SearchTargets, { use: "samples" }>;

/** The figures of one game that the targets are computed from, by decision. */
export interface SearchedGame {
  /** Rewards of the moves played, in points. */
  readonly rewards: Float64Array;
  /** Values of the afterstates of these moves in their trees. */
  readonly nodeValues: Float64Array;
  /** Values of the same afterstates by the value function, before it learns from this game. */
  readonly evalValues: Float64Array;
  /** The best score of any game so far, this one included. */
  readonly best: number;
}

/**
 * The targets of a game's afterstates, as a function that a learner calls for each afterstate from the last one to the
 * first. `stepped` is the value of the next afterstate after its own step (any number for the last afterstate). r is the
 * reward of the decision after the afterstate, N the value of the chosen move's node in the tree, V the value function's
 * value of this move's afterstate. After the last decision the game is over and the target is 0.
 *
 *     node-value, target-net, double   r + N
 *     eval-value                       r + V
 *     returns                          G = r + (1 - lambda) V' + lambda G', V' = stepped, G' of the next afterstate
 *     mixed                            (1 - w) (r + N) + w (r + the rewards of the rest of the game)
 *     clipped                          min(r + N, best score so far)
 */
export function targetsOf(
  targets: AfterstateTargets,
  game: SearchedGame,
): (decision: number, stepped: number) => number {
  const { rewards, nodeValues, evalValues, best } = game;
  const last = rewards.length - 1;
  let rewardsOfRest = 0;
  let lambdaReturn = 0;
  return (decision, stepped) => {
    if (decision === last) return 0;
    const after = decision + 1;
    const reward = rewards[after]!;
    const searched = reward + nodeValues[after]!;
    switch (targets.use) {
      case "eval-value":
        return reward + evalValues[after]!;
      case "returns":
        lambdaReturn = reward + (1 - targets.lambda) * stepped + targets.lambda * lambdaReturn;
        return lambdaReturn;
      case "mixed":
        rewardsOfRest += reward;
        return (1 - targets.weight) * searched + targets.weight * rewardsOfRest;
      case "clipped":
        return Math.min(searched, best);
      default:
        return searched;
    }
  };
}
