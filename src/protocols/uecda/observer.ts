import { readStatus, type UecdaStatus, type UecdaTable } from "./table.ts";
import {
  ALL_HIGH,
  ALL_LOW,
  BY_STRENGTH,
  CARD_HIGH,
  CARD_LOW,
  CARDS,
  cardsIn,
  listCards,
  PLAYERS,
} from "../../games/daihinmin/cards.ts";
import { beginPlay } from "../../games/daihinmin/deal.ts";
import { CARDS_HIGH, CARDS_LOW, NO_PLAY, LONE_JOKER, PASS } from "../../games/daihinmin/plays.ts";
import {
  clearTable,
  DEALT,
  type DaihinminState,
  endGame,
  GAME,
  GIFTS,
  HANDS,
  KIND,
  LAST,
  LOCKED,
  NEXT,
  ON_TABLE,
  PHASE,
  PLACED,
  PLACES,
  PLAYING,
  RANKS,
  RETURNING_ONE,
  RETURNING_TWO,
  REVOLUTION,
  TO_MOVE,
} from "../../games/daihinmin/state.ts";
import { GameDaihinmin } from "../../games/daihinmin/daihinmin.ts";
import { playOfTable, cardsOfTable } from "./cards.ts";

/** More games than a series has: a client does not know how many there will be. */
const OPEN_END = 1_000_000;

/**
 * By the number of cards to return, then by place: how many cards more a player holds at that moment than it was dealt. The
 * server sends the dealt numbers. The fugo returns its card after the daifugo.
 */
const CHANGED: readonly (readonly number[])[] = [[], [0, 1, 0, -1, 0], [2, 1, 0, -1, -2]];

type CardSet = readonly [low: number, high: number];

/** The server has sent something impossible. */
export class UecdaNonsense extends Error {
  readonly _tag = "UecdaNonsense";

  constructor(message: string) {
    super(`the server says what cannot be: ${message}`);
    this.name = "UecdaNonsense";
  }
}

/**
 * What one player of a series on a UECda server knows, as a state of our game.
 *
 * The hands of the others are filled with cards that the player has not seen, each with the number that it holds. So the
 * state is one of those that the player cannot distinguish; `information.determinize` draws others of them. The protocol
 * does not say which cards the daifugo and the fugo were given. The strongest ones of the hand are taken for the gifts,
 * which claims only what is certain: the giver kept no stronger card.
 */
export class UecdaObserver {
  readonly game: GameDaihinmin;
  readonly state: DaihinminState;
  readonly #player: number;
  /** The number of games that have begun. */
  #games = 0;
  /** The hand before cards were returned, gifts included. */
  #dealt: CardSet = [0, 0];
  /** Whether the first turn of a game is still to come. */
  #opening = false;

  constructor(player: number, virtualRanks: boolean) {
    this.game = new GameDaihinmin({ games: OPEN_END, virtualRanks });
    this.state = this.game.initial();
    this.#player = player;
  }

