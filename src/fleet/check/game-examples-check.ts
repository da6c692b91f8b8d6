import { ByteReader } from "../../formats/byte-stream.ts";
import type { Game } from "../../games/game.ts";
import type { GameExampleOptions } from "../../operators/play/examples/game-examples.ts";
import {
  isPolicyOver,
  type KeptDecision,
  readDecision,
  valueTarget,
} from "../../operators/play/examples/game-examples.ts";
import { PacketInvalid } from "../wire/packet.ts";
import type { ExamplesCheck, PlayedDecision } from "./played-record.ts";

/** How far sums of weights, each in float32, may be off, as a part of them. */
const WEIGHT_TOLERANCE = 1e-5;

/** An example that was read, whose values are known when the game is over. */
interface ReadExample {
  readonly ply: number;
  readonly values: Float32Array;
  readonly learned: boolean;
  readonly weight: number;
  /** By seat, at the decision: the score, and the value that the player found. */
  readonly scores: Float64Array;
  readonly found: readonly number[];
}

/**
 * Checks examples of a game that is stored whole: they are those of its decisions, with the values that its record gives, and
 * with policies over the legal actions. `game` gives the returns as the learner plays it.
 */
export class GameExamplesCheck implements ExamplesCheck {
  readonly #game: Game<unknown>;
  readonly #options: GameExampleOptions;
  readonly #from: ByteReader;
  readonly #values: Float32Array;
  readonly #read: ReadExample[] = [];
  #left: number;
  #next: KeptDecision | undefined;

  constructor(game: Game<unknown>, options: GameExampleOptions, samples: Uint8Array, actions: Int32Array) {
    this.#game = game;
    this.#options = options;
    this.#from = new ByteReader(samples, "a message");
    this.#values = new Float32Array(game.players);
    const own = this.#from.varints();
    if (own.length !== actions.length || own.some((action, ply) => action !== actions[ply]))
      throw new PacketInvalid("its examples are of another game than its record");
    this.#left = this.#from.varint();
    this.#advance(-1);
  }

  decided({ legal, ply, state, values: found }: PlayedDecision): void {
    const next = this.#next;
    if (next?.ply !== ply) {
      // Where quick decisions give no examples, each may be one of them.
      if (this.#options.quick === "drop" && (next === undefined || next.ply > ply)) return;
      throw new PacketInvalid(`its examples are not those of its decisions, at ply ${ply}`);
    }
    if (next.policy === undefined ? this.#options.quick === "drop" : !isPolicyOver(next.policy, legal.length))
      throw new PacketInvalid(`an example has no policy over the legal moves, at ply ${ply}`);
    const scores = new Float64Array(this.#game.players);
    this.#game.returns(state, scores);
    const { policy, weight } = next;
    const learned = policy !== undefined;
    this.#read.push({ ply, values: this.#values.slice(), learned, weight, scores, found });
    this.#advance(ply);
  }

  ended(state: unknown): void {
    if (this.#next !== undefined)
      throw new PacketInvalid("its examples are not those of its decisions: there are too many");
    this.#from.end();
    const returns = new Float64Array(this.#game.players);
    this.#game.returns(state, returns);
    const { resultWeight, surprise = 0, values: exact } = this.#options;
    const [lowest, highest] = this.#game.returnBounds;
    const solvedFrom = exact?.solver.fromPly ?? Infinity;
    checkWeights(this.#read, surprise);
    for (const { found, ply, scores, values } of this.#read)
      for (const [seat, value] of values.entries()) {
        // To solve the positions again would take the process of the run as long as the joiners.
        if (ply >= solvedFrom) {
          if (
            !(value >= Math.fround(lowest - scores[seat]!) && value <= Math.fround(highest - scores[seat]!))
          )
            throw new PacketInvalid("an example has a value that no game can have");
          continue;
        }
        const target = valueTarget(resultWeight, ply, returns[seat]! - scores[seat]!, found[seat]!);
        if (!Number.isFinite(value) || !Object.is(value, Math.fround(target)))
          throw new PacketInvalid("an example has another value than its record gives");
      }
  }

  #advance(ply: number): void {
    this.#next = this.#left-- > 0 ? readDecision(this.#from, ply, this.#values) : undefined;
  }
}

/**
 * Checks the weights of the examples of a game. Only a search knows how surprising its policies are, but it shares out no more than
 * this part of the weights, and leaves their sum.
 */
function checkWeights(examples: readonly ReadExample[], surprise: number): void {
  const learned = examples.filter((example) => example.learned);
  const sum = learned.reduce((all, { weight }) => all + weight, 0);
  const least = surprise === 0 ? 1 : (1 - surprise) * (1 - WEIGHT_TOLERANCE);
  if (
    examples.some(({ learned: own, weight }) => !(own ? weight >= least : weight === 1)) ||
    !(Math.abs(sum - learned.length) <= WEIGHT_TOLERANCE * learned.length * Number(surprise > 0))
  )
    throw new PacketInvalid("its examples have other weights than this game can have");
}
