import type { EpisodeDecision } from "../../../search/episode.ts";
import type { PolicyChange } from "../../../search/search.ts";

/** A decision whose surprise may be known. */
export interface WithSurprise {
  readonly change?: Pick<PolicyChange, "surprise">;
}

/**
 * The weights of the examples of a game by policy surprise (D. J. Wu's KataGo, "policy surprise weighting" in its *Other
 * Methods Implemented in KataGo*, 2020; there with a share of .5).
 *
 * Of the n decisions whose policy is learned, decision i has the weight (1 - share) + share n s_i / sum of s, where s is the
 * surprise, as far as they all have one. So their mean is 1. All other decisions have the weight 1.
 */
export function surpriseWeights(
  decisions: readonly (Pick<EpisodeDecision, "learn"> & WithSurprise)[],
  share: number,
): number[] {
  const learned = decisions.filter(({ learn }) => learn);
  const sum = learned.reduce((all, { change }) => all + (change?.surprise ?? Number.NaN), 0);
  // Of a search without priors, and if no policy differs from them.
  if (!(sum > 0)) return decisions.map(() => 1);
  return decisions.map(({ change, learn }) =>
    learn ? 1 - share + (share * learned.length * change!.surprise) / sum : 1,
  );
}
