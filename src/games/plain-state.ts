import { noPosition } from "./position-text.ts";
import type { PositionReading } from "./game.ts";

/**
 * States as text for games without a notation of positions: JSON, in which typed arrays are lists of numbers.
 *
 * A state is plain if it holds numbers, texts, truth values, null, typed arrays (no 64-bit integers), lists of these, and
 * objects of these.
 */

type NumberArray = Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array | FloatArray;
type FloatArray = Float32Array | Float64Array;

/** The first part of a state that is not plain: its place, such as `state.board.cells`, and what it is. */
export function notPlain(value: unknown, place = "state"): string | undefined {
  if (typeof value === "number")
    return Number.isFinite(value) ? undefined : `${place} is ${value}, which JSON does not have`;
  if (value === null || typeof value === "string" || typeof value === "boolean") return undefined;
  if (isNumberArray(value)) return undefined;
  if (Array.isArray(value)) return firstOf(value.map((item, i) => notPlain(item, `${place}[${i}]`)));
  if (typeof value === "object" && isPlainObject(value))
    return firstOf(Object.entries(value).map(([key, item]) => notPlain(item, `${place}.${key}`)));
  return `${place} is a ${typeof value === "object" ? value.constructor.name : typeof value}`;
}

/** The text of a plain state: one line. */
export function stateText(state: unknown): string {
  return JSON.stringify(state, (_, value: unknown) => (isNumberArray(value) ? [...value] : value));
}

/**
 * Reads a text that `stateText` gives for states with the same keys and kinds of values as `like`, and typed arrays of
 * the same lengths. What else the rules demand of a state is not looked at. Never throws.
 */
export function readStateText<S>(text: string, like: S): PositionReading<S> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return noPosition("ERR_SYNTAX", `the position is not JSON: ${(error as Error).message}`);
  }
  try {
    return { state: shaped(value, like, "state") as S };
  } catch (error) {
    if (!(error instanceof Misshaped)) throw error;
    return noPosition(error.code, error.message);
  }
}

class Misshaped extends Error {
  readonly code: "ERR_SYNTAX" | "ERR_SIZE";

  constructor(code: "ERR_SYNTAX" | "ERR_SIZE", message: string) {
    super(message);
    this.code = code;
  }
}

function shaped(value: unknown, like: unknown, place: string): unknown {
  const wrong = (expected: string): never => {
    throw new Misshaped("ERR_SYNTAX", `${place}: expected ${expected}`);
  };
  if (isNumberArray(like)) {
    if (!Array.isArray(value)) return wrong("a list of numbers");
    if (value.length !== like.length)
      throw new Misshaped("ERR_SIZE", `${place}: expected ${like.length} numbers, found ${value.length}`);
    const array = like.slice();
    for (const [i, item] of value.entries()) {
      if (typeof item !== "number") return wrong("a list of numbers");
      array[i] = item;
      if (array[i] !== item) return wrong(`numbers of ${like.constructor.name}, not ${item}`);
    }
    return array;
  }
  if (Array.isArray(like)) {
    if (!Array.isArray(value)) return wrong("a list");
    // An empty list does not show what it may hold.
    if (like.length === 0) {
      const part = notPlain(value, place);
      return part === undefined ? value : wrong(`plain values; ${part}`);
    }
    return value.map((item, i) => shaped(item, like[Math.min(i, like.length - 1)], `${place}[${i}]`));
  }
  if (like === null)
    return value === null || typeof value === "number" || typeof value === "string"
      ? value
      : wrong("null, a number or a text");
  if (typeof like === "object") {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return wrong("a map");
    const keys = Object.keys(like);
    const given = Object.keys(value);
    if (given.length !== keys.length || !keys.every((key) => Object.hasOwn(value, key)))
      return wrong(`the keys ${keys.join(", ")}`);
    return Object.fromEntries(
      keys.map((key) => [
        key,
        shaped(
          (value as Record<string, unknown>)[key],
          (like as Record<string, unknown>)[key],
          `${place}.${key}`,
        ),
      ]),
    );
  }
  return typeof value === typeof like ? value : wrong(`a ${typeof like}`);
}

function isNumberArray(value: unknown): value is NumberArray {
  return (
    ArrayBuffer.isView(value) &&
    !(value instanceof DataView) &&
    !(value instanceof BigInt64Array) &&
    !(value instanceof BigUint64Array)
  );
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function firstOf(texts: readonly (string | undefined)[]): string | undefined {
  return texts.find((text) => text !== undefined);
}
