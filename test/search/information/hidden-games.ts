import { CHANCE, type Game, type Information, OVER } from "../../../src/games/game.ts";
import { numbersAsNotation } from "../depth-first/numbers-as-notation.ts";
import type { Random } from "../../../src/random.ts";

/** What has been done, in order, chance included. */
export interface History {
  readonly moves: number[];
}

const plain = {
  initial: (): History => ({ moves: [] }),
  play: (state: History, action: number) => void state.moves.push(action),
  copy: (from: History, into: History) => void into.moves.splice(0, Infinity, ...from.moves),
  notation: numbersAsNotation,
  drawing: { text: () => "", svg: () => "" },
};

/**
 * Seat 0 guesses a coin that falls heads (0) with probability .7, and is paid 1 where it is right; or it takes .5
 * (action 2). The values of its actions are .7, .3 and .5.
 */
export const guessing: Game<History> = {
  ...plain,
  name: "guessing",
  players: 1,
  actions: 3,
  maxLegal: 3,
  returnBounds: [0, 1],
  toMove: ({ moves }) => [CHANCE, 0, OVER][moves.length]!,
  legal({ moves }, out) {
    const count = [2, 3, 0][moves.length]!;
    for (let i = 0; i < count; i++) out[i] = i;
    return count;
  },
  returns({ moves: [coin, guess] }, out) {
    out[0] = guess === 2 ? 0.5 : guess === coin && coin !== undefined ? 1 : 0;
  },
  chance: {
    outcomes(_, actions, probabilities) {
      actions.set([0, 1]);
      probabilities.set([0.7, 0.3]);
      return 2;
    },
    sample: (_, random) => (random.float() < 0.7 ? 0 : 1),
  },
  information: {
    determinize({ moves }, _, random, into) {
      into.moves.splice(0, Infinity, random.float() < 0.7 ? 0 : 1, ...moves.slice(1));
    },
  },
};

/**
 * Matching pennies, or .6 for seat 0 without it: seat 0 plays on (0) or takes the .6 (1); seat 1 hides a penny heads or
 * tails; seat 0 guesses. Whoever is right about the penny is paid 1, so the value of playing on is .5 against a good player.
 */
export const pennies: Game<History> = hiddenPenny(0);

/**
 * The same where seat 1 is paid .9 for tails and the penny's guess pays it .1: it hides tails whatever seat 0
 * does, so the value of playing on is 1 for seat 0.
 */
export const weightedPennies: Game<History> = hiddenPenny(0.9);

function hiddenPenny(tails: number): Game<History> {
  const over = ({ moves }: History) => moves[0] === 1 || moves.length === 3;
  return {
    ...plain,
    name: "pennies",
    players: 2,
    actions: 2,
    maxLegal: 2,
    returnBounds: [0, 1],
    toMove: (state) => (over(state) ? OVER : [0, 1, 0][state.moves.length]!),
    legal(state, out) {
      if (over(state)) return 0;
      out.set([0, 1]);
      return 2;
    },
    returns(state, out) {
      const [first, penny, guess] = state.moves;
      const guessed = penny === guess ? 1 : 0;
      out[0] = !over(state) ? 0 : first === 1 ? 0.6 : guessed;
      out[1] = !over(state) ? 0 : first === 1 ? 0.4 : (1 - tails) * (1 - guessed) + tails * penny!;
    },
    information: {
      determinize({ moves }, seat, random, into) {
        into.moves.splice(0, Infinity, ...moves);
        if (seat === 0 && moves.length === 2) into.moves[1] = random.below(2);
      },
      observed: ({ moves }, action, seat) => (moves.length === 1 && seat === 0 ? 0 : action),
    },
  };
}

/** The deals of Kuhn poker: the cards of seats 0 and 1, of J, Q, K. */
const DEALS = [0, 1, 2].flatMap((a) => [0, 1, 2].filter((b) => b !== a).map((b) => [a, b] as const));

const kuhnInformation: Information<History> = {
  determinize({ moves }, seat, random: Random, into) {
    const own = DEALS[moves[0]!]![seat]!;
    const possible = DEALS.flatMap((deal, number) => (deal[seat] === own ? [number] : []));
    into.moves.splice(0, Infinity, possible[random.below(2)]!, ...moves.slice(1));
  },
};

/**
 * Kuhn poker (1950): three cards, one each; a stake of 1; check or fold is 0, bet or call is 1, for a stake of 1 more. The greater
 * card wins. The value of the game is -1/18 for seat 0; with J one folds to a bet (-1, a call is -2), with K one calls (+2).
 */
export const kuhn: Game<History> = {
  ...plain,
  name: "kuhn",
  players: 2,
  actions: 2,
  maxLegal: 6,
  returnBounds: [-2, 2],
  toMove({ moves }) {
    if (moves.length === 0) return CHANCE;
    const said = moves.slice(1).join("");
    return ["00", "10", "11", "010", "011"].includes(said) ? OVER : said.length % 2;
  },
  legal(state, out) {
    const mover = kuhn.toMove(state);
    const count = mover === OVER ? 0 : mover === CHANCE ? 6 : 2;
    for (let i = 0; i < count; i++) out[i] = i;
    return count;
  },
  returns({ moves }, out) {
    out.fill(0);
    if (kuhn.toMove({ moves }) !== OVER) return;
    const said = moves.slice(1).join("");
    const [a, b] = DEALS[moves[0]!]!;
    const higher = a > b ? 1 : -1;
    const pays = said === "10" ? 1 : said === "010" ? -1 : said === "00" ? higher : 2 * higher;
    out[0] = pays;
    out[1] = -pays;
  },
  chance: {
    outcomes(_, actions, probabilities) {
      for (let i = 0; i < 6; i++) {
        actions[i] = i;
        probabilities[i] = 1 / 6;
      }
      return 6;
    },
    sample: (_, random) => random.below(6),
  },
  information: kuhnInformation,
};

/** The number of a deal of Kuhn poker. */
export function kuhnDeal(a: number, b: number): number {
  return DEALS.findIndex((deal) => deal[0] === a && deal[1] === b);
}
