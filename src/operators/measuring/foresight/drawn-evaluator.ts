import type { EvaluationRequest, Evaluator } from "../../../games/evaluation.ts";
import type { Game, Planes } from "../../../games/game.ts";
import { PlanePacker } from "../../../games/packed-planes.ts";
import { PositionHash } from "../../play/evaluation/position-hash.ts";

/**
 * Standard deviation of the values, as a share of the range of returns: 0.1 if returns are -1 and 1. The values of Connect Four and
 * Blokus Duo nets differ by as much between the moves of a position.
 */
const DEVIATION = 0.05;

/**
 * An evaluator in place of a young net: all priors are equal, and values are drawn from a normal distribution around the middle
 * of the range, by a hash of the position. The returns of the game have bounds.
 */
export class DrawnEvaluator implements Evaluator<unknown> {
  readonly #game: Game<unknown>;
  readonly #packer: PlanePacker<unknown>;
  readonly #bytes: Uint8Array;
  readonly #floats: Float32Array;
  readonly #words: Int32Array;
  readonly #hash = new PositionHash();
  readonly #even: number;
  readonly #deviation: number;

  constructor(game: Game<unknown>, planes: Planes<unknown>) {
    this.#game = game;
    this.#packer = new PlanePacker(planes);
    this.#bytes = new Uint8Array(this.#packer.bytes);
    this.#floats = new Float32Array(this.#packer.floats);
    this.#words = new Int32Array(this.#floats.buffer);
    const [least, most] = game.returnBounds;
    this.#even = least + (most - least) / Math.max(2, game.players);
    this.#deviation = DEVIATION * (most - least);
  }

  evaluate({ states, count, values, priors }: EvaluationRequest<unknown>): void {
    const { players } = this.#game;
    for (let row = 0; row < count; row++) this.#draw(states[row], values, row * players);
    priors?.fill(1);
  }

  #draw(state: unknown, out: Float64Array, first: number): void {
    const { players } = this.#game;
    const hash = this.#hash;
    this.#packer.write(state, { bytes: this.#bytes, floats: this.#floats }, 0);
    hash.begin();
    hash.add(this.#bytes, 0, this.#bytes.length, 1);
    hash.add(this.#words, 0, this.#words.length, 2);
    let mean = 0;
    for (let seat = 0; seat < players; seat++) {
      // Each pair of seats shares the two draws of Box and Muller (1958); what one seat gains, the others lose.
      const radius = Math.sqrt(-2 * Math.log(share(hash.first, seat)));
      out[first + seat] = radius * Math.cos(2 * Math.PI * share(hash.second, seat));
      mean += out[first + seat]! / players;
    }
    const scale = players === 1 ? 1 : Math.sqrt(players / (players - 1));
    for (let seat = 0; seat < players; seat++)
      out[first + seat] =
        this.#even + this.#deviation * scale * (out[first + seat]! - (players === 1 ? 0 : mean));
  }
}

/** A number in (0, 1) from 32 bits of a hash, another for each seat. */
function share(bits: number, seat: number): number {
  let mixed = Math.imul(bits ^ (bits >>> 16) ^ Math.imul(seat + 1, 0x9e3779b1), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (((mixed ^ (mixed >>> 16)) >>> 0) + 0.5) / 2 ** 32;
}