  /**
   * Takes the first table of a game; returns the number of cards that the player has to return. If there are any, the state
   * is the one in which the player returns them.
   */
  deal(table: UecdaTable): number {
    const { words } = this.state;
    const status = readStatus(table);
    const { ranks, seats, returns } = status;
    const first = ranks.every((rank) => rank === ranks[0]);
    if (!isPermutation(seats)) throw new UecdaNonsense(`the seats are ${seats.join(" ")}`);
    if (!first && !isPermutation(ranks)) throw new UecdaNonsense(`the places are ${ranks.join(" ")}`);
    if (words[GAME]! < this.#games) this.#endGame(first ? undefined : ranks);
    this.#games++;
    for (let player = 0; player < PLAYERS; player++) words[RANKS + player] = first ? -1 : ranks[player]!;
    for (const [i, player] of seats.entries()) words[NEXT + player] = seats[(i + 1) % PLAYERS]!;
    this.#dealt = handOf(table);
    const rank = words[RANKS + this.#player]!;
    const expected = first || rank > 1 ? 0 : 2 - rank;
    // Some servers have no exchange.
    if (returns !== expected && returns !== 0)
      throw new UecdaNonsense(`place ${rank + 1} has to return ${returns} cards`);
    if (returns > 0) {
      const more = CHANGED[returns]!;
      this.#fillHands(
        this.#dealt,
        status.counts.map((count, player) => count + more[ranks[player]!]!),
      );
      words[PHASE] = returns === 2 ? RETURNING_TWO : RETURNING_ONE;
      words[TO_MOVE] = this.#player;
      this.#noteGifts(GIFTS + 2 * (2 - returns), strongest(this.#dealt, returns));
    }
    this.#opening = true;
    return returns;
  }

  /** Whether cards are exchanged in this game: not in the first one of a series. */
  get exchanges(): boolean {
    return this.state.words[RANKS] !== -1;
  }

  /**
   * Takes the table of a turn; the state is the one in which it is played. Where the table contradicts our rules, the table
   * holds, and the contradiction is returned in words.
   */
  turn(table: UecdaTable): string | undefined {
    const status = readStatus(table);
    if (status.player >= PLAYERS) throw new UecdaNonsense(`it is the turn of player ${status.player}`);
    if (this.#opening) {
      this.#open(handOf(table), status);
      return undefined;
    }
    return this.#compare(handOf(table), status);
  }

  /** Takes the table with the cards that lie there after a turn; returns the play, or the pass, that was made. */
  played(table: UecdaTable): number {
    const { words } = this.state;
    const { player } = readStatus(table);
    const laid = playOfTable(table);
    if (laid === undefined) throw new UecdaNonsense("the cards on the table are no play");
    const action = laid === words[ON_TABLE] ? PASS : laid;
    if (player !== words[TO_MOVE]) throw new UecdaNonsense(`player ${player} has played out of turn`);
    this.#takeIntoHand(player, CARDS_LOW[action]!, CARDS_HIGH[action]!);
    this.game.play(this.state, action);
    return action;
  }

  /** The place of the player in the game that has just ended, from 0; undefined if places were drawn. */
  place(): number | undefined {
    const { words } = this.state;
    return words[GAME] === this.#games ? words[RANKS + this.#player]! : undefined;
  }

  /** Ends a game whose last places were drawn: the first table of the next game has the places. */
  #endGame(ranks: readonly number[] | undefined): void {
    const { words } = this.state;
    for (let player = 0; player < PLAYERS; player++)
      if (ranks !== undefined) words[PLACES + player] = ranks[player]!;
      else if (words[PLACES + player]! < 0) words[PLACES + player] = words[PLACED]!++;
    endGame(words, OPEN_END);
  }

