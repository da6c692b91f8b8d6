import { nearestName } from "../messages/did-you-mean.ts";
import { completeDrawing } from "./complete-drawing.ts";
import { delegate } from "./delegate.ts";
import {
  type Abilities,
  type Drawing,
  type Game,
  type NetAbilities,
  type Notation,
  OVER,
  type Planes,
} from "./game.ts";
import { plainPacking } from "./plain-packing.ts";
import { notPlain, readStateText, stateText } from "./plain-state.ts";

/** What a game defines itself; `completeGame` derives the rest of its contract. */
export interface GameRules<S>
  extends
    Pick<Game<S>, "actions" | "initial" | "toMove" | "legal" | "play" | "copy" | "returns">,
    Omit<Abilities<S>, "notation" | "drawing"> {
  /** Absent: the number of actions. A game with chance plies gives it, because outcomes count too. */
  readonly maxLegal?: number;
  /** The least and greatest return of a seat. Absent: 0 and 1, or without bounds in a game of one player. */
  readonly returnBounds?: readonly [number, number];
  /** Absent parts: moves are the numbers of their actions, and positions are states as JSON (`plain-state.ts`). */
  readonly notation?: Partial<Notation<S>>;
  /** Absent parts: the text of the position, and as SVG the board or else the text. */
  readonly drawing?: Partial<Drawing<S>>;
}

/** The rules of a game leave a gap that cannot be filled. The message says which, and what to add. */
class GameIncomplete extends Error {
  override readonly name = "GameIncomplete";
}

/** The game with everything that follows from its rules filled in; itself if nothing is missing. Throws GameIncomplete. */
export function completeGame<S>(name: string, players: number, given: GameRules<S>): Game<S> {
  assertRules(name, given);
  const { chance, maxLegal, returnBounds, nets, drawing } = given;
  if (chance !== undefined && maxLegal === undefined)
    throw new GameIncomplete(
      `${name}: maxLegal is missing: a game with chance plies says how many moves or outcomes a ply has at most`,
    );
  const notation = completeNotation(name, given);
  const game: Pick<
    Game<S>,
    "name" | "players" | "maxLegal" | "returnBounds" | "notation" | "drawing" | "nets"
  > = {
    name,
    players,
    maxLegal: maxLegal ?? given.actions,
    returnBounds: returnBounds ?? (players === 1 ? [-Infinity, Infinity] : [0, 1]),
    notation,
    drawing:
      drawing?.text !== undefined && drawing.svg !== undefined
        ? (drawing as Drawing<S>)
        : completeDrawing({ text: (state) => notation.position(state), ...drawing }),
    ...(nets === undefined ? {} : { nets: completeNets(name, nets, given) }),
  };
  // Built-in games are objects of classes, which some code asks for.
  if (Object.entries(game).every(([key, part]) => given[key as keyof GameRules<S>] === part))
    return given as Game<S>;
  // The methods of a class are not copied with an object of it.
  const rules = Object.getPrototypeOf(given) === Object.prototype ? given : delegate(given);
  return { ...rules, ...game };
}

/** Whether each part of the rules is needed, and whether it is a function. */
const parts: Readonly<Record<keyof GameRules<unknown>, "function" | "number" | "optional">> = {
  actions: "number",
  initial: "function",
  toMove: "function",
  legal: "function",
  play: "function",
  copy: "function",
  returns: "function",
  maxLegal: "optional",
  returnBounds: "optional",
  notation: "optional",
  drawing: "optional",
  endless: "optional",
  chance: "optional",
  symmetry: "optional",
  figures: "optional",
  nets: "optional",
  linear: "optional",
  search: "optional",
  depthFirst: "optional",
  playouts: "optional",
  information: "optional",
  solver: "optional",
};

