import { Type, type Static } from "../schema.ts";
import { CHANCE, type Game, type Packing } from "../games/game.ts";
import { choice } from "./choice.ts";

/** What is learned from a self-play game. */
export const examplesSchema = choice("use", "What is learned from each game.", [
  Type.Object(
    {
      use: Type.Literal("search-samples", {
        description:
          "Positions that the search sampled from its trees, with their values in the tree (MC Softmax).",
      }),
    },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      use: Type.Literal("td", {
        description:
          "Positions along the moves really played, with lambda-returns: the values the agent found at its next decisions, mixed with the rewards really earned.",
      }),
      lambda: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0,
        description: "0: the value of the next decision (TD(0)); 1: the return really earned (Monte Carlo).",
      }),
    },
    { additionalProperties: false },
  ),
]);

/** What is learned from a self-play game. */
export type ExamplesConfig = Static<typeof examplesSchema>;

/** One position to learn from. */
export interface Example<S> {
  readonly state: S;
  /** What each seat is to earn from the position on, by seat. */
  readonly values: readonly number[];
  /** A target probability by action; absent where no policy is learned. */
  readonly policy?: { readonly actions: Int32Array; readonly weights: Float64Array };
}

/**
 * Examples as bytes, little-endian: the packed state, one float32 per seat, a uint16 count of policy entries, and
 * for each a uint32 action and a float32 weight. `encodeAll` puts a uint32 length before each example.
 */
export class ExampleCodec<S> {
  readonly #game: Game<S>;
  readonly #packing: Packing<S>;

  constructor(game: Game<S>) {
    if (game.packing === undefined) throw new Error(`game "${game.name}" cannot pack its states`);
    this.#game = game;
    this.#packing = game.packing;
  }

  encodeAll(examples: readonly Example<S>[]): Uint8Array {
    const fixed = this.#packing.bytes + 4 * this.#game.players + 2;
    const lengths = examples.map((example) => fixed + 8 * (example.policy?.actions.length ?? 0));
    const bytes = new Uint8Array(lengths.reduce((sum, length) => sum + 4 + length, 0));
    const view = new DataView(bytes.buffer);
    let at = 0;
    for (const [index, example] of examples.entries()) {
      view.setUint32(at, lengths[index]!, true);
      at += 4;
      this.#packing.pack(example.state, bytes, at);
      at += this.#packing.bytes;
      for (let seat = 0; seat < this.#game.players; seat++, at += 4)
        view.setFloat32(at, example.values[seat]!, true);
      const { actions, weights } = example.policy ?? { actions: [], weights: [] };
      view.setUint16(at, actions.length, true);
      at += 2;
      for (let i = 0; i < actions.length; i++, at += 8) {
        view.setUint32(at, actions[i]!, true);
        view.setFloat32(at + 4, weights[i]!, true);
      }
    }
    return bytes;
  }

  /** Reads one example into `state` and `values`, and hands its policy entries to `entry`. */
  decode(
    bytes: Uint8Array,
    state: S,
    values: Float32Array,
    entry: (action: number, weight: number) => void,
  ): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#packing.unpack(bytes, 0, state);
    let at = this.#packing.bytes;
    for (let seat = 0; seat < this.#game.players; seat++, at += 4) values[seat] = view.getFloat32(at, true);
    const entries = view.getUint16(at, true);
    at += 2;
    for (let i = 0; i < entries; i++, at += 8) entry(view.getUint32(at, true), view.getFloat32(at + 4, true));
  }
}

/** The places of the examples in what `encodeAll` made: for each its offset and length. */
export function exampleSpans(bytes: Uint8Array): { readonly offset: number; readonly length: number }[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const spans: { offset: number; length: number }[] = [];
  for (let at = 0; at < bytes.byteLength;) {
    const length = view.getUint32(at, true);
    spans.push({ offset: at + 4, length });
    at += 4 + length;
  }
  return spans;
}

/** One decision of a finished game, as lambda-returns need it. */
export interface DecisionTrace {
  /** Where the decision stands in the list of actions. */
  readonly ply: number;
  /** What the agent expected each seat to earn from here on. */
  readonly values: readonly number[];
  /** Its visits by action, for policy targets. */
  readonly actions: Int32Array;
  readonly visits: Float64Array;
}

/**
 * Examples along the moves really played, with lambda-returns.
 *
 * With D_t the value that the agent found at its decision t, R_t what was earned before it, and decisions 0..T-1:
 * G_t = (1 - lambda) D_t + lambda (r_t + G_{t+1}), G_T = 0, r_t = R_{t+1} - R_t. Where chance moves after a decision
 * the position learned is the afterstate and its target is G_{t+1}; elsewhere it is the position decided in, with
 * target r_t + G_{t+1}, and its visits as policy.
 */
export function lambdaExamples<S>(
  game: Game<S>,
  actions: ArrayLike<number>,
  decisions: readonly DecisionTrace[],
  lambda: number,
): Example<S>[] {
  const seats = game.players;
  const scratch = new Float64Array(seats);
  const state = game.initial();
  const positions: { state: S; after: boolean; earned: number[] }[] = [];
  let next = 0;
  for (let ply = 0; ply < actions.length; ply++) {
    const decided = next < decisions.length && decisions[next]!.ply === ply;
    if (!decided) {
      game.play(state, actions[ply]!);
      continue;
    }
    next++;
    const position = game.initial();
    game.copy(state, position);
    game.returns(state, scratch);
    game.play(state, actions[ply]!);
    const after = game.toMove(state) === CHANCE;
    if (after) game.copy(state, position);
    positions.push({ state: position, after, earned: [...scratch] });
  }
  game.returns(state, scratch);
  const examples: Example<S>[] = [];
  let earnedNext = [...scratch];
  let onward = scratch.map(() => 0);
  for (let t = positions.length - 1; t >= 0; t--) {
    const { state: position, after, earned } = positions[t]!;
    const trace = decisions[t]!;
    const whole = onward.map((value, seat) => earnedNext[seat]! - earned[seat]! + value);
    examples.push(
      after
        ? { state: position, values: [...onward] }
        : {
            state: position,
            values: [...whole],
            policy: { actions: trace.actions, weights: normalised(trace.visits) },
          },
    );
    onward = whole.map((value, seat) => (1 - lambda) * trace.values[seat]! + lambda * value);
    earnedNext = earned;
  }
  return examples.toReversed();
}

function normalised(visits: Float64Array): Float64Array {
  const total = visits.reduce((sum, count) => sum + count, 0);
  return visits.map((count) => count / total);
}
