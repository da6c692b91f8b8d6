import type { Planes } from "../../game.ts";
import { EMPTY, type GoBoard } from "../board.ts";
import { chainLiberties } from "../chains.ts";
import { isEye } from "../eyes.ts";
import { LadderReader } from "../ladder.ts";
import { isLegalCell } from "../legal.ts";
import { MoveEffect } from "../move-effect.ts";
import type { GoRules } from "../options.ts";
import { type GoState, moverOfPly } from "../state.ts";

/** Channels of a number: 1, 2, ..., 7, and 8 or more. */
const MOST = 8;

/** The first channel of each group. */
const COLOUR = 0;
const ONES = 3;
const TURNS = 4;
const LIBERTIES = 12;
const CAPTURES = 20;
const SELF_ATARI = 28;
const LIBERTIES_AFTER = 36;
const LADDER_CAPTURE = 44;
const LADDER_ESCAPE = 45;
const SENSIBLE = 46;
const CHANNELS = 48;

/**
 * The input of AlphaGo's policy nets: 48 channels (Silver et al. 2016, extended data table 2). A number n from 1 on has
 * eight channels: n = 1, 2, ..., 7, and 8 or more; all are 0 for n = 0.
 *
 * | channels | what |
 * |---|---|
 * | 0-2 | stones of the mover, stones of the other seat, empty points |
 * | 3 | ones |
 * | 4-11 | stones: plies since the stone was placed, 1 for the last ply; stones set up before the game 8 |
 * | 12-19 | stones: liberties of the chain |
 * | 20-27 | legal moves: stones that the move captures |
 * | 28-35 | legal moves: stones of the chain that the move makes, if it then has one liberty (or none, a suicide) |
 * | 36-43 | legal moves: liberties of the chain that the move makes |
 * | 44 | legal moves that catch a chain of two liberties in a ladder (`LadderReader`) |
 * | 45 | legal moves that save an own chain in atari, as far as ladders show |
 * | 46 | legal moves that do not fill an own eye |
 * | 47 | zeros |
 *
 * When the game is over there are no legal moves.
 */
export function alphaGoPlanes(rules: GoRules): Planes<GoState> {
  const painter = new AlphaGoPainter(rules);
  const { size } = rules.board;
  return {
    shape: [size, size, CHANNELS],
    encoding: [
      { as: "bits", channels: 3 },
      { as: "uniform", channels: 1 },
      { as: "bits", channels: 43 },
      { as: "uniform", channels: 1 },
    ],
    write: (state, out, offset) => {
      out.fill(0, offset, offset + rules.board.points * CHANNELS);
      painter.paint(state, out, offset, CHANNELS);
    },
  };
}

/** The input of AlphaGo's value net: the 48 channels of `alphaGoPlanes`, and ones if Black is to move. */
export function alphaGoValuePlanes(rules: GoRules): Planes<GoState> {
  const painter = new AlphaGoPainter(rules);
  const { points, size } = rules.board;
  const channels = CHANNELS + 1;
  return {
    shape: [size, size, channels],
    encoding: [
      { as: "bits", channels: 3 },
      { as: "uniform", channels: 1 },
      { as: "bits", channels: 43 },
      { as: "uniform", channels: 2 },
    ],
    write: (state, out, offset) => {
      const end = offset + points * channels;
      out.fill(0, offset, end);
      painter.paint(state, out, offset, channels);
      if (moverOfPly(state, state.plies) === 0)
        for (let at = offset + CHANNELS; at < end; at += channels) out[at] = 1;
    },
  };
}

/** Paints the 48 channels onto planes that are 0. */
class AlphaGoPainter {
  readonly #rules: GoRules;
  readonly #ladders: LadderReader;
  readonly #effect: MoveEffect;
  readonly #liberties: Int16Array;
  readonly #counters: Int16Array;

  constructor(rules: GoRules) {
    this.#rules = rules;
    this.#ladders = new LadderReader(rules.board);
    this.#effect = new MoveEffect(rules.board, MOST);
    this.#liberties = new Int16Array(rules.board.points);
    this.#counters = new Int16Array(rules.board.points);
  }

  paint(state: GoState, out: Float32Array, offset: number, channels: number): void {
    const { board } = this.#rules;
    const { colour, head, liberties, placed, plies, toMove } = state;
    const own = moverOfPly(state, plies) + 1;
    for (let point = 0; point < board.points; point++) {
      const cell = board.cellOf[point]!;
      const at = offset + point * channels;
      const there = colour[cell]!;
      out[at + ONES] = 1;
      if (there === EMPTY) {
        out[at + COLOUR + 2] = 1;
        if (toMove >= 0 && isLegalCell(state, this.#rules, cell)) this.#paintMove(state, cell, out, at);
      } else {
        const since = placed[cell]! > 0 ? Math.min(plies - placed[cell]! + 1, MOST) : MOST;
        out[at + COLOUR + (there === own ? 0 : 1)] = 1;
        out[at + TURNS - 1 + since] = 1;
        out[at + LIBERTIES - 1 + Math.min(liberties[head[cell]!]!, MOST)] = 1;
      }
    }
    if (toMove >= 0) this.#paintLadders(state, board, out, offset, channels);
  }

  /** What a legal move does, at the channels of its point. */
  #paintMove(state: GoState, cell: number, out: Float32Array, at: number): void {
    const effect = this.#effect;
    effect.of(state, cell);
    if (effect.captured > 0) out[at + CAPTURES - 1 + Math.min(effect.captured, MOST)] = 1;
    if (effect.liberties <= 1) out[at + SELF_ATARI - 1 + Math.min(effect.stones, MOST)] = 1;
    if (effect.liberties > 0) out[at + LIBERTIES_AFTER - 1 + effect.liberties] = 1;
    out[at + SENSIBLE] = isEye(state.colour, this.#rules.board.stride, cell, state.toMove + 1) ? 0 : 1;
  }

  #paintLadders(state: GoState, board: GoBoard, out: Float32Array, offset: number, channels: number): void {
    const { cellOf, points, pointOf } = board;
    const { colour, liberties, toMove } = state;
    const legal = (cell: number) => isLegalCell(state, this.#rules, cell);
    for (let point = 0; point < points; point++) {
      // Heads of chains alone have liberties.
      const chain = cellOf[point]!;
      const count = liberties[chain]!;
      const isOwn = colour[chain] === toMove + 1;
      if (count === 0 || count !== (isOwn ? 1 : 2)) continue;
      chainLiberties(state, board, chain, this.#liberties);
      const channel = offset + (isOwn ? LADDER_ESCAPE : LADDER_CAPTURE);
      for (let i = 0; i < count; i++) {
        const cell = this.#liberties[i]!;
        const at = channel + pointOf[cell]! * channels;
        if (out[at] === 1 || !legal(cell)) continue;
        const works = isOwn
          ? this.#ladders.escapes(colour, chain, cell)
          : this.#ladders.captures(colour, chain, cell);
        if (works) out[at] = 1;
      }
      if (!isOwn) continue;
      const counters = this.#ladders.counters(colour, chain, this.#counters);
      for (let i = 0; i < counters; i++) {
        const cell = this.#counters[i]!;
        const at = channel + pointOf[cell]! * channels;
        if (out[at] === 0 && legal(cell) && this.#ladders.escapes(colour, chain, cell)) out[at] = 1;
      }
    }
  }
}