  #open(hand: CardSet, status: UecdaStatus): void {
    const { words } = this.state;
    this.#opening = false;
    this.#fillHands(hand, status.counts);
    const rank = words[RANKS + this.#player]!;
    if (rank === 0 || rank === 1) this.#noteGifts(GIFTS + 4 + 2 * rank, without(this.#dealt, hand));
    if (rank === 3 || rank === 4) {
      const gift = strongest(this.#dealt, rank - 2);
      this.#noteGifts(GIFTS + 2 * (4 - rank), gift);
      this.#noteGifts(GIFTS + 4 + 2 * (4 - rank), without(hand, without(this.#dealt, gift)));
    }
    beginPlay(words);
    words[TO_MOVE] = status.player;
    words[LAST] = status.player;
  }

  /** Sets the player's hand, and fills the others' with cards that are not in it. */
  #fillHands(hand: CardSet, counts: readonly number[]): void {
    const { words } = this.state;
    if (cardsIn(...hand) !== counts[this.#player] || counts.reduce((sum, count) => sum + count, 0) !== CARDS)
      throw new UecdaNonsense(`the hands have ${counts.join(" ")} cards, one's own ${cardsIn(...hand)}`);
    const unseen = new Uint8Array(CARDS);
    listCards(ALL_LOW & ~hand[0], ALL_HIGH & ~hand[1], unseen);
    let next = 0;
    for (let player = 0; player < PLAYERS; player++) {
      let [low, high] = player === this.#player ? hand : [0, 0];
      if (player !== this.#player)
        for (let i = 0; i < counts[player]!; i++, next++) {
          low |= CARD_LOW[unseen[next]!]!;
          high |= CARD_HIGH[unseen[next]!]!;
        }
      words[HANDS + 2 * player] = low;
      words[HANDS + 2 * player + 1] = high;
    }
    words[DEALT] = CARDS;
  }

  #noteGifts(at: number, [low, high]: CardSet): void {
    this.state.words[at] = low;
    this.state.words[at + 1] = high;
  }

  /** Exchanges cards between the others' hands so that a player holds the cards that it plays. */
  #takeIntoHand(player: number, low: number, high: number): void {
    const { words } = this.state;
    const own = HANDS + 2 * player;
    const needed = without([low, high], ownHand(words, player));
    const spare = without(ownHand(words, player), [low, high]);
    const wanted = new Uint8Array(CARDS);
    const given = new Uint8Array(CARDS);
    const count = listCards(...needed, wanted);
    if (count > listCards(...spare, given))
      throw new UecdaNonsense(`player ${player} lays more than it holds`);
    for (let i = 0; i < count; i++) {
      const [card, back] = [wanted[i]!, given[i]!];
      const holder = this.#holderOf(card);
      if (holder < 0 || holder === this.#player || player === this.#player)
        throw new UecdaNonsense(`player ${player} lays a card that it cannot hold`);
      const from = HANDS + 2 * holder;
      words[from] = (words[from]! & ~CARD_LOW[card]!) | CARD_LOW[back]!;
      words[from + 1] = (words[from + 1]! & ~CARD_HIGH[card]!) | CARD_HIGH[back]!;
      words[own] = (words[own]! & ~CARD_LOW[back]!) | CARD_LOW[card]!;
      words[own + 1] = (words[own + 1]! & ~CARD_HIGH[back]!) | CARD_HIGH[card]!;
    }
  }

  #holderOf(card: number): number {
    const { words } = this.state;
    for (let player = 0; player < PLAYERS; player++) {
      const at = HANDS + 2 * player;
      if (((words[at]! & CARD_LOW[card]!) | (words[at + 1]! & CARD_HIGH[card]!)) !== 0) return player;
    }
    return -1;
  }

  #compare(hand: CardSet, { player, empty, revolution, lock, counts }: UecdaStatus): string | undefined {
    const { words } = this.state;
    const hands = counts.map((_, i) => cardsIn(words[HANDS + 2 * i]!, words[HANDS + 2 * i + 1]!));
    const own = without(hand, ownHand(words, this.#player));
    if (own[0] !== 0 || own[1] !== 0) throw new UecdaNonsense("the hand has cards that it had not before");
    if (words[PHASE] !== PLAYING || hands.some((count, i) => count !== counts[i]))
      throw new UecdaNonsense(
        `the hands have ${counts.join(" ")} cards, by the cards played ${hands.join(" ")}`,
      );
    const differences: string[] = [];
    if (empty && words[KIND] !== NO_PLAY) {
      differences.push("the table is empty");
      clearTable(words);
    } else if (!empty && words[KIND] === NO_PLAY) differences.push("cards lie on the table");
    if (player !== words[TO_MOVE]) {
      differences.push(`it is the turn of player ${player}, not of ${words[TO_MOVE]}`);
      words[TO_MOVE] = player;
    }
    if (revolution !== (words[REVOLUTION] === 1)) {
      differences.push(`revolution: ${revolution}`);
      words[REVOLUTION] = revolution ? 1 : 0;
    }
    // While the joker alone lies there, the lock has no effect, and servers differ in it.
    if (words[KIND] !== LONE_JOKER && lock !== (words[LOCKED] === 1)) {
      differences.push(`lock: ${lock}`);
      words[LOCKED] = lock ? 1 : 0;
    }
    return differences.length === 0 ? undefined : differences.join(", ");
  }
}

function isPermutation(numbers: readonly number[]): boolean {
  return numbers.every((number) => number < PLAYERS) && new Set(numbers).size === PLAYERS;
}

function handOf(table: UecdaTable): CardSet {
  const cards = cardsOfTable(table);
  if (cards === undefined) throw new UecdaNonsense("the hand has something that is no card");
  return cards;
}

function ownHand(words: Int32Array, player: number): CardSet {
  return [words[HANDS + 2 * player]!, words[HANDS + 2 * player + 1]!];
}

/** The strongest cards of a set, by the order that the exchange uses. */
function strongest([low, high]: CardSet, count: number): CardSet {
  const found: [number, number] = [0, 0];
  for (let i = CARDS - 1, left = count; i >= 0 && left > 0; i--) {
    const card = BY_STRENGTH[i]!;
    if (((low & CARD_LOW[card]!) | (high & CARD_HIGH[card]!)) === 0) continue;
    found[0] |= CARD_LOW[card]!;
    found[1] |= CARD_HIGH[card]!;
    left--;
  }
  return found;
}

function without([low, high]: CardSet, [lessLow, lessHigh]: CardSet): CardSet {
  return [low & ~lessLow, high & ~lessHigh];
}
