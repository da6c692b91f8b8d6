import type { Game2048, State2048 } from "../../games/2048/2048.ts";
import type { EvaluationRequest, Evaluator } from "../../games/evaluation.ts";
import { CHANCE, OVER } from "../../games/game.ts";
import { type NamedArrays, type SavedArrays, type SharedTables, tablesBuffer } from "../tables.ts";
import { NTupleChance } from "./chance.ts";
import type { NTupleKernel, NTupleTables } from "./kernel.ts";
import type { NTupleOptions } from "./options.ts";
import { plainKernel } from "./plain-kernel.ts";
import { loadStages, saveStages } from "./saved-stages.ts";
import { type TupleLookup, tupleLookup } from "./tuple-lookup.ts";
import { tupleLayout } from "./tuple-sets.ts";
import { wasmKernel, wasmTables } from "./wasm-kernel.ts";

/**
 * A value function for 2048 on tables: the value of an afterstate is the sum of one weight for each tuple in each
 * symmetric image of the board (N-tuple network; Szubert and Jaskowski 2014).
 *
 * Tiles above 2^15 are looked up as 2^15 (see `TupleLayout.bits`). The tables lie in shared memory, so that threads
 * evaluate by them and train them together. A weight takes 12 bytes with its temporal coherence: 768 MiB for `4x6`. The
 * system provides only the pages that are touched, small or huge ones (see `askForHugePages`). For 4x4 boards the tables are
 * a memory of WebAssembly, if the platform has it, and code in WebAssembly evaluates boards; the numbers are the same
 * without it.
 */
export class NTupleNetwork implements Evaluator<State2048>, NTupleTables {
  /** All tables together: float32, in points. */
  readonly weights: Float32Array<SharedArrayBuffer>;
  readonly coherence: Float32Array<SharedArrayBuffer>;
  readonly lookup: TupleLookup;
  /** The value of each weight before learning: its share of the initial value. */
  readonly initialWeight: number;
  readonly #game: Game2048;
  /** Values afterstates through chance; made when first needed. */
  #chance: NTupleChance | undefined;

  /** A network on existing tables, as `tables` of another network returns them. Throws NetDoesNotFit, RangeError. */
  constructor(game: Game2048, chosen: NTupleOptions, tables: SharedTables) {
    const lookup = lookupFor(game, chosen);
    const inWasm = !(tables instanceof SharedArrayBuffer);
    const buffer = tablesBuffer(tables);
    if (inWasm ? buffer.byteLength < 12 * lookup.size : buffer.byteLength !== 12 * lookup.size)
      throw new RangeError(`tables of ${buffer.byteLength} bytes, expected ${12 * lookup.size}`);
    this.lookup = lookup;
    this.#game = game;
    this.weights = new Float32Array(buffer, 0, lookup.size);
    this.coherence = new Float32Array(buffer, 4 * lookup.size, 2 * lookup.size);
    this.initialWeight = Math.fround(chosen.initialValue / lookup.lookups);
    this.#openKernel = () => (inWasm ? wasmKernel(lookup, tables, game) : plainKernel(lookup, this, game));
  }

  /** The kernel that evaluates boards by these tables and trains them. */
  get kernel(): NTupleKernel {
    return (this.#kernel ??= this.#openKernel());
  }
  #kernel: NTupleKernel | undefined;
  readonly #openKernel: () => NTupleKernel;

  /** A network on new tables, all at the initial value; with `plain` without WebAssembly. Throws NetDoesNotFit. */
  static create(game: Game2048, chosen: NTupleOptions, plain = false): NTupleNetwork {
    const lookup = lookupFor(game, chosen);
    const square4 = game.rows === 4 && game.columns === 4;
    const tables =
      (square4 && !plain ? wasmTables(lookup) : undefined) ?? new SharedArrayBuffer(12 * lookup.size);
    const network = new NTupleNetwork(game, chosen, tables);
    network.#tables = tables;
    const { initialised, size } = lookup.stages;
    if (network.initialWeight !== 0) network.weights.fill(network.initialWeight, 0, initialised * size);
    return network;
  }

  /** The tables, which threads share. */
  get tables(): SharedTables {
    return this.#tables ?? this.weights.buffer;
  }
  #tables: SharedTables | undefined;

  /** The value of a board as an afterstate: the points expected from here to the end of the game. */
  value(state: State2048): number {
    return this.kernel.value(state.lines, 0);
  }

  /**
   * Evaluates each state by its kind: an afterstate (chance moves) by its value, a state with the player to move by the
   * reward and afterstate value of its best move, a finished game by 0. With `chancePlies`, evaluates afterstates through
   * this number of plies of chance. Gives no priors.
   */
  evaluate(request: EvaluationRequest<State2048>): void {
    const { kernel } = this;
    const plies = request.chancePlies ?? 0;
    if (plies > 0) {
      const chance = (this.#chance ??= new NTupleChance(kernel, this.#game));
      chance.begin(request.shallower === true);
      for (let i = 0; i < request.count; i++) request.values[i] = chance.value(request.states[i]!, plies);
      request.chancePlies = 0;
      return;
    }
    for (let i = 0; i < request.count; i++) {
      const { toMove, lines } = request.states[i]!;
      request.values[i] =
        toMove === CHANCE ? kernel.value(lines, 0) : toMove === OVER ? 0 : kernel.best(lines);
    }
  }

  /** The weights that differ from the initial weight, by their numbers (see `weightNumbers`). */
  saveWeights(): SavedArrays {
    return saveStages(this.lookup, this.weights, 1, this.initialWeight);
  }

  /** Restores what `saveWeights` returned; an empty map changes nothing. Throws RangeError if it does not fit. */
  loadWeights(saved: NamedArrays): void {
    loadStages(this.lookup, saved, this.weights, 1);
  }

  /** The state of temporal coherence, saved like the weights. */
  saveCoherence(): SavedArrays {
    return saveStages(this.lookup, this.coherence, 2);
  }

  /** The inverse of `saveCoherence`. */
  loadCoherence(saved: NamedArrays): void {
    loadStages(this.lookup, saved, this.coherence, 2);
  }
}

function lookupFor(game: Game2048, { tuples, stages, promotion }: NTupleOptions): TupleLookup {
  return tupleLookup(tupleLayout(tuples, game.rows, game.columns), stages, promotion);
}
