import { Type, type Static } from "../../schema.ts";
import type { Game } from "../../games/game.ts";
import type { Random } from "../../random.ts";
import { PlayoutPolicy } from "./playout-policy.ts";

/** The option `playouts` of a search: playouts in addition to the net's values, or null. */
export const leafPlayouts = Type.Union(
  [
    Type.Null(),
    Type.Object(
      {
        weight: Type.Number({
          exclusiveMinimum: 0,
          maximum: 1,
          description:
            "Weight of the playout's return in the value of the leaf. The net's value has the rest.",
        }),
        epsilon: Type.Number({
          minimum: 0,
          maximum: 1,
          description:
            "Probability that a playout move is drawn from all playout moves of the game: the legal ones, in Go without own eyes and suicides. Otherwise it is one that the game prefers. 1 makes playouts uniformly random.",
        }),
      },
      { additionalProperties: false },
    ),
  ],
  {
    default: null,
    description:
      "Adds one playout to the net's value of each leaf: (1 - weight) v + weight z, as in AlphaGo (Silver et al. 2016). null: the net's value alone.",
  },
);

/** The option, complete. */
export type LeafPlayoutsConfig = Static<typeof leafPlayouts>;

/** Mixes the return of one playout from a leaf into the net's values of the leaf. */
export class LeafPlayouts<S> {
  readonly #game: Game<S>;
  readonly #weight: number;
  readonly #policy: PlayoutPolicy<S>;
  readonly #state: S;
  readonly #before: Float64Array;
  readonly #after: Float64Array;

  constructor(game: Game<S>, { weight, epsilon }: NonNullable<LeafPlayoutsConfig>) {
    this.#game = game;
    this.#weight = weight;
    this.#policy = new PlayoutPolicy(game, epsilon);
    this.#state = game.initial();
    this.#before = new Float64Array(game.players);
    this.#after = new Float64Array(game.players);
  }

  /** Mixes a playout's return from `leaf` on into `values`, the net's values of the leaf, one per seat. */
  mix(leaf: S, values: Float64Array, random: Random): void {
    const game = this.#game;
    game.copy(leaf, this.#state);
    game.returns(this.#state, this.#before);
    this.#policy.finish(this.#state, random);
    game.returns(this.#state, this.#after);
    for (let seat = 0; seat < game.players; seat++) {
      const playoutReturn = this.#after[seat]! - this.#before[seat]!;
      values[seat] = (1 - this.#weight) * values[seat]! + this.#weight * playoutReturn;
    }
  }
}
