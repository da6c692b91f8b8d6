import { cardOfText, cardText } from "../../games/daihinmin/cards.ts";
import {
  HIGH_OF,
  KIND_OF,
  LOW_OF,
  PASS,
  playOfText,
  PLAYS,
  SEQUENCE,
  SIZE_OF,
  takesJoker,
} from "../../games/daihinmin/plays.ts";
import { TABLE_KINDS } from "../../games/daihinmin/legal.ts";
import { daihinminPosition } from "../../games/daihinmin/position.ts";
import { type DaihinminState, GameDaihinmin } from "../../games/daihinmin/daihinmin.ts";
import { RefereeError, type RefereeParticulars, type RefereeRequest } from "./particulars.ts";

/** What the referee offers for Daihinmin: `set` by what the player to move sees, and `branching`. */
export const particularsDaihinmin: RefereeParticulars = {
  rules: "daihinmin",
  of: (game) => game instanceof GameDaihinmin,
  set: (_, request) => stateOfHand(request),
  commands: { branching: (_game, _state, { longest }) => branchingBounds(longest) },
};

/** The state in which the player to move sees what the request describes. Throws RefereeError for an impossible one. */
function stateOfHand(request: RefereeRequest): DaihinminState {
  const { hand, table = null, lock = false, revolution = false } = request;
  if (!Array.isArray(hand) || hand.length === 0)
    throw new RefereeError('"set" needs "hand": a list of one card or more such as ["S3","HT","JK"]');
  const cards = hand.map((text: unknown) => {
    const card = typeof text === "string" ? cardOfText(text) : undefined;
    if (card === undefined)
      throw new RefereeError(
        `${JSON.stringify(text)} is no card: a suit of S, H, D, C and a rank of 3456789TJQKA2, or JK`,
      );
    return card;
  });
  const twice = cards.find((card, i) => cards.indexOf(card) < i);
  if (twice !== undefined) throw new RefereeError(`the hand has ${cardText(twice)} twice`);
  for (const [name, value] of Object.entries({ lock, revolution }))
    if (typeof value !== "boolean") throw new RefereeError(`"${name}" must be true or false`);
  const play = playOnTable(table);
  return daihinminPosition({
    hand: cards,
    table: play,
    lock: lock === true && play !== PASS,
    revolution: revolution === true,
  });
}

function playOnTable(table: unknown): number {
  if (table === null) return PASS;
  const kinds = Object.keys(TABLE_KINDS).join(", ");
  if (typeof table !== "object" || !("kind" in table))
    throw new RefereeError(`"table" must be null or have "kind" (${kinds}) and "cells" such as "HQ *DQ"`);
  const { kind, cells } = table as { kind: unknown; cells?: unknown };
  const known = typeof kind === "string" && Object.hasOwn(TABLE_KINDS, kind) ? TABLE_KINDS[kind] : undefined;
  if (known === undefined)
    throw new RefereeError(`"kind" of a table must be one of ${kinds}, not ${JSON.stringify(kind)}`);
  const text = kind === "joker" ? "JK" : cells;
  const play = typeof text === "string" ? playOfText(text) : undefined;
  if (play === undefined || play === PASS || KIND_OF[play] !== known)
    throw new RefereeError(`${JSON.stringify(cells)} is no ${String(kind)}: cells look like "HQ *DQ"`);
  return play;
}

/**
 * The number of plays that are possible on an empty table over all hands: without pass, suits distinguished, sequences
 * of up to `longest` cards (10 if absent), no virtual ranks. Source: Tsubokura and Nishino, section 4.2.
 */
function branchingBounds(longest: unknown = 10): {
  readonly withoutJoker: number;
  readonly withJoker: number;
} {
  if (!Number.isInteger(longest) || (longest as number) < 3 || (longest as number) > 11)
    throw new RefereeError('"longest" must be a whole number from 3 to 11: cards of a sequence');
  const plays = Array.from({ length: PLAYS - 1 }, (_, i) => i + 1).filter(
    (play) =>
      KIND_OF[play] !== SEQUENCE ||
      (SIZE_OF[play]! <= (longest as number) && LOW_OF[play]! > 0 && HIGH_OF[play]! < 14),
  );
  return { withoutJoker: plays.filter((play) => !takesJoker(play)).length, withJoker: plays.length };
}
