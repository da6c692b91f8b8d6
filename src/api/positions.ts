import type { Game } from "../games/game.ts";
import { LudoflowError } from "./errors.ts";

/**
 * Throws a LudoflowError with `ERR_POSITION` unless each value has the parts of a state of the game. What the rules demand of
 * these parts is not looked at. `called` names the value with an index in the message.
 */
export function assertPositions(
  game: Game<unknown>,
  values: readonly unknown[],
  called = (index: number) => `positions[${index}]`,
): void {
  const like = game.initial() as object;
  for (const [i, value] of values.entries()) {
    const wrong = wrongPosition(like, value);
    if (wrong !== undefined)
      throw new LudoflowError(
        "ERR_POSITION",
        `${called(i)} is not a state of ${game.name}: ${wrong}. States are made by game.initial() and game.play(state, action), and read from text by game.notation.parsePosition(text)`,
      );
  }
}

/** What is wrong with a value that should have the parts of the state `like`. */
function wrongPosition(like: object, value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return `it is ${kindOf(value)}`;
  if ("state" in value && !("state" in like))
    return "it is what parsePosition gives, whose state is the position";
  if ("error" in value && !("error" in like)) {
    const { message } = Object(value.error) as { readonly message?: unknown };
    return `parsePosition has refused the text${typeof message === "string" ? ` (${message})` : ""}`;
  }
  return difference(value, like, "");
}

/** The first part in which a state has another form than one of its game, as a sentence. */
function difference(value: unknown, like: unknown, path: string): string | undefined {
  // What is empty in one state may be filled in another one.
  if (like === undefined || like === null || value === null) return undefined;
  const [found, expected] = [kindOf(value), kindOf(like)];
  const containers = typeof value === "object" || typeof like === "object";
  if (value === undefined || (containers && found !== expected))
    return value === undefined ? `it has no ${path}` : `${path} is ${found}, not ${expected}`;
  if (ArrayBuffer.isView(like)) {
    const [have, want] = [(value as Uint8Array).length, (like as Uint8Array).length];
    return want === 0 || have === want ? undefined : `${path} has ${have} elements, not ${want}`;
  }
  if (typeof like !== "object" || Array.isArray(like)) return undefined;
  for (const key of Object.keys(like)) {
    const inner = difference(
      (value as Record<string, unknown>)[key],
      (like as Record<string, unknown>)[key],
      path === "" ? key : `${path}.${key}`,
    );
    if (inner !== undefined) return inner;
  }
  return undefined;
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "an array";
  if (typeof value !== "object") return `a ${typeof value}`;
  const { name = "Object" } = (value.constructor ?? {}) as { readonly name?: string };
  return name === "Object" ? "an object" : `${/^[AEIO]/.test(name) ? "an" : "a"} ${name}`;
}
