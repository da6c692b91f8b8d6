import type { Random } from "../../random.ts";
import { CARD_HIGH, CARD_LOW, CARDS, cardsIn, exchangeStrength, listCards, PLAYERS } from "./cards.ts";
import { PLAYS } from "./plays.ts";
import type { DaihinminState } from "./state.ts";
import { GIFTS, HANDS, PHASE, playerOfRank, RANKS, RETURNING_TWO, TO_MOVE } from "./state.ts";
import type { Information } from "../game.ts";

/** Scratch space of `determinize`. */
const counts = new Uint8Array(PLAYERS);
const cards = new Uint8Array(CARDS);

/**
 * A player of Daihinmin has seen its own hand, the cards played, the number of cards that everyone holds, the places, and
 * the cards that it gave or got in the exchange.
 *
 * It therefore knows who holds a card that was given and has not been played since. It also knows that the player who
 * gave its strongest cards kept weaker ones only. All hands that agree with this knowledge are equally likely. The
 * choice of the cards that others returned, and passes, are not taken for hints.
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
    // The others see only that something was returned.
    return seat === receiver ? action : PLAYS;
  },
};

function give(words: Int32Array, player: number, low: number, high: number): void {
  words[HANDS + 2 * player]! |= low;
  words[HANDS + 2 * player + 1]! |= high;
  counts[player]! -= cardsIn(low, high);
}

/** The partner of a seat in the exchange; -1 for the heimin. */
function partnerOf(words: Int32Array, seat: number): number {
  const rank = words[RANKS + seat]!;
  return rank === 2 ? -1 : playerOfRank(words, 4 - rank);
}

/** Where the words have the cards that were given up in the exchange of this seat. */
function giftAt(words: Int32Array, seat: number): number {
  const rank = words[RANKS + seat]!;
  return GIFTS + (rank === 0 || rank === 4 ? 0 : 2);
}

/** The cards that the partner got and did not give back: it holds those of them that have not been played. */
function knownOf(words: Int32Array, seat: number): readonly [number, number] {
  const gift = giftAt(words, seat);
  const back = gift + 4;
  return words[RANKS + seat]! < 2
    ? [words[back]!, words[back + 1]!]
    : [words[gift]! & ~words[back]!, words[gift + 1]! & ~words[back + 1]!];
}

/** The strength of the weakest card that the partner had to give: it kept weaker ones only. CARDS if this seat gave. */
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
