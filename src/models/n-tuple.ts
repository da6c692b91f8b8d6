import { type Static, Type } from "../schema.ts";
import { Game2048, type State2048 } from "../games/2048.ts";
import { Afterstates } from "../games/2048-afterstates.ts";
import type { EvaluationRequest, Evaluator } from "../games/evaluation.ts";
import { CHANCE, OVER } from "../games/game.ts";
import { AfterstateLearner } from "./afterstate-learner.ts";
import { NetDoesNotFit } from "./definition.ts";
import { type TupleLookup, tupleLookup } from "./n-tuple-lookup.ts";
import { tupleLayout, type TupleSetName, tupleSetNames, tupleSetsDescription } from "./n-tuple-sets.ts";
import { loadSparse, saveSparse } from "./sparse-table.ts";
import type { TablesDefinition } from "./tables.ts";

const options = Type.Object(
  {
    tuples: Type.Unsafe<TupleSetName>({
      type: "string",
      enum: [...tupleSetNames],
      default: "4x6",
      description: `The cells that the tuples look at. ${tupleSetsDescription}.`,
    }),
    initialValue: Type.Number({
      minimum: 0,
      maximum: 1e12,
      default: 0,
      description:
        "The value of every board before learning, in points. Above what is reached it makes learning explore (optimistic initialisation).",
    }),
  },
  { additionalProperties: false },
);

/** The options of `n-tuple` as a value. */
export type NTupleOptions = Static<typeof options>;

/**
 * A value function for 2048 on tables: the value of an afterstate is the sum of one weight for each tuple in each
 * symmetric image of the board (N-tuple network; Szubert and Jaskowski 2014).
 *
 * Tiles above 2^15 are looked up as 2^15 (see `TupleLayout.bits`). The weights lie in shared memory, so that threads
 * evaluate by the same tables; `4x6` takes 256 MiB, of which the system provides only what is touched.
 */
export class NTupleNetwork implements Evaluator<State2048> {
  /** All tables, one after the other: float32, in points. */
  readonly weights: Float32Array<SharedArrayBuffer>;
  readonly lookup: TupleLookup;
  /** What each weight is before learning: the initial value's share. */
  readonly initialWeight: number;
  readonly #after: Afterstates;

  /** A network on tables that exist: `tables` holds one float32 per weight. Throws NetDoesNotFit, RangeError. */
  constructor(game: Game2048, chosen: NTupleOptions, tables: SharedArrayBuffer) {
    this.lookup = tupleLookup(tupleLayout(chosen.tuples, game.rows, game.columns));
    if (tables.byteLength !== 4 * this.lookup.size)
      throw new RangeError(`tables of ${tables.byteLength} bytes, expected ${4 * this.lookup.size}`);
    this.weights = new Float32Array(tables);
    this.initialWeight = Math.fround(chosen.initialValue / this.lookup.lookups);
    this.#after = new Afterstates(game.rows, game.columns);
  }

  /** A network on new tables, all at the initial value. Throws NetDoesNotFit. */
  static create(game: Game2048, chosen: NTupleOptions): NTupleNetwork {
    const { size } = tupleLookup(tupleLayout(chosen.tuples, game.rows, game.columns));
    const network = new NTupleNetwork(game, chosen, new SharedArrayBuffer(4 * size));
    if (network.initialWeight !== 0) network.weights.fill(network.initialWeight);
    return network;
  }

  /** The value of a board as an afterstate, in points: what is still to be earned. */
  value(state: State2048): number {
    return this.lookup.value(this.weights, state.lines, 0);
  }

  /**
   * Evaluates each state by what it is: an afterstate (chance moves) by its value, a state with the player to move by
   * its best move's reward and afterstate value, a finished game by 0. Gives no priors.
   */
  evaluate(request: EvaluationRequest<State2048>): void {
    for (let i = 0; i < request.count; i++) {
      const state = request.states[i]!;
      const { toMove } = state;
      request.values[i] =
        toMove === CHANCE ? this.value(state) : toMove === OVER ? 0 : this.#greedyValue(state);
    }
  }

  #greedyValue(state: State2048): number {
    const { lookup, weights } = this;
    const { lines, rewards } = this.#after;
    const legal = this.#after.slide(state.lines);
    let best = -Infinity;
    for (let direction = 0; direction < 4; direction++)
      if ((legal >> direction) & 1)
        best = Math.max(best, rewards[direction]! + lookup.value(weights, lines, 8 * direction));
    return best;
  }
}

/** `n-tuple`: an N-tuple network for 2048, learned on line by afterstate TD. */
export const nTuple: TablesDefinition<typeof options> = {
  name: "n-tuple",
  description: "N-tuple network for 2048: a sum of table entries looked up by the tiles in groups of cells.",
  options,
  open: (game, chosen) => {
    if (!(game instanceof Game2048))
      throw new NetDoesNotFit("n-tuple", game.name, "its tuples are those of 2048 boards");
    tupleLayout(chosen.tuples, game.rows, game.columns);
    return {
      kind: "tables",
      use: "n-tuple",
      hasPolicy: false,
      values: "returns",
      load: (saved) => {
        const network = NTupleNetwork.create(game, chosen);
        loadSparse(saved, network.weights);
        return network.weights.buffer;
      },
      save: (tables) => {
        const network = new NTupleNetwork(game, chosen, tables);
        return saveSparse(network.weights, 1, network.initialWeight);
      },
      evaluator: (tables) => new NTupleNetwork(game, chosen, tables),
      refusal: ({ decay, traces }, explores) => {
        const key =
          decay !== undefined
            ? "decay"
            : traces !== undefined
              ? "traces"
              : explores
                ? "exploration"
                : undefined;
        return key && { key, message: `an n-tuple network is learned greedily at one rate, without ${key}` };
      },
      learner: (tables, learning) =>
        new AfterstateLearner(new NTupleNetwork(game, chosen, tables), game, learning),
    };
  },
};
