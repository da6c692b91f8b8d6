import type { Game, Packing } from "../../../games/game.ts";
import { type ExampleReader, newPolicyTarget, type PolicyTarget } from "./example-reader.ts";

/** One position with its targets. */
export interface Example<S> {
  readonly state: S;
  /** The value target: the return of each seat from the position on. */
  readonly values: readonly number[];
  /** The policy target: a probability by action; absent if there is none. */
  readonly policy?: { readonly actions: Int32Array; readonly weights: Float64Array };
}

/**
 * Encodes examples as bytes, little-endian: the packed state, one float32 per seat, a uint16 number of policy entries, and
 * for each entry a uint32 action and a float32 weight. `encodeAll` puts a uint32 length before each example.
 */
export class ExampleCodec<S> {
  readonly #game: Game<S>;
  readonly #packing: Packing<S>;

  constructor(game: Game<S>) {
    if (game.nets?.packing === undefined) throw new Error(`game "${game.name}" cannot pack its states`);
    this.#game = game;
    this.#packing = game.nets.packing;
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

  /** Reads one example into `state` and `values`, and calls `entry` for each of its policy entries. */
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

/** The offset of each example, its length field included, in bytes from `encodeAll`. */
export function exampleOffsets(bytes: Uint8Array): Uint32Array {
  const offsets: number[] = [];
  for (let at = 0; at < bytes.byteLength; at = afterExample(bytes, at)) offsets.push(at);
  return Uint32Array.from(offsets);
}

/** The offset of the example after the example at an offset. */
function afterExample(bytes: Uint8Array, offset: number): number {
  return offset + 4 + new DataView(bytes.buffer, bytes.byteOffset + offset).getUint32(0, true);
}

/** An example as it is stored: its state is packed. */
export interface PackedExample {
  readonly state: Uint8Array;
  readonly values: Float32Array;
  /** Of its policy entries; empty if it has none. */
  readonly actions: Int32Array;
  readonly weights: Float32Array;
}

/** Reads bytes from `encodeAll` that may be damaged: lengths must fit, and nothing may be left over. Throws RangeError. */
export function readPacked({ nets, players }: Game<unknown>, bytes: Uint8Array): PackedExample[] {
  const size = nets!.packing!.bytes;
  const fixed = size + 4 * players + 2;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const examples: PackedExample[] = [];
  for (let at = 0; at < bytes.length; at = afterExample(bytes, at)) {
    const first = at + 4;
    const length = first + fixed > bytes.length ? 0 : view.getUint32(at, true);
    const entries = length < fixed ? 0 : view.getUint16(first + fixed - 2, true);
    if (length !== fixed + 8 * entries || first + length > bytes.length)
      throw new RangeError("an example has another length than its parts");
    const float = (place: number) => view.getFloat32(place, true);
    examples.push({
      state: bytes.slice(first, first + size),
      values: Float32Array.from({ length: players }, (_, seat) => float(first + size + 4 * seat)),
      actions: Int32Array.from({ length: entries }, (_, i) => view.getUint32(first + fixed + 8 * i, true)),
      weights: Float32Array.from({ length: entries }, (_, i) => float(first + fixed + 8 * i + 4)),
    });
  }
  return examples;
}

/** Reads examples that are stored as single positions. They hold nothing about the rest of their games. */
export class PositionExampleReader<S> implements ExampleReader<S> {
  readonly state: S;
  readonly end: S;
  readonly values: Float32Array;
  readonly policy: PolicyTarget;
  readonly reply: PolicyTarget = newPolicyTarget(0);
  policyWeight = 0;
  readonly weight = 1;
  readonly #codec: ExampleCodec<S>;

  constructor(game: Game<S>) {
    this.#codec = new ExampleCodec(game);
    this.state = game.initial();
    this.end = this.state;
    this.values = new Float32Array(game.players);
    this.policy = newPolicyTarget(game.maxLegal);
  }

  read(bytes: Uint8Array, number: number): void {
    let offset = 0;
    for (let i = 0; i < number; i++) offset = afterExample(bytes, offset);
    const { policy } = this;
    policy.count = 0;
    this.#codec.decode(bytes.subarray(offset + 4), this.state, this.values, (action, weight) => {
      policy.actions[policy.count] = action;
      policy.weights[policy.count++] = weight;
    });
    this.policyWeight = policy.count > 0 ? 1 : 0;
  }
}
