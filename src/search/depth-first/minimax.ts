import { Type, type Static } from "../../schema.ts";
import type { Game } from "../../games/game.ts";
import { Random } from "../../random.ts";
import { DecisionBuffer } from "../choice/decision-buffer.ts";
import type { SearchDefinition } from "../definition.ts";
import type { Search, Searching } from "../search.ts";
import { TimeBudget } from "../time-budget.ts";
import { AlphaBeta } from "./alpha-beta.ts";
import { DEEPEST, DepthFirst, Descent, type LookAhead, OUT_OF_TIME } from "./depth-first.ts";
import { FinalPayoff } from "./final-payoff.ts";
import { NullWindow } from "./null-window.ts";
import { PlainMinimax } from "./plain-minimax.ts";
import { staticPayoffBounds, unknownValue } from "./static-payoff.ts";

const options = Type.Object(
  {
    depth: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: DEEPEST,
        default: 0,
        description:
          "Depth in moves, including the root's own: positions there are valued by `value`, a static evaluation of the game. 0: to the end of the game.",
      }),
    ),
    milliseconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 86_400_000,
        default: 0,
        description:
          "Time of a decision in milliseconds: processor time of the searching thread in the stages of experiments, otherwise wall time. When it is up, the move with the greatest lower bound is played, and values that are not proved are unknown. 0 means no limit. Decisions under a time limit are not reproducible.",
      }),
    ),
    value: Type.Optional(
      Type.String({
        default: "auto",
        description:
          "What finished games are valued by: one of the game's static evaluations (Go: area) or returns; auto: the first static evaluation, returns if there is none.",
      }),
    ),
    pruning: Type.Optional(
      Type.Union([Type.Literal("full"), Type.Literal("inner"), Type.Literal("none")], {
        default: "full",
        description:
          "full: alpha-beta. The values of moves that are cut stay unknown. inner: then alpha-beta below each of these moves, so that the value of every move is exact. none: plain minimax, which visits the whole game tree, at greater and greater depth.",
      }),
    ),
    table: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 16_777_216,
        default: 1_048_576,
        description:
          "Number of entries of the transposition table; 0 turns it off. It needs a game with a position hash.",
      }),
    ),
  },
  { additionalProperties: false },
);

type Options = Required<Static<typeof options>>;

/** Processor time of the search that `warning` makes. */
const TRIAL_MILLISECONDS = 1000;

/**
 * Exact minimax value of a game of two players, whose payoff is the margin: own value less that of the other. The search
 * runs to the end of the game. It plays the first of the best moves.
 *
 * Every move of the root has bounds. The move with the greatest lower bound is played, of equal ones that with the
 * greatest upper bound, then the first. The value of a move is known, and reported, if its bounds are equal.
 */
class Minimax<S> implements Search<S> {
  readonly maxRequest = 0;
  readonly #game: Game<S>;
  readonly #pruning: "full" | "inner" | "none";
  readonly #payoff: FinalPayoff<S>;
  readonly #budget: TimeBudget;
  readonly #descent: Descent<S>;
  readonly #search: NullWindow<S>;
  readonly #plain: PlainMinimax<S>;
  readonly #buffer: DecisionBuffer<S>;
  readonly #child: S;
  /** Beside each legal action of the root: the bounds of its payoff. */
  readonly #least: Float64Array;
  readonly #most: Float64Array;

  constructor(game: Game<S>, { value, pruning, table }: Options, budget: TimeBudget) {
    this.#budget = budget;
    this.#game = game;
    this.#pruning = pruning;
    this.#payoff = new FinalPayoff(game, value);
    this.#descent = new Descent(game, budget);
    this.#search = new NullWindow(this.#descent, this.#payoff, table);
    this.#plain = new PlainMinimax(this.#descent, this.#payoff);
    this.#buffer = new DecisionBuffer(game);
    this.#child = game.initial();
    this.#least = new Float64Array(game.maxLegal);
    this.#most = new Float64Array(game.maxLegal);
  }

  /** Positions visited in the last decision. */
  get nodes(): number {
    return this.#descent.nodes;
  }

