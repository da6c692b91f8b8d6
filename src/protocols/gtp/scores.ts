import type { Game } from "../../games/game.ts";

/** The returns of all seats, those so far before the end. */
function returnsOf(game: Game<unknown>, state: unknown): Float64Array {
  const returns = new Float64Array(game.players);
  game.returns(state, returns);
  return returns;
}

/** The score of a game of two colours as in Go: the leader and its lead, `B+2`, or `0`. `initials` are by seat. */
export function leadOf(game: Game<unknown>, state: unknown, initials: readonly [string, string]): string {
  const [first, second] = returnsOf(game, state) as unknown as readonly [number, number];
  return leadText(first - second, initials);
}

/** The lead of the first of two colours as text: `B+2`, `W+2` or `0`. `initials` are by seat. */
export function leadText(lead: number, initials: readonly [string, string]): string {
  return lead === 0 ? "0" : `${initials[lead > 0 ? 0 : 1]}+${Math.abs(lead)}`;
}

/** The lead of Black in a score as text, `B+2`, `W+2` or `0`; NaN if the text is no score. */
export function readLead(text: string): number {
  if (/^(0|draw|jigo)$/i.test(text)) return 0;
  const match = /^([BW])\+(\d+(?:\.\d*)?)$/i.exec(text);
  return match === null ? NaN : Number(match[2]) * (match[1]!.toUpperCase() === "B" ? 1 : -1);
}

/** The score of every seat, in the order of seats, with blanks between them; `above` is added to each. */
export function scoresInOrder(game: Game<unknown>, state: unknown, above: number): string {
  return returnsOf(game, state)
    .map((score) => score + above)
    .join(" ");
}

/** The place of a seat: 1 for the highest score, followed by ` shared` if other seats have the same score. */
export function placeOf(game: Game<unknown>, state: unknown, seat: number): string {
  const returns = returnsOf(game, state);
  const own = returns[seat]!;
  const place = 1 + returns.filter((score) => score > own).length;
  return returns.filter((score) => score === own).length > 1 ? `${place} shared` : String(place);
}
