import { CARDS, cardsIn, exchangeStrength, listCards } from "./cards.ts";
import { ALL_PLAYERS, WrongPosition } from "./position-parts.ts";
import { GIFTS, HANDS, playerOfRank } from "./state.ts";

/** The hand of a player, as two words of cards. */
export function handOf(words: Int32Array, player: number): readonly [low: number, high: number] {
  return [words[HANDS + 2 * player]!, words[HANDS + 2 * player + 1]!];
}

/** By gift: its number of cards. */
export function giftSizes(words: Int32Array): number[] {
  return [0, 1, 2, 3].map((i) => cardsIn(words[GIFTS + 2 * i]!, words[GIFTS + 2 * i + 1]!));
}

/**
 * Checks the gifts, because `determinize` relies on them: they have the right number of cards, the cards are where they
 * were given or have been played, and a player that gave its strongest cards holds no stronger one of its own.
 */
export function checkGifts(words: Int32Array, counts: readonly number[]): void {
  const given = giftSizes(words);
  if (given.join() !== counts.join())
    throw new WrongPosition(
      "ERR_CARDS",
      `the gifts have ${given.join(", ")} cards; here they have ${counts.join(", ")}`,
    );
  if (given[0] === 0) return;
  for (const [rank, gift] of [
    [4, GIFTS],
    [3, GIFTS + 2],
  ] as const) {
    const giver = playerOfRank(words, rank);
    const receiver = playerOfRank(words, 4 - rank);
    const [low, high] = [words[gift]!, words[gift + 1]!];
    const [backLow, backHigh] = [words[gift + 4]!, words[gift + 5]!];
    for (const player of ALL_PLAYERS) {
      const [handLow, handHigh] = handOf(words, player);
      if (player !== receiver && (handLow & low & ~backLow || handHigh & high & ~backHigh))
        throw new WrongPosition(
          "ERR_CARDS",
          `player ${player + 1} holds a card that was given to player ${receiver + 1}`,
        );
      if (player !== giver && (handLow & backLow || handHigh & backHigh))
        throw new WrongPosition(
          "ERR_CARDS",
          `player ${player + 1} holds a card that was returned to player ${giver + 1}`,
        );
    }
    const [ownLow, ownHigh] = handOf(words, giver);
    if (strongest(ownLow & ~backLow, ownHigh & ~backHigh) > weakest(low, high))
      throw new WrongPosition(
        "ERR_CARDS",
        `player ${giver + 1} holds a card stronger than the strongest that it gave`,
      );
  }
}

function strengths(low: number, high: number): number[] {
  const cards = new Uint8Array(CARDS);
  return Array.from(cards.subarray(0, listCards(low, high, cards)), exchangeStrength);
}

function strongest(low: number, high: number): number {
  return Math.max(-1, ...strengths(low, high));
}

function weakest(low: number, high: number): number {
  return Math.min(CARDS, ...strengths(low, high));
}