  // oxlint-disable-next-line require-yield -- it makes no requests
  *search(state: S, _random: Random, _decisions: number, milliseconds?: number): Searching<S> {
    const rows = this.#buffer.open(state);
    const { actions, actionValues } = rows;
    const mover = this.#game.toMove(state);
    this.#payoff.side = mover;
    this.#descent.begin(milliseconds);
    if (this.#pruning === "none") this.#proveByAll(state, actions);
    else this.#prove(state, actions);
    const best = this.#best(actions.length);
    for (let i = 0; i < actions.length; i++) actionValues[i] = this.#known(i);
    const value = this.#known(best);
    const values = mover === 0 ? [value, 0 - value] : [0 - value, value];
    const decision = this.#buffer.close(rows, best, values);
    const { reached: limit } = this.#budget;
    return limit === undefined ? decision : { ...decision, limit };
  }

  /** Solves the position, then with `inner` each move whose value is still open. */
  #prove(state: S, actions: Int32Array): void {
    const game = this.#game;
    const search = this.#search;
    search.begin();
    search.solve(state);
    this.#least.set(search.rootLeast);
    this.#most.set(search.rootMost);
    if (this.#pruning === "full" || search.least < search.most) return;
    for (let i = 0; i < actions.length; i++) {
      if (this.#least[i] === this.#most[i]) continue;
      game.copy(state, this.#child);
      game.play(this.#child, actions[i]!);
      // Depth 1 would be searched without a look at the clock.
      search.solve(this.#child, 2);
      this.#least[i] = Math.max(this.#least[i]!, search.least);
      this.#most[i] = Math.min(this.#most[i]!, search.most);
      if (search.least < search.most) return;
    }
  }

  /** Searches every move deeper and deeper without pruning until all values are known, or the time is up. */
  #proveByAll(state: S, actions: Int32Array): void {
    const game = this.#game;
    const plain = this.#plain;
    const { state: child } = this.#descent.level(0);
    const count = actions.length;
    this.#least.fill(-Infinity, 0, count);
    this.#most.fill(Infinity, 0, count);
    try {
      for (let depth = 1, open = count; open > 0; depth++) {
        this.#descent.look(depth);
        open = 0;
        for (let i = 0; i < count; i++) {
          game.copy(state, child);
          game.play(child, actions[i]!);
          plain.look(0, depth - 1);
          this.#least[i] = plain.least;
          this.#most[i] = plain.most;
          if (plain.least < plain.most) open++;
        }
      }
    } catch (error) {
      if (error !== OUT_OF_TIME) throw error;
    }
  }

  /** The index of the action to play. */
  #best(count: number): number {
    const least = this.#least;
    const most = this.#most;
    let best = 0;
    for (let i = 1; i < count; i++)
      if (least[i]! > least[best]! || (least[i] === least[best] && most[i]! > most[best]!)) best = i;
    return best;
  }

  /** The payoff of the mover after an action; NaN if it is not known. */
  #known(index: number): number {
    const value = this.#least[index]!;
    return value === this.#most[index] ? value + 0 : NaN;
  }
}

/** Minimax to a depth: alpha-beta on margins, of which the seats have opposite ones. */
function toDepth<S>(game: Game<S>, options: Options, threadSeconds: (() => number) | undefined): Search<S> {
  const open = (descent: Descent<S>): LookAhead<S> => {
    const search = new AlphaBeta(descent, { ...options, payoff: "margin" }, "turns");
    return {
      begin: (state) => search.begin(state),
      look(state, depth, actions, count, actionValues, values) {
        const best = search.look(state, depth, actions, count, actionValues, values);
        const mover = game.toMove(state);
        values[1 - mover] = 0 - values[mover]!;
        return best;
      },
    };
  };
  return new DepthFirst(game, options, threadSeconds, open);
}

/** Exact minimax values, or with `depth` those of a depth: see `Minimax` and `NullWindow`. */
export const minimax: SearchDefinition<typeof options> = {
  name: "minimax",
  description:
    "Minimax for two players, by alpha-beta: the exact value of a small game, searched to its end, or with `depth` a static evaluation some moves ahead. Needs no net.",
  options,
  needs: { value: false, policy: false },
  best: "value",
  leavesValuesOpen: true,
  analysis: { pruning: "inner" },
  unsuited: (game, { depth, value, milliseconds }) => {
    if (game.players !== 2) return `minimax is for two players, and ${game.name} has ${game.players}`;
    if (game.chance !== undefined || game.information !== undefined)
      return `minimax knows neither chance nor hidden information, which ${game.name} has`;
    if (game.endless !== undefined && milliseconds === 0 && depth === 0)
      return `minimax searches to the end of the game, and ${game.endless}; or give the search a depth or milliseconds`;
    return unknownValue(game, value);
  },
  warning: (game, options, processorSeconds) => {
    if (options.milliseconds > 0 || options.depth > 0) return undefined;
    const trial = new Minimax(game, options, new TimeBudget(TRIAL_MILLISECONDS, processorSeconds));
    const step = trial.search(game.initial(), Random.named("trial"), 0).next();
    if (step.done === true && !step.value.values.some(Number.isNaN)) return undefined;
    return `minimax has not solved ${game.name} from its start in ${TRIAL_MILLISECONDS / 1000} second of processor time: a decision takes as long as its proof, which may be for ever; set depth or milliseconds, or name another search`;
  },
  valueBounds: (game, { value }) => staticPayoffBounds(game, value, "margin"),
  create: (game, options, _nets, threadSeconds) =>
    options.depth > 0
      ? toDepth(game, options, threadSeconds)
      : new Minimax(game, options, new TimeBudget(options.milliseconds, threadSeconds)),
};
