import type { EvaluationRequest } from "../../../games/evaluation.ts";
import type { Game } from "../../../games/game.ts";
import { PlanePacker } from "../../../games/packed-planes.ts";
import type { OpenNetwork } from "../../../models/registry.ts";
import { collect, type EvaluatorEndpoint, submit } from "../../../workers/slots.ts";
import { threadSeconds } from "../../../workers/thread-seconds.ts";
import { EvaluationCache } from "./evaluation-cache.ts";
import { LeafSymmetries } from "./leaf-symmetries.ts";
import { MeanResponse } from "./mean-response.ts";
import { NetRows } from "./net-rows.ts";
import { PositionHash } from "./position-hash.ts";
import { PositionRows } from "./position-rows.ts";
import { SlotBatch } from "./slot-batch.ts";
import { unsoundResponse } from "./unsound-response.ts";

/** How a position is turned into a request to a net, and whether its response is kept. */
export interface ResponseOptions {
  /** Number of positions whose responses each thread keeps; 0 for none. */
  readonly cache: number;
  /**
   * Symmetric images of a position whose responses are averaged: all of them, or a number of them chosen by the
   * position's key; `none` for the position itself.
   */
  readonly symmetries: "none" | "all" | number;
}

/**
 * Evaluates the requests of many games through the slots of a batching evaluator.
 *
 * A position is submitted as the packed planes that the net sees and, if priors are requested, the gather indices of its legal
 * actions. With symmetries, values and priors are means over images of the position (Silver et al. 2016 and 2017 show the
 * net an image drawn at random; BlokusZero, section 6, proposes it).
 */
export class SlotEvaluator<S> {
  readonly #game: Game<S>;
  readonly #network: OpenNetwork;
  readonly #called: (version: number) => string;
  readonly #endpoint: EvaluatorEndpoint;
  readonly #hasPolicy: boolean;
  readonly #rows: NetRows<S>;
  readonly #positions: PositionRows<S>;
  readonly #batches: readonly SlotBatch<S>[];
  readonly #mean: MeanResponse;
  readonly #cache: EvaluationCache | undefined;
  readonly #symmetries: LeafSymmetries | undefined;
  readonly #key = new PositionHash();

  /** `called` gives what messages call the net with a version of its weights. */
  constructor(
    game: Game<S>,
    network: OpenNetwork,
    endpoint: EvaluatorEndpoint,
    options: ResponseOptions,
    called: (version: number) => string = () => `the net ${network.use}`,
  ) {
    const { cache, symmetries } = options;
    this.#game = game;
    this.#network = network;
    this.#called = called;
    this.#endpoint = endpoint;
    this.#hasPolicy = network.hasPolicy;
    this.#rows = new NetRows(game);
    this.#positions = new PositionRows(game, new PlanePacker(network.planes), network.net.logitOf);
    this.#mean = new MeanResponse(game.players, game.maxLegal);
    if (cache > 0) this.#cache = new EvaluationCache(cache);
    if (symmetries !== "none" && game.symmetry !== undefined)
      this.#symmetries = new LeafSymmetries(
        game.symmetry.count,
        symmetries === "all" ? game.symmetry.count : symmetries,
      );
    const images = this.#symmetries?.images ?? 1;
    this.#batches = endpoint.slots.map((slot) => new SlotBatch(slot, images));
  }

  /**
   * Adds a request, to be evaluated with a version of the weights, to the slot with this index. Returns true if all of its
   * positions are evaluated already; otherwise `submit` and `collect` evaluate the rest. A full slot is submitted and
   * collected here.
   */
  add(request: EvaluationRequest<S>, version: number, slot = 0): boolean {
    const batch = this.#batches[slot]!;
    const begun = threadSeconds();
    let complete = true;
    request.seconds = 0;
    request.evaluatorSeconds = 0;
    for (let index = 0; index < request.count; index++) {
      if (!batch.hasRoom) {
        this.submit(slot);
        this.collect(slot);
      }
      if (!this.#addPosition(batch, request, index, version)) complete = false;
    }
    request.seconds += threadSeconds() - begun;
    return complete;
  }

  /** Submits the positions that wait in the slot, without waiting for the responses. */
  submit(slot = 0): void {
    const batch = this.#batches[slot]!;
    if (batch.rows > 0) submit(batch.slot, batch.rows, this.#endpoint.notifier);
  }

  /**
   * Blocks until the submitted positions of the slot are computed, and writes the responses into their requests. Throws
   * NumberUnsound if a response has a number that is NaN or infinite.
   */
  collect(slot = 0): void {
    const batch = this.#batches[slot]!;
    if (batch.rows === 0) return;
    collect(batch.slot);
    const cache = this.#cache;
    const { images } = batch;
    const { response } = this.#mean;
    const seconds = batch.slot.seconds[0]! / batch.count;
    for (let position = 0; position < batch.count; position++) {
      const count = this.#mean.read(batch.slot, position * images, images);
      const request = batch.requests[position]!;
      const index = batch.indices[position]!;
      if (!this.#mean.sound) {
        const called = this.#called(batch.slot.versions[position * images]!);
        batch.clear();
        throw unsoundResponse(this.#game, this.#network, called, request.states[index]!, response);
      }
      request.seconds! += seconds;
      request.evaluatorSeconds! += seconds;
      this.#deliver(response, request, index, count);
      if (cache === undefined) continue;
      this.#key.first = batch.firstKeys[position]!;
      this.#key.second = batch.secondKeys[position]!;
      cache.store(this.#key, batch.slot.versions[position * images]!, response, this.#game.players + count);
    }
    batch.clear();
  }

  /** Adds position `index` of a request to the batch; true if its response was in the cache and is delivered. */
  #addPosition(batch: SlotBatch<S>, request: EvaluationRequest<S>, index: number, version: number): boolean {
    const state = request.states[index]!;
    const count = this.#hasPolicy && request.priors !== undefined ? this.#positions.listLegal(state) : 0;
    this.#positions.write(batch.slot, batch.rows, state, 0, count);
    if (this.#cache !== undefined || this.#symmetries?.drawsAny === true) batch.makeKey(this.#key, count);
    const cached = this.#cache?.find(this.#key, version, this.#game.players + count);
    if (cached !== undefined) {
      this.#deliver(cached, request, index, count);
      Atomics.add(this.#endpoint.hits, 0, 1n);
      return true;
    }
    if (this.#symmetries !== undefined) {
      if (this.#symmetries.drawsAny) this.#symmetries.draw(this.#key);
      const { drawn } = this.#symmetries;
      for (let image = 0; image < drawn.length; image++)
        this.#positions.write(batch.slot, batch.rows + image, state, drawn[image]!, count);
    }
    batch.push(request, index, version, this.#key);
    return false;
  }

  /** Writes a response into its request. */
  #deliver(response: Float32Array, request: EvaluationRequest<S>, index: number, count: number): void {
    const { players, maxLegal } = this.#game;
    this.#rows.readValues(request.states[index]!, response, 0, request.values, index * players);
    for (let i = 0; i < count; i++) request.priors![index * maxLegal + i] = response[players + i]!;
  }
}
