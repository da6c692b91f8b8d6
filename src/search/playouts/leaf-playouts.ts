import { Type, type Static } from "../../schema.ts";
import type { Game } from "../../games/game.ts";
import type { Random } from "../../random.ts";
import { PlayoutPolicy } from "./playout-policy.ts";

/** Playouts beside the net's values, as an option of a search; null: none. */
export const leafPlayouts = Type.Union(
  [
    Type.Null(),
    Type.Object(
      {
        weight: Type.Number({
          exclusiveMinimum: 0,
          maximum: 1,
          description:
            "The share of what a playout from the leaf earned in the leaf's value; the rest is the net's.",
        }),
        epsilon: Type.Number({
          minimum: 0,
          maximum: 1,
          description:
            "How often a playout's move is any legal one, not one that the game prefers; 1: uniformly random playouts.",
        }),
      },
      { additionalProperties: false },
    ),
  ],
  {
    default: null,
    description:
      "Values leaves by the net and one playout together, (1 - weight) v + weight z, as AlphaGo did (Silver et al. 2016); null: by the net alone.",
  },
);

/** The option, complete. */
export type LeafPlayoutsConfig = Static<typeof leafPlayouts>;

/** Mixes what one playout from a leaf earns into the net's values of it. */
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

  /** Mixes into `values`, the net's of what each seat earns from `leaf` on. */
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
