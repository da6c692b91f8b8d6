import type { NetOpinion, AnalysedDecision, AnalysedMove } from "../../formats/game-analyses.ts";
import type { EvaluationRequest } from "../../games/evaluation.ts";
import type { Game } from "../../games/game.ts";
import type { Random } from "../../random.ts";
import type { Decision, PolicyChange, Search, Searching } from "../../search/search.ts";
import { entropyOf } from "./game-figures.ts";

/** Settings of the analysis of each decision. */
export interface AnalysisConfig {
  /** Maximum number of moves stored for a decision, including the move played. */
  readonly moves: number;
  /** The values of k, increasing, for which the summed probability of the k likeliest moves is stored. */
  readonly tops: readonly number[];
}

/** The default settings. */
export const usualAnalysis: AnalysisConfig = { moves: 12, tops: [10, 50, 100] };

/**
 * Wraps a search: plays the same moves, and records visits, values and net output of each decision.
 *
 * Before each decision it has the net evaluate the position, if the net has a policy: one evaluation more than the search
 * needs. The search does not depend on it, so an analysed game is identical to the game without analysis.
 */
export class AnalysedSearch<S> implements Search<S> {
  readonly maxRequest: number;
  readonly begin?: (state: S) => void;
  readonly observe?: (state: S, action: number) => void;
  readonly objection?: (state: S) => string | undefined;
  readonly policyChange?: () => PolicyChange;
  readonly #inner: Search<S>;
  readonly #game: Game<S>;
  readonly #config: AnalysisConfig;
  readonly #keep: (decision: Omit<AnalysedDecision, "ply">) => void;
  readonly #request:
    | (EvaluationRequest<S> & { readonly states: S[]; readonly priors: Float32Array })
    | undefined;

  /** `keep` is called with each decision; `policy` is whether the net of the player has a policy. */
  constructor(
    inner: Search<S>,
    game: Game<S>,
    config: AnalysisConfig,
    policy: boolean,
    keep: (decision: Omit<AnalysedDecision, "ply">) => void,
  ) {
    this.#inner = inner;
    this.#game = game;
    this.#config = config;
    this.#keep = keep;
    this.maxRequest = Math.max(inner.maxRequest, policy ? 1 : 0);
    if (inner.begin !== undefined) this.begin = (state) => inner.begin!(state);
    if (inner.observe !== undefined) this.observe = (state, action) => inner.observe!(state, action);
    if (inner.policyChange !== undefined) this.policyChange = () => inner.policyChange!();
    if (inner.objection !== undefined) this.objection = (state) => inner.objection!(state);
    if (policy)
      this.#request = {
        states: [],
        count: 1,
        values: new Float64Array(game.players),
        priors: new Float32Array(game.maxLegal),
      };
  }

  *search(state: S, random: Random, decisions: number): Searching<S> {
    const request = this.#request;
    if (request !== undefined) {
      request.states[0] = state;
      yield request;
    }
    const decision = yield* this.#inner.search(state, random, decisions);
    const priors = request?.priors.subarray(0, decision.actions.length);
    this.#keep({
      seat: this.#game.toMove(state),
      action: decision.action,
      legal: decision.actions.length,
      visits: Math.round(decision.visits.reduce((sum, count) => sum + count, 0)),
      values: [...decision.values],
      ...(request === undefined
        ? {}
        : { opinion: opinionOf([...request.values], priors!, decision, this.#config.tops) }),
      moves: mostVisited(decision, priors, this.#config.moves),
    });
    return decision;
  }
}

/** The output of a net for a position, and the rank of the move played. Probabilities are over the legal actions. */
export function opinionOf<S>(
  values: readonly number[],
  priors: Float32Array,
  { action, actions }: Pick<Decision<S>, "action" | "actions">,
  tops: readonly number[],
): NetOpinion {
  const played = actions.indexOf(action);
  const falling = priors.toSorted().reverse();
  // Of equal probabilities the first ranks higher, so every move has its own rank.
  let rank = 1;
  for (const [i, p] of priors.entries())
    if (p > priors[played]! || (p === priors[played] && i < played)) rank++;
  const shares = tops.map((top) => falling.subarray(0, top).reduce((sum, p) => sum + p, 0));
  return { values, entropy: entropyOf(priors), rank, shares };
}

function mostVisited<S>(
  { action, actionValues, actions, visits }: Decision<S>,
  priors: Float32Array | undefined,
  most: number,
): AnalysedMove[] {
  const prior = (i: number) => priors?.[i] ?? NaN;
  const order = Array.from(actions, (_, i) => i).sort(
    (a, b) => visits[b]! - visits[a]! || (priors === undefined ? 0 : prior(b) - prior(a)) || a - b,
  );
  const kept = order.slice(0, most);
  const played = actions.indexOf(action);
  if (!kept.includes(played)) kept[Math.max(0, most - 1)] = played;
  return kept.map((i) => ({
    action: actions[i]!,
    visits: Math.round(visits[i]!),
    prior: prior(i),
    value: actionValues[i]!,
  }));
}
