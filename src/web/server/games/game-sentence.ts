import type { StoredGame } from "../../../formats/game-records.ts";
import { type Markup, markup } from "../../../figures/markup.ts";
import { fixed, listed, readable } from "../../../figures/number-text.ts";
import type { Game } from "../../../games/game.ts";
import { tellsWinnerOnly } from "../../../games/outcome.ts";
import { seatName } from "../../../games/seat-name.ts";

/** The winner of a game and the margin, in a sentence with `b` alone. */
export function gameSentence(game: Game<unknown>, record: StoredGame): Markup {
  const { failure, returns, resigned, seats } = record;
  const names = playerNames(game, record);
  if (seats.length === 1)
    return markup`<b>${names[0]}</b> ${failure === undefined ? "scored" : "was aborted at"} <b>${readable(returns[0]!)}</b>`;
  if (failure !== undefined) return markup`Aborted: <b>${names[failure.seat]}</b> could not continue`;
  const best = Math.max(...returns);
  const winners = names.filter((_, seat) => returns[seat] === best);
  const others = names.filter((_, seat) => returns[seat] !== best);
  if (others.length === 0) return markup`<b>${listed(names)}</b> drew`;
  const scored = others.length === 1 && !tellsWinnerOnly(game);
  const [low] = returns.filter((value) => value !== best);
  const by = scored ? ` by ${readable(best - low!)}` : "";
  const points = scored ? `, ${readable(best)} to ${readable(low!)}` : "";
  if (others.length > 2)
    return markup`<b>${listed(winners)}</b> ${winners.length > 1 ? "shared the win" : "won"}`;
  const how = resigned === undefined ? "" : `; ${names[resigned]} gave up`;
  return markup`<b>${listed(winners)}</b> ${winners.length > 1 ? "shared the win" : "won"}${by} against <b>${listed(others)}</b>${points}${how}`;
}

/** By seat: its agent, with the name of the seat if an agent has several seats. */
function playerNames(game: Game<unknown>, { seats }: StoredGame): string[] {
  const twice = new Set(seats).size < seats.length;
  return seats.map((agent, seat) => (twice ? seatName(game, seat, agent) : agent));
}

/** What else is known of a game: its length, and the figures that the game gives. */
export function gameFacts({ actions, facts }: StoredGame): string[] {
  return [
    `${fixed(actions.length, 0)} plies`,
    ...Object.entries(facts).map(([name, value]) => `${words(name)} ${readable(value)}`),
  ];
}

/** `maxTile` as `max tile`. */
function words(name: string): string {
  return name.replaceAll(
    /([a-z])([A-Z])/g,
    (_, before: string, after: string) => `${before} ${after.toLowerCase()}`,
  );
}
