import type { Random } from "../../random.ts";
import { CARD_HIGH, CARD_LOW, CARDS, cardsIn, exchangeStrength, listCards, PLAYERS } from "./cards.ts";
import { PLAYS } from "./plays.ts";
import type { DaihinminState } from "./state.ts";
import { GIFTS, HANDS, PHASE, playerOfRank, RANKS, RETURNING_TWO, TO_MOVE } from "./state.ts";
import type { Information } from "../game.ts";

/** What `determinize` works on; a call leaves nothing in it. */
const counts = new Uint8Array(PLAYERS);
const cards = new Uint8Array(CARDS);

/**
 * What a player of Daihinmin has seen: its own hand, the cards played, how many cards everyone holds, places, and of the
 * exchange the cards that it gave or got.
 *
 * From these it follows who holds a card that was given and has not been played since, and that the player who gave its
 * strongest cards kept none that is stronger. Whom the rest belongs to is drawn with equal probability from all that is
 * possible. What others chose to return tells nothing about the rest of their hands here; nor does a pass.
 */
export const daihinminInformation: Information<DaihinminState> = {
  determinize({ words: from }, seat, random, { words }) {
    words.set(from);
    let low = 0;
    let high = 0;
    for (let player = 0; player < PLAYERS; player++) {
      counts[player] = 0;
      if (player === seat) continue;
      const at = HANDS + 2 * player;
      counts[player] = cardsIn(from[at]!, from[at + 1]!);
      low |= from[at]!;
      high |= from[at + 1]!;
      words[at] = 0;
      words[at + 1] = 0;
    }
    if (from[RANKS] !== -1) {
      const partner = partnerOf(from, seat);
      if (partner >= 0) {
        const known = knownOf(from, seat);
        give(words, partner, known[0] & low, known[1] & high);
        low &= ~known[0];
        high &= ~known[1];
        const least = weakestGift(from, seat);
        if (least < CARDS) {
          const taken = drawWeaker(words, partner, low, high, least, random);
          low &= ~taken[0];
          high &= ~taken[1];
        }
      }
    }
    let left = listCards(low, high, cards);
    for (let player = 0; player < PLAYERS; player++)
      for (; counts[player]! > 0; left--) {
        const which = random.below(left);
        const card = cards[which]!;
        cards[which] = cards[left - 1]!;
        give(words, player, CARD_LOW[card]!, CARD_HIGH[card]!);
      }
  },

  observed({ words }, action, seat) {
    if (action < PLAYS || seat === words[TO_MOVE]) return action;
    const receiver = playerOfRank(words, words[PHASE] === RETURNING_TWO ? 4 : 3);
    // All that the others see is that something was returned.
    return seat === receiver ? action : PLAYS;
  },
};

function give(words: Int32Array, player: number, low: number, high: number): void {
  words[HANDS + 2 * player]! |= low;
  words[HANDS + 2 * player + 1]! |= high;
  counts[player]! -= cardsIn(low, high);
}

/** With whom a seat exchanged cards; -1 for the heimin. */
function partnerOf(words: Int32Array, seat: number): number {
  const rank = words[RANKS + seat]!;
  return rank === 2 ? -1 : playerOfRank(words, 4 - rank);
}

/** The place of what was given up in an exchange, by the rank of a seat that took part. */
function giftAt(words: Int32Array, seat: number): number {
  const rank = words[RANKS + seat]!;
  return GIFTS + (rank === 0 || rank === 4 ? 0 : 2);
}

/** The cards that the partner was given, those that it gave back taken out: it holds what of them is not played. */
function knownOf(words: Int32Array, seat: number): readonly [number, number] {
  const gift = giftAt(words, seat);
  const back = gift + 4;
  return words[RANKS + seat]! < 2
    ? [words[back]!, words[back + 1]!]
    : [words[gift]! & ~words[back]!, words[gift + 1]! & ~words[back + 1]!];
}

/** The strength of the weakest card that the partner had to give, of which it kept only weaker ones; CARDS where the seat gave. */
function weakestGift(words: Int32Array, seat: number): number {
  if (words[RANKS + seat]! > 2) return CARDS;
  const gift = giftAt(words, seat);
  let least = CARDS;
  for (let i = listCards(words[gift]!, words[gift + 1]!, cards) - 1; i >= 0; i--)
    least = Math.min(least, exchangeStrength(cards[i]!));
  return least;
}

const taken: [low: number, high: number] = [0, 0];

/** Fills a player's hand from the cards of a set that are weaker than `least`; returns what it took. */
function drawWeaker(
  words: Int32Array,
  player: number,
  low: number,
  high: number,
  least: number,
  random: Random,
): readonly [number, number] {
  let left = 0;
  const all = listCards(low, high, cards);
  for (let i = 0; i < all; i++) if (exchangeStrength(cards[i]!) < least) cards[left++] = cards[i]!;
  taken[0] = 0;
  taken[1] = 0;
  for (; counts[player]! > 0; left--) {
    const which = random.below(left);
    const card = cards[which]!;
    cards[which] = cards[left - 1]!;
    give(words, player, CARD_LOW[card]!, CARD_HIGH[card]!);
    taken[0] |= CARD_LOW[card]!;
    taken[1] |= CARD_HIGH[card]!;
  }
  return taken;
}
