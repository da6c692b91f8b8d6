import { createHash, type Hash } from "node:crypto";
import type { Evaluator } from "../../../src/games/evaluation.ts";
import { CHANCE, type Game, OVER } from "../../../src/games/game.ts";
import type { GivenNets } from "../../../src/search/definition.ts";
import type { Random } from "../../../src/random.ts";
import type { Decision, Search, Searching } from "../../../src/search/search.ts";

/** What the recorder uses of a checkout, so that it can record an earlier one. */
export interface Checkout {
  openGame(name: string, options?: Readonly<Record<string, unknown>>): Game<any>;
  openSearch(
    name: string,
    game: Game<any>,
    options: Readonly<Record<string, unknown>>,
    among?: undefined,
    nets?: GivenNets,
  ): Search<any>;
  readonly Random: { named(...name: readonly (string | number)[]): Random };
  drive(searching: Searching<any>, evaluator: Evaluator<any>): Decision<any>;
}

/** A search with its options in a game, and where it decides. */
export interface Case {
  readonly search: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly game: string;
  readonly rules?: Readonly<Record<string, unknown>>;
  /** What nets give the search; where it is absent, one net gives all that the search asks for. */
  readonly nets?: GivenNets;
}

/** How many games a case is recorded in, and where in them. */
export interface Extent {
  readonly games: number;
  /** Plies of random play before each row of decisions. */
  readonly plies: readonly number[];
  /** Decisions in a row, after each of which its move is played: a search that keeps its tree goes on with it. */
  readonly decisions: number;
}

/** The name of a case in the recorded digests. */
export const nameOf = ({ search, options, game, rules, nets }: Case): string =>
  [
    search,
    JSON.stringify(options),
    game,
    ...[rules, nets].flatMap((each) => JSON.stringify(each) ?? []),
  ].join(" ");

/**
 * A digest of all decisions of a case: moves, visits, values bit for bit, policies, samples, and the state of the
 * random stream after each decision. Equal digests mean equal play.
 */
export function digestOf(checkout: Checkout, each: Case, { games, plies, decisions }: Extent): string {
  const game = checkout.openGame(each.game, each.rules);
  const hash = createHash("sha256");
  const search = checkout.openSearch(each.search, game, each.options, undefined, each.nets);
  const evaluator = positionEvaluator(checkout, game);
  for (let number = 0; number < games; number++) {
    const random = checkout.Random.named("decisions", each.game, number);
    const draws = checkout.Random.named("decisions", each.search, number);
    const state = game.initial();
    search.begin?.(state);
    let decided = 0;
    const play = (action: number) => {
      search.observe?.(state, action);
      game.play(state, action);
    };
    const drawChance = () => {
      while (game.toMove(state) === CHANCE) play(game.chance!.sample(state, random));
    };
    const legal = new Int32Array(game.maxLegal);
    for (const count of plies) {
      for (let ply = 0; ply < count && game.toMove(state) !== OVER; ply++) {
        drawChance();
        if (game.toMove(state) === OVER) break;
        play(legal[random.below(game.legal(state, legal))]!);
      }
      for (let i = 0; i < decisions; i++) {
        drawChance();
        if (game.toMove(state) === OVER) break;
        const decision = checkout.drive(search.search(state, draws, decided++), evaluator);
        take(hash, decision, game);
        hash.update(Int32Array.from(draws.state()));
        play(decision.action);
      }
    }
  }
  return hash.digest("hex").slice(0, 12);
}

function take(hash: Hash, decision: Decision<unknown>, game: Game<any>): void {
  const { action, values, actions, visits, actionValues, policy, learn, samples } = decision;
  hash.update(Int32Array.of(action, actions.length, samples.length, learn === false ? 1 : 0));
  for (const numbers of [values, visits, actionValues, policy ?? []]) hash.update(Float64Array.from(numbers));
  hash.update(actions);
  for (const sample of samples) {
    hash.update(game.notation.position(sample.state));
    hash.update(Float64Array.from(sample.values));
  }
}

/** Values and priors as a function of the position alone, such as no game has: every search finds something to do. */
function positionEvaluator(checkout: Checkout, game: Game<any>): Evaluator<any> {
  const [least, most] = game.returnBounds;
  const scale = Number.isFinite(most - least) ? most - least : 1000;
  return {
    evaluate({ states, count, values, priors }) {
      for (let row = 0; row < count; row++) {
        const random = checkout.Random.named("evaluator", game.notation.position(states[row]));
        for (let seat = 0; seat < game.players; seat++)
          values[row * game.players + seat] = random.float() * scale;
        const stride = game.maxLegal;
        if (priors !== undefined)
          for (let i = 0; i < Math.min(stride, 512); i++) priors[row * stride + i] = random.float() ** 4;
      }
    },
  };
}
