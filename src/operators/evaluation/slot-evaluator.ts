import type { EvaluationRequest } from "../../games/evaluation.ts";
import type { Game } from "../../games/game.ts";
import type { OpenNetwork } from "../../models/registry.ts";
import { collect, responseVersion, submit, type EvaluatorEndpoint, type Slot } from "../../workers/slots.ts";
import { EvaluationCache, PositionHash } from "./evaluation-cache.ts";
import { LeafSymmetries } from "./leaf-symmetries.ts";
import { NetRows } from "./net-rows.ts";

/** What becomes of a question before and after it is computed. */
export interface ResponseOptions {
  /** Positions whose answers each thread keeps; 0 for none. */
  readonly cache: number;
  /** Symmetric images that answers are the mean of: a number of them, drawn by the position, or all; `none` as it is. */
  readonly symmetries: "none" | "all" | number;
}

/**
 * Answers the requests of many games through the slots of a batching evaluator.
 *
 * A position goes as the planes that the net sees and, where priors are wanted, the numbers of its legal actions'
 * logits; priors are the softmax over these. With symmetries, values and priors are means over images of the position
 * (Silver et al. 2016 and 2017 show the net an image drawn at random; BlokusZero, section 6, proposes it).
 */
export class SlotEvaluator<S> {
  readonly #game: Game<S>;
  readonly #endpoint: EvaluatorEndpoint;
  readonly #rows: NetRows<S>;
  readonly #hasPolicy: boolean;
  readonly #logitOf: Int32Array | undefined;
  readonly #batches: readonly SlotBatch<S>[];
  readonly #legal: Int32Array;
  readonly #cache: EvaluationCache | undefined;
  readonly #symmetries: LeafSymmetries | undefined;
  readonly #image: S;
  readonly #hash = new PositionHash();
  /** An answer: values in turn order, then priors in the order of the legal actions. */
  readonly #response: Float32Array;
  readonly #sums: Float64Array;
  readonly #weights: Float64Array;

