import type {
  DepthFirstAbilities,
  Drawing,
  Facts,
  Game,
  LinearAbilities,
  Notation,
  Playouts,
  SearchAbilities,
  Symmetry,
} from "../game.ts";
import { goDrawing } from "./drawing.ts";
import { isEye } from "./eyes.ts";
import { goHash } from "./hash.ts";
import { isLegalGo, listLegalGo } from "./legal.ts";
import { goMovePriors } from "./move-priors.ts";
import { goNets } from "./nets.ts";
import { goNotation } from "./notation/notation.ts";
import { type GoRules, goRules, type OptionsGo } from "./options.ts";
import { goArea, goAreaBounds } from "./points.ts";
import { playGo } from "./play.ts";
import { goLinear } from "./policy/move-features.ts";
import { goPlayouts } from "./playouts/playouts.ts";
import { goAreaDifference, goFacts } from "./score.ts";
import { initialGo } from "./set-up.ts";
import { copyGoState, type GoState } from "./state.ts";
import { goSymmetry } from "./symmetry.ts";

export { goOptionsError, optionsGo } from "./options.ts";

/**
 * The rules of Go (Tromp-Taylor: area scoring, two passes end the game).
 *
 * An action is a point, numbered row by row from the top left, or the pass, size * size, which is always legal. Seat 0
 * is Black and moves first, except with handicap stones. Returns are 0 before the end; then 1 for the seat with more
 * points, .5 if both have as many, else 0. A point of area counts 1, and White has the komi besides.
 */
export class GameGo implements Game<GoState> {
  readonly name = "go";
  readonly players = 2;
  readonly actions: number;
  readonly maxLegal: number;
  readonly returnBounds = [0, 1] as const;
  readonly endless?: string;
  readonly notation: Notation<GoState>;
  readonly drawing: Drawing<GoState>;
  readonly symmetry: Symmetry<GoState>;
  readonly figures: { readonly facts: Facts<GoState> };
  readonly nets: ReturnType<typeof goNets>;
  readonly linear: LinearAbilities<GoState>;
  readonly depthFirst: DepthFirstAbilities<GoState>;
  readonly playouts: Playouts<GoState>;
  readonly search: SearchAbilities<GoState>;
  readonly rules: GoRules;

  constructor(options: OptionsGo) {
    const rules = goRules(options);
    this.rules = rules;
    this.actions = rules.board.points + 1;
    this.maxLegal = this.actions;
    if (rules.superko === "simple" && rules.moveLimit === 0)
      this.endless =
        "under simple ko, which allows long cycles, a game of go may go on for ever: set moveLimit, or superko to positional or situational";
    this.notation = goNotation(rules);
    this.drawing = goDrawing(rules);
    this.symmetry = goSymmetry(rules);
    this.figures = { facts: (state) => goFacts(state, rules.board) };
    this.nets = goNets(rules);
    this.linear = goLinear(rules);
    this.depthFirst = {
      staticEvaluations: { area: goArea(rules) },
      finalBounds: { area: goAreaBounds(rules) },
      isLegal: (state, action) => isLegalGo(state, rules, action),
      hash: goHash(rules),
    };
    this.playouts = goPlayouts(rules);
    const { cellOf, pass, stride } = rules.board;
    this.search = {
      movePriors: goMovePriors(rules),
      passes: {
        pass,
        // A move that fills no own eye may still settle something.
        settles: (state, action) => !isEye(state.colour, stride, cellOf[action]!, state.toMove + 1),
      },
    };
  }

  initial(): GoState {
    return initialGo(this.rules);
  }

  toMove(state: GoState): number {
    return state.toMove;
  }

  legal(state: GoState, out: Int32Array): number {
    return state.toMove < 0 ? 0 : listLegalGo(state, this.rules, out);
  }

  play(state: GoState, action: number): void {
    playGo(state, this.rules, action);
  }

  copy(from: GoState, into: GoState): void {
    copyGoState(from, into);
  }

  returns(state: GoState, out: Float64Array): void {
    if (state.toMove >= 0) {
      out[0] = 0;
      out[1] = 0;
      return;
    }
    const margin = goAreaDifference(state, this.rules.board) - this.rules.komi;
    out[0] = margin > 0 ? 1 : margin === 0 ? 0.5 : 0;
    out[1] = 1 - out[0];
  }
}