function assertRules(name: string, given: unknown): void {
  const wrong = (message: string) => new GameIncomplete(`${name}: ${message}`);
  if (typeof given !== "object" || given === null)
    throw wrong("create returns no rules: return rules({ actions, initial, ... })");
  const rules = given as Readonly<Record<string, unknown>>;
  const missing = Object.entries(parts).filter(
    ([key, kind]) => kind !== "optional" && typeof rules[key] !== kind,
  );
  if (missing.length > 0) {
    const list = missing.map(([key, kind]) => `${key} (a ${kind})`).join(", ");
    throw wrong(`its rules have no ${list}; see docs/plugins.md#a-game`);
  }
  const { actions, maxLegal = 1 } = rules;
  for (const [key, count] of Object.entries({ actions, maxLegal }))
    if (!Number.isSafeInteger(count) || (count as number) < 1)
      throw wrong(`${key} is ${String(count)}; it must be a whole number from 1 on`);
  const { returnBounds } = rules;
  if (returnBounds !== undefined && !areBounds(returnBounds))
    throw wrong(
      `returnBounds are ${Array.isArray(returnBounds) ? `[${returnBounds.join(", ")}]` : typeof returnBounds}; they are [least, greatest] of all returns, -Infinity and Infinity if there is none`,
    );
  // Rules can have members of their own; a name beside a known one is a slip.
  for (const key of Object.keys(rules)) {
    const meant = key in parts ? undefined : nearestName(key, Object.keys(parts));
    if (meant !== undefined && !(meant in rules))
      throw wrong(`its rules have "${key}", which is not a part of rules; did you mean "${meant}"?`);
  }
}

function areBounds(bounds: unknown): boolean {
  if (!Array.isArray(bounds) || bounds.length !== 2) return false;
  const [least, greatest] = bounds as unknown[];
  return typeof least === "number" && typeof greatest === "number" && least < greatest;
}

function completeNets<S>(name: string, nets: NetAbilities<S>, rules: GameRules<S>): NetAbilities<S> {
  for (const [each, { shape, write }] of Object.entries(nets.planes ?? {}) as [string, Partial<Planes<S>>][])
    if (
      shape?.length !== 3 ||
      !shape.every((size) => Number.isSafeInteger(size) && size > 0) ||
      typeof write !== "function"
    )
      throw new GameIncomplete(
        `${name}: nets.planes.${each} must be { shape: [height, width, channels], write(state, out, offset) }`,
      );
  if (nets.packing !== undefined) return nets;
  const packing = plainPacking(rules.initial() as S & object);
  return packing === undefined ? nets : { ...nets, packing };
}

function completeNotation<S>(name: string, rules: GameRules<S>): Notation<S> {
  const { notation = {}, actions, chance, maxLegal = actions } = rules;
  const { format, parse, position, parsePosition, ...more } = notation;
  pair(name, "notation.format", format, "notation.parse", parse);
  pair(name, "notation.position", position, "notation.parsePosition", parsePosition);
  if (position === undefined) {
    const part = notPlain(rules.initial());
    if (part !== undefined)
      throw new GameIncomplete(
        `${name}: notation.position and notation.parsePosition are missing, and positions cannot be written as JSON: ${part}`,
      );
  }
  if (format !== undefined && position !== undefined) return notation as Notation<S>;
  const legal = new Int32Array(Math.max(maxLegal, actions, chance === undefined ? 0 : maxLegal));
  return {
    format: format ?? ((_, action) => String(action)),
    parse:
      parse ??
      ((state, text) => {
        if (!/^(0|[1-9]\d{0,8})$/.test(text) || rules.toMove(state) === OVER) return undefined;
        const action = Number(text);
        const count = rules.legal(state, legal);
        return legal.subarray(0, count).includes(action) ? action : undefined;
      }),
    position: position ?? stateText,
    parsePosition: parsePosition ?? ((text) => readStateText(text, rules.initial())),
    ...more,
  };
}

function pair(name: string, one: string, first: unknown, other: string, second: unknown): void {
  if ((first === undefined) === (second === undefined)) return;
  const [there, missing] = first === undefined ? [other, one] : [one, other];
  throw new GameIncomplete(`${name}: ${missing} is missing: it undoes ${there}`);
}
