import type { LinearAbilities, MoveFeatures } from "../../game.ts";
import { EDGE, EMPTY } from "../board.ts";
import { isEye } from "../eyes.ts";
import { isLegalCell } from "../legal.ts";
import {
  LocalFeatures,
  NEIGHBOUR_SLOT,
  RESPONSE_PATTERN_SLOT,
  RESPONSE_SLOT,
  SLOTS,
} from "./local-features.ts";
import { moveFeatureNames, moveFeatureNumbers } from "./move-feature-numbers.ts";
import type { GoRules } from "../options.ts";
import { CLEAR, OPPONENT, OUTSIDE, OWN, patternOf } from "./patterns.ts";
import { PolicyPlayouts } from "./policy-playouts.ts";
import type { GoState } from "../state.ts";
import { isSuicide } from "../superko.ts";

/** Linear policies of Go. Tables of patterns are made when they are first asked for. */
export function goLinear(rules: GoRules): LinearAbilities<GoState> {
  return {
    moveFeatures: new GoMoveFeatures(rules),
    playoutsBy(weights) {
      let playouts: PolicyPlayouts | undefined;
      return (state, random, recorder) => {
        playouts ??= new PolicyPlayouts(rules, weights);
        playouts.finish(state, random, recorder);
      };
    },
  };
}

/**
 * Features of moves: the pattern of 3x3 points around the move, and features of few moves (`LocalFeatures`). A policy
 * chooses from the legal moves that are no suicide and fill no own eye, and passes if there is none.
 *
 * Source: the features of AlphaGo's rollout policy (Silver et al. 2016, extended data table 4), and ladders.
 */
class GoMoveFeatures implements MoveFeatures<GoState> {
  readonly perMove = SLOTS;
  readonly #rules: GoRules;
  #local: LocalFeatures | undefined;
  /** By cell: the place of its move in the list, plus 1; 0 for cells that are not in it. */
  readonly #placeOf: Int32Array;

  constructor(rules: GoRules) {
    this.#rules = rules;
    this.#placeOf = new Int32Array(rules.board.cells);
  }

  get count(): number {
    return moveFeatureNumbers().count;
  }

  get names(): readonly string[] {
    return moveFeatureNames();
  }

  moves(state: GoState, out: Int32Array): number {
    const { board } = this.#rules;
    let count = 0;
    for (let point = 0; point < board.points; point++) {
      const cell = board.cellOf[point]!;
      if (
        isLegalCell(state, this.#rules, cell) &&
        !isSuicide(state, board, cell) &&
        !isEye(state.colour, board.stride, cell, state.toMove + 1)
      )
        out[count++] = point;
    }
    if (count === 0) out[count++] = board.pass;
    return count;
  }

  write(state: GoState, actions: Int32Array, moves: number, out: Int32Array): void {
    const { board } = this.#rules;
    const { pass, cellOf } = board;
    const numbers = moveFeatureNumbers();
    const placeOf = this.#placeOf;
    out.fill(numbers.nothing, 0, moves * SLOTS);
    for (let i = 0; i < moves; i++) {
      if (actions[i] === pass) continue;
      const cell = cellOf[actions[i]!]!;
      placeOf[cell] = i + 1;
      out[i * SLOTS] = numbers.pattern + patternOf(this.#ringAt(state, cell));
    }
    const local = (this.#local ??= new LocalFeatures(board, numbers));
    local.find(state);
    for (let i = 0; i < local.count; i++) {
      const place = placeOf[local.cells[i]!]!;
      if (place > 0) out[(place - 1) * SLOTS + local.slots[i]!] = local.features[i]!;
    }
    for (let i = 0; i < local.responseCount; i++) {
      const place = placeOf[local.responseCells[i]!]!;
      if (place === 0) continue;
      const at = (place - 1) * SLOTS;
      out[at + RESPONSE_SLOT] = numbers.response;
      out[at + RESPONSE_PATTERN_SLOT] = local.responsePatterns[i]!;
      out[at + NEIGHBOUR_SLOT] = local.responseNeighbours[i]!;
    }
    for (let i = 0; i < local.openCount; i++) {
      const place = placeOf[local.openCells[i]!]!;
      if (place === 0) continue;
      const at = (place - 1) * SLOTS + local.openSlots[i]!;
      if (out[at] === numbers.nothing && local.isLadder(state, i)) out[at] = local.openFeatures[i]!;
    }
    for (let i = 0; i < moves; i++) placeOf[cellOf[actions[i]!]!] = 0;
  }

  #ringAt(state: GoState, cell: number): number {
    const { stride } = this.#rules.board;
    const own = state.toMove + 1;
    return (
      thereFor(state, own, cell - stride - 1) |
      (thereFor(state, own, cell - stride) << 3) |
      (thereFor(state, own, cell - stride + 1) << 6) |
      (thereFor(state, own, cell + 1) << 9) |
      (thereFor(state, own, cell + stride + 1) << 12) |
      (thereFor(state, own, cell + stride) << 15) |
      (thereFor(state, own, cell + stride - 1) << 18) |
      (thereFor(state, own, cell - 1) << 21)
    );
  }
}

/** What is on a cell, coded as in the ring of a point. */
function thereFor({ colour, head, liberties }: GoState, own: number, cell: number): number {
  const there = colour[cell]!;
  if (there === EMPTY) return CLEAR;
  if (there === EDGE) return OUTSIDE;
  return (there === own ? OWN : OPPONENT) + Math.min(3, liberties[head[cell]!]!);
}
