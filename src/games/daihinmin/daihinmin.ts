import { type Static, Type } from "../../schema.ts";
import { PLAYERS } from "./cards.ts";
import { dealing, listOutcomes, listReturns, RETURNS, takeOutcome, takeReturn } from "./deal.ts";
import { defaultMove } from "./rule-player.ts";
import { daihinminDrawing } from "./drawing.ts";
import { daihinminGroupings } from "./grouping.ts";
import { daihinminInformation } from "./information.ts";
import { drawPlay, listPlays } from "./legal.ts";
import { daihinminMoveFeatures } from "./move-features.ts";
import { PLAYS } from "./plays.ts";
import { type DaihinminState, GAME, newDaihinminState, PHASE, PLAYING, POINTS, TO_MOVE } from "./state.ts";
import { daihinminNotation } from "./text.ts";
import { takeTurn } from "./turns.ts";
import { CHANCE, type Game, type Notation, OVER, type Playouts } from "../game.ts";

/** A position of `GameDaihinmin`. */
export type { DaihinminState } from "./state.ts";

/** Options of `daihinmin`. */
export const optionsDaihinmin = Type.Object(
  {
    games: Type.Integer({
      minimum: 1,
      maximum: 10_000,
      default: 1,
      description:
        "Number of deals in a match. From the second deal on, players exchange cards by their places in the deal before; seats are drawn before the deals 1, 4, 7, ... 1: a single random deal, with the players sitting in order.",
    }),
    virtualRanks: Type.Boolean({
      default: true,
      description:
        "Whether the joker may stand above 2 or below 3 at the end of a sequence, as the contest's server allows.",
    }),
  },
  { additionalProperties: false },
);

/**
 * Daihinmin by the standard rules of the UEC contest: five players, 52 cards and a joker.
 *
 * Decisions: 0 is the pass; then every play of cards, numbered by `plays.ts`, each substitution of the joker
 * being a play of its own; then the returns of the exchange, one card or two. Chance outcomes: see `dealing`. The return of one
 * game is 1, .75, .5, .25, 0 by place (Tsubokura and Nishino, section 4.4), of a sequence their sum.
 */
export class GameDaihinmin implements Game<DaihinminState> {
  readonly name = "daihinmin";
  readonly players: number = PLAYERS;
  readonly actions: number = PLAYS + RETURNS;
  /** Every play: hands of a game have far fewer, but a position may be set up with any. */
  readonly maxLegal: number = PLAYS;
  readonly returnBounds: readonly [number, number];
  readonly games: number;
  readonly virtualRanks: boolean;
  readonly chance = dealing;
  readonly drawing = daihinminDrawing;
  readonly information = daihinminInformation;
  readonly linear = { moveFeatures: daihinminMoveFeatures };
  readonly notation: Notation<DaihinminState>;
  readonly playouts: Playouts<DaihinminState>;

  constructor({ games, virtualRanks }: Static<typeof optionsDaihinmin>) {
    this.games = games;
    this.virtualRanks = virtualRanks;
    this.returnBounds = [0, games];
    this.notation = daihinminNotation(this);
    const actions = new Int32Array(PLAYS);
    this.playouts = {
      uniform: (state, random) => {
        const { words } = state;
        if (words[PHASE] === PLAYING) return drawPlay(words, words[TO_MOVE]!, virtualRanks, random, actions);
        return actions[random.below(this.legal(state, actions))]!;
      },
      preferred: ({ words }) => defaultMove(words, virtualRanks),
      finish: (state, random, recorder) => {
        const { words } = state;
        const present = words[GAME];
        while (words[TO_MOVE] !== OVER && words[GAME] === present) {
          const mover = words[TO_MOVE]!;
          if (words[PHASE] === PLAYING) {
            const play = drawPlay(words, mover, virtualRanks, random, actions);
            recorder?.add(mover, play);
            takeTurn(words, play, games);
          } else if (mover === CHANCE) takeOutcome(words, dealing.sample(state, random), games);
          else {
            const given = actions[random.below(listReturns(words, 0, actions))]!;
            recorder?.add(mover, given);
            takeReturn(words, given);
          }
        }
      },
    };
  }

  readonly search = {
    deal: ({ words }: DaihinminState): number => words[GAME]!,
    groupings: daihinminGroupings,
    /** The move of the contest's default client; see `defaultMove`. */
    rulePlayer: ({ words }: DaihinminState): number => defaultMove(words, this.virtualRanks),
  };

  initial(): DaihinminState {
    return newDaihinminState(this.games);
  }

  toMove({ words }: DaihinminState): number {
    return words[TO_MOVE]!;
  }

  legal({ words }: DaihinminState, out: Int32Array): number {
    const mover = words[TO_MOVE]!;
    if (mover === OVER) return 0;
    if (mover === CHANCE) return listOutcomes(words, out);
    if (words[PHASE] === PLAYING) return listPlays(words, mover, this.virtualRanks, out);
    return listReturns(words, PLAYS, out);
  }

  play({ words }: DaihinminState, action: number): void {
    if (words[TO_MOVE] === CHANCE) takeOutcome(words, action, this.games);
    else if (words[PHASE] === PLAYING) takeTurn(words, action, this.games);
    else takeReturn(words, action - PLAYS);
  }

  copy(from: DaihinminState, into: DaihinminState): void {
    into.words.set(from.words);
  }

  returns({ words }: DaihinminState, out: Float64Array): void {
    for (let player = 0; player < PLAYERS; player++) out[player] = words[POINTS + player]! / 4;
  }
}