  constructor(game: Game<S>, network: OpenNetwork, endpoint: EvaluatorEndpoint, options: ResponseOptions) {
    const { cache, symmetries } = options;
    this.#game = game;
    this.#endpoint = endpoint;
    this.#rows = new NetRows(game, network.planes);
    this.#hasPolicy = network.hasPolicy;
    this.#logitOf = network.net.logitOf;
    this.#legal = new Int32Array(game.maxLegal);
    if (cache > 0) this.#cache = new EvaluationCache(cache);
    if (symmetries !== "none" && game.symmetry !== undefined)
      this.#symmetries = new LeafSymmetries(
        game.symmetry.count,
        symmetries === "all" ? game.symmetry.count : symmetries,
      );
    this.#image = game.initial();
    this.#response = new Float32Array(game.players + game.maxLegal);
    this.#sums = new Float64Array(this.#response.length);
    this.#weights = new Float64Array(game.maxLegal);
    const views = this.#symmetries?.images ?? 1;
    this.#batches = endpoint.slots.map((slot) => new SlotBatch(slot, views));
  }

  /**
   * Takes in a request: true where all of it is answered at once, else it is asked at the latest by `ask`, in the slot
   * of this number, and answered by `collect`.
   */
  add(request: EvaluationRequest<S>, slot = 0): boolean {
    const cache = this.#cache;
    cache?.begin(Math.max(cache.version, Atomics.load(this.#endpoint.weights, 0)));
    const batch = this.#batches[slot]!;
    let complete = true;
    for (let index = 0; index < request.count; index++) {
      if (!batch.hasRoom) {
        this.submit(slot);
        this.collect(slot);
      }
      if (!this.#enqueue(batch, request, index)) complete = false;
    }
    return complete;
  }

  /** Asks what the slot has taken in, and does not wait. */
  submit(slot = 0): void {
    const batch = this.#batches[slot]!;
    if (batch.rows > 0) submit(batch.slot, batch.rows, this.#endpoint.notifier);
  }

  /** Blocks until what the slot has asked is computed, and writes the answers. */
  collect(slot = 0): void {
    const batch = this.#batches[slot]!;
    if (batch.rows === 0) return;
    collect(batch.slot);
    const version = responseVersion(batch.slot);
    const cache = this.#cache;
    // Newer weights may have come since the question was asked, never older ones.
    if (cache !== undefined && version > cache.version) cache.begin(version);
    for (let position = 0; position < batch.count; position++) {
      const count = this.#read(batch, position);
      this.#deliver(this.#response, batch.requests[position]!, batch.indices[position]!, count);
      if (cache?.version !== version) continue;
      this.#hash.first = batch.firstKeys[position]!;
      this.#hash.second = batch.secondKeys[position]!;
      cache.store(this.#hash, this.#response, this.#game.players + count);
    }
    batch.clear();
  }

  /** Writes down a question; true where its answer was known. */
  #enqueue(batch: SlotBatch<S>, request: EvaluationRequest<S>, index: number): boolean {
    const { players, symmetry: symmetries } = this.#game;
    const state = request.states[index]!;
    const count = this.#hasPolicy && request.priors !== undefined ? this.#game.legal(state, this.#legal) : 0;
    this.#writeRow(batch, batch.rows, state, count, 0);
    if (this.#cache !== undefined || this.#symmetries?.drawsAny === true) this.#makeKey(batch, count);
    const known = this.#cache?.find(this.#hash, players + count);
    if (known !== undefined) {
      this.#deliver(known, request, index, count);
      Atomics.add(this.#endpoint.hits, 0, 1n);
      return true;
    }
    if (this.#symmetries !== undefined) {
      if (this.#symmetries.drawsAny) this.#symmetries.draw(this.#hash);
      const { drawn } = this.#symmetries;
      for (let view = 0; view < drawn.length; view++) {
        const symmetry = drawn[view]!;
        if (symmetry !== 0) symmetries!.transform(state, symmetry, this.#image);
        this.#writeRow(batch, batch.rows + view, symmetry === 0 ? state : this.#image, count, symmetry);
      }
    }
    batch.push(request, index, this.#hash);
    return false;
  }

  /** Writes the row of a state, which is image `symmetry` of the one whose legal actions are at hand. */
  #writeRow(batch: SlotBatch<S>, row: number, state: S, count: number, symmetry: number): void {
    const { starts, gather, features } = batch.slot;
    const { symmetry: symmetries } = this.#game;
    const logitOf = this.#logitOf;
    this.#rows.writeFeatures(state, features, row);
    const start = starts[row]!;
    for (let i = 0; i < count; i++) {
      const legal = this.#legal[i]!;
      const action = symmetry === 0 ? legal : symmetries!.action(legal, symmetry);
      gather[start + i] = logitOf === undefined ? action : logitOf[action]!;
    }
    starts[row + 1] = start + count;
  }

  /** Makes the key of the question whose row comes next. */
  #makeKey(batch: SlotBatch<S>, count: number): void {
    const { features } = this.#rows;
    const { starts, gather } = batch.slot;
    const at = starts[batch.rows]!;
    this.#hash.begin();
    this.#hash.add(batch.featureWords, batch.rows * features, (batch.rows + 1) * features, 0);
    this.#hash.add(gather, at, at + count, features);
  }

  /** Reads the answer to a question from its rows; returns the number of its priors. */
  #read(batch: SlotBatch<S>, position: number): number {
    const { starts, logits, values } = batch.slot;
    const { players } = this.#game;
    const { views } = batch;
    const sums = this.#sums;
    const first = position * views;
    const count = starts[first + 1]! - starts[first]!;
    for (let i = 0; i < players + count; i++) sums[i] = 0;
    for (let row = first; row < first + views; row++) {
      for (let turn = 0; turn < players; turn++) sums[turn]! += values[row * players + turn]!;
      this.#addSoftmax(logits, starts[row]!, count);
    }
    for (let i = 0; i < players + count; i++) this.#response[i] = sums[i]! / views;
    return count;
  }

  /** Adds the softmax of some logits to the sums of priors. */
  #addSoftmax(logits: Float32Array, start: number, count: number): void {
    const { players } = this.#game;
    const weights = this.#weights;
    let best = -Infinity;
    for (let i = 0; i < count; i++) best = Math.max(best, logits[start + i]!);
    let total = 0;
    for (let i = 0; i < count; i++) total += weights[i] = Math.exp(logits[start + i]! - best);
    for (let i = 0; i < count; i++) this.#sums[players + i]! += weights[i]! / total;
  }

  #deliver(response: Float32Array, request: EvaluationRequest<S>, index: number, count: number): void {
    const { players, maxLegal } = this.#game;
    this.#rows.readValues(request.states[index]!, response, 0, request.values, index * players);
    for (let i = 0; i < count; i++) request.priors![index * maxLegal + i] = response[players + i]!;
  }
}

/** The questions that wait in one slot: question i has rows i * views to (i + 1) * views. */
class SlotBatch<S> {
  readonly slot: Slot;
  readonly views: number;
  /** The slot's features as words. */
  readonly featureWords: Int32Array;
  readonly requests: EvaluationRequest<S>[] = [];
  readonly indices: number[] = [];
  readonly firstKeys: Int32Array;
  readonly secondKeys: Int32Array;
  count = 0;

  constructor(slot: Slot, views: number) {
    if (slot.capacity < views)
      throw new RangeError(`a batch of ${slot.capacity} rows has no room for ${views} images of a position`);
    this.slot = slot;
    this.views = views;
    this.featureWords = new Int32Array(slot.features.buffer);
    this.firstKeys = new Int32Array(slot.capacity);
    this.secondKeys = new Int32Array(slot.capacity);
  }

  get rows(): number {
    return this.count * this.views;
  }

  get hasRoom(): boolean {
    return this.rows + this.views <= this.slot.capacity;
  }

  push(request: EvaluationRequest<S>, index: number, { first, second }: PositionHash): void {
    this.requests.push(request);
    this.indices.push(index);
    this.firstKeys[this.count] = first;
    this.secondKeys[this.count] = second;
    this.count++;
  }

  clear(): void {
    this.requests.length = this.indices.length = 0;
    this.count = 0;
  }
}
