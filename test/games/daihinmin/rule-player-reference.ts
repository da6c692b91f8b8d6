import { RANKS, strength, SUITS, WITH_VIRTUAL } from "./reference.ts";
import type { PlainDaihinmin } from "./reference.ts";

/** A run of one suit: the cells from `from` on, `*` before the cell that the joker stands for. */
interface Run {
  readonly suit: string;
  readonly from: number;
  readonly cells: readonly string[];
}

/**
 * The player by rule, written plainly from its description on cards that are texts. A move that breaks a rule becomes a
 * pass.
 */
export function plainDefaultMove(game: PlainDaihinmin): string {
  const { table } = game;
  const hand = game.hands[game.mover]!;
  const text = table === undefined ? lead(game, hand) : follow(game, hand, table);
  return text !== undefined && game.legal().includes(text) ? text : "pass";
}

/** The cards that the player by rule returns: the weakest ranks, of one rank the first suits, never the joker. */
export function plainDefaultReturn(hand: readonly string[], count: number): string[] {
  return RANKS.split("")
    .flatMap((rank) => SUITS.map((suit) => suit + rank))
    .filter((card) => hand.includes(card))
    .slice(0, count);
}

function lead(game: PlainDaihinmin, hand: ReadonlySet<string>): string | undefined {
  const joker = hand.has("JK");
  const runs = runsOf((card) => hand.has(card), joker, game.virtual);
  const longest = Math.max(...runs.map(({ cells }) => cells.length));
  const run = weakestRun(
    runs.filter(({ cells }) => cells.length === longest),
    game.revolution,
  );
  if (run !== undefined) return run.cells.join(" ");
  const ranks = ranksFromWeakest(game.revolution);
  const groups = ranks
    .map((rank) => groupOf(rank, SUITS, hand, joker))
    .filter((group) => group !== undefined && group.length > 1)
    .toSorted((a, b) => b!.length - a!.length);
  if (groups.length > 0) return groups[0]!.join(" ");
  return weakestCard([...hand], game.revolution) ?? "JK";
}

function follow(
  game: PlainDaihinmin,
  hand: ReadonlySet<string>,
  { play, suits: tableSuits, ranks: tableRanks }: NonNullable<PlainDaihinmin["table"]>,
): string | undefined {
  if (play.kind === "joker") return "pass";
  const joker = hand.has("JK");
  const suits = game.lock ? tableSuits.split(",") : SUITS;
  const beats = (rank: string) =>
    game.revolution ? strength(rank) < Math.min(...tableRanks) : strength(rank) > Math.max(...tableRanks);
  const usable = new Set([...hand].filter((card) => suits.includes(card[0]!) && beats(card[1]!)));
  if (play.kind === "single") {
    const rest = [...usable].filter((card) => !isInGroup(card, hand) && !isInNaturalRun(card, hand));
    return weakestCard(rest, game.revolution) ?? (joker ? "JK" : undefined);
  }
  for (const withJoker of joker ? [false, true] : [false]) {
    if (play.kind === "group") {
      for (const rank of ranksFromWeakest(game.revolution)) {
        const group = groupOf(rank, suits, usable, withJoker);
        if (group?.length === play.cells.length) return group.join(" ");
      }
      continue;
    }
    const runs = runsOf((card) => usable.has(card), withJoker, game.virtual);
    const run = weakestRun(
      runs.filter(({ cells }) => cells.length === play.cells.length),
      game.revolution,
    );
    if (run !== undefined) return run.cells.join(" ");
  }
  return undefined;
}

/** From every cell on: held cards in sequence, the joker for the first card that is not held, 3 to 11 cells in all. */
function runsOf(held: (card: string) => boolean, joker: boolean, virtual: boolean): Run[] {
  const runs: Run[] = [];
  for (const suit of SUITS)
    for (let from = 0; from < WITH_VIRTUAL.length; from++) {
      const cells: string[] = [];
      let left = joker;
      for (const rank of WITH_VIRTUAL.slice(from)) {
        const card = suit + rank;
        if (held(card)) cells.push(card);
        else if (left && (virtual || RANKS.includes(rank))) {
          left = false;
          cells.push(`*${card}`);
        } else break;
      }
      if (cells.length >= 3 && cells.length <= 11) runs.push({ suit, from, cells });
    }
  return runs;
}

/** The lowest start and of equals the first suit; under a revolution the highest start and the last suit. */
function weakestRun(runs: readonly Run[], revolution: boolean): Run | undefined {
  const sorted = runs.toSorted((a, b) => a.from - b.from || SUITS.indexOf(a.suit) - SUITS.indexOf(b.suit));
  return sorted.at(revolution ? -1 : 0);
}

function ranksFromWeakest(revolution: boolean): string[] {
  return revolution ? RANKS.split("").toReversed() : RANKS.split("");
}

/** All held cards of a rank in these suits, with the joker for the first suit not held or as the fifth card. */
function groupOf(
  rank: string,
  suits: readonly string[],
  held: ReadonlySet<string>,
  joker: boolean,
): string[] | undefined {
  if (!suits.some((suit) => held.has(suit + rank))) return undefined;
  const missing = suits.find((suit) => !held.has(suit + rank));
  const cells = suits.flatMap((suit) => {
    if (held.has(suit + rank)) return [suit + rank];
    return joker && suit === missing ? [`*${suit}${rank}`] : [];
  });
  return joker && missing === undefined ? [...cells, `*X${rank}`] : cells;
}

/** The card of the weakest rank, of equals the first suit; never the joker. */
function weakestCard(cards: readonly string[], revolution: boolean): string | undefined {
  return ranksFromWeakest(revolution)
    .flatMap((rank) => SUITS.map((suit) => suit + rank))
    .find((card) => cards.includes(card));
}

function isInGroup(card: string, hand: ReadonlySet<string>): boolean {
  return SUITS.filter((suit) => hand.has(suit + card[1]!)).length > 1;
}

/** Whether the card lies in three held cards of its suit in sequence. */
function isInNaturalRun(card: string, hand: ReadonlySet<string>): boolean {
  const at = RANKS.indexOf(card[1]!);
  return [at - 2, at - 1, at].some(
    (from) => from >= 0 && [0, 1, 2].every((i) => hand.has(card[0]! + (RANKS[from + i] ?? "?"))),
  );
}
