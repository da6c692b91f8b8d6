import type { PolicyAtPly, Spread } from "../../../events/event.ts";
import type { AnalysedDecision, GameAnalysis, NetOpinion } from "../../../formats/game-analyses.ts";
import { Moments } from "../../../stats/moments.ts";
import { quantile } from "../../../stats/quantiles.ts";

/** Gathers statistics of a net's policy in games, by ply. */
export class PolicyTally {
  readonly #agent: string;
  readonly #tops: readonly number[];
  readonly #decisions = new Map<
    number,
    { readonly decision: AnalysedDecision; readonly opinion: NetOpinion }[]
  >();
  readonly #returns = new Moments();
  /** Games taken in. */
  games = 0;

  constructor(agent: string, tops: readonly number[]) {
    this.#agent = agent;
    this.#tops = tops;
  }

  /** Counts the decisions of the agent in one game. */
  add(seats: readonly string[], returns: readonly number[], { decisions }: GameAnalysis): void {
    this.games++;
    for (const [seat, score] of returns.entries()) if (seats[seat] === this.#agent) this.#returns.add(score);
    for (const decision of decisions) {
      const { opinion, ply, seat } = decision;
      if (seats[seat] !== this.#agent || opinion === undefined) continue;
      const others = this.#decisions.get(ply);
      if (others === undefined) this.#decisions.set(ply, [{ decision, opinion }]);
      else others.push({ decision, opinion });
    }
  }

  /** Mean return of the agent's seats. */
  get meanReturn(): number {
    return this.#returns.mean;
  }

  /** The statistics of each ply that has a decision of the agent. */
  plies(): PolicyAtPly[] {
    return [...this.#decisions]
      .toSorted(([a], [b]) => a - b)
      .map(([ply, all]) => ({
        ply,
        decisions: all.length,
        legal: spread(all.map(({ decision }) => decision.legal)),
        shares: this.#tops.map((_, i) => Moments.of(all.map(({ opinion }) => opinion.shares[i]!)).mean),
        rank: spread(all.map(({ opinion }) => opinion.rank)),
        first: all.filter(({ opinion }) => opinion.rank === 1).length,
        entropy: spread(all.map(({ opinion }) => opinion.entropy)),
      }));
  }
}

function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  return {
    mean: Moments.of(values).mean,
    low: quantile(sorted, 0.1),
    median: quantile(sorted, 0.5),
    high: quantile(sorted, 0.9),
  };
}
