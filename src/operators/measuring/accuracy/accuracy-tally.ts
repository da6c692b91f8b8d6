import type { MoveAccuracy, PolicyScore } from "../../../events/event.ts";
import { type Estimate, ratioEstimate } from "../../../stats/intervals.ts";
import type { GameCollection } from "../../run/items.ts";
import type { JudgedMoves } from "./judged-moves.ts";

/** The sums of a game. */
interface GameSums {
  decisions: number;
  /** Decisions whose move is the likeliest, is among the five likeliest, has a probability above 0. */
  top1: number;
  top5: number;
  possible: number;
  /** The sum of the log-likelihoods of possible moves. */
  likelihood: number;
}

/**
 * The accuracy of a policy: in total, by the groups of a collection if it has several, and in bins of `width` plies.
 *
 * Decisions of a game depend on each other. So the interval of a share is that of a ratio of sums over games (number of
 * hits to number of decisions), as if games were drawn independently. Intervals of shares end at 0 and 1.
 */
export function scoreOfPolicy(
  moves: JudgedMoves,
  { groupOf, groups }: Pick<GameCollection, "groupOf" | "groups">,
  width: number,
): Omit<PolicyScore, "net" | "symmetries"> {
  const all = new AccuracySums();
  const byGroup = groups.map(() => new AccuracySums());
  const byPly = new Map<number, AccuracySums>();
  for (const [i, game] of moves.games.entries()) {
    const bin = Math.floor(moves.plies[i]! / width);
    const ofBin = byPly.get(bin) ?? new AccuracySums();
    byPly.set(bin, ofBin);
    for (const sums of [all, byGroup[groupOf[game]!]!, ofBin])
      sums.add(game, moves.ranks[i]!, moves.likelihoods[i]!);
  }
  const nonEmpty = byGroup.flatMap((sums, i) =>
    sums.decisions === 0 ? [] : [{ group: groups[i]!, ...sums.accuracy() }],
  );
  return {
    ...all.accuracy(),
    groups: nonEmpty.length > 1 ? nonEmpty : [],
    plies: [...byPly]
      .toSorted(([a], [b]) => a - b)
      .map(([bin, sums]) => ({ from: bin * width, ...sums.accuracy() })),
  };
}

class AccuracySums {
  readonly #games = new Map<number, GameSums>();
  decisions = 0;

  add(game: number, rank: number, likelihood: number): void {
    const sums = this.#games.get(game) ?? { decisions: 0, top1: 0, top5: 0, possible: 0, likelihood: 0 };
    this.#games.set(game, sums);
    this.decisions++;
    sums.decisions++;
    if (rank === 1) sums.top1++;
    if (rank >= 1 && rank <= 5) sums.top5++;
    if (rank === 0) return;
    sums.possible++;
    sums.likelihood += likelihood;
  }

  accuracy(): MoveAccuracy {
    const games = [...this.#games.values()];
    const decisions = games.map((sums) => sums.decisions);
    const possible = games.map((sums) => sums.possible);
    const impossible = this.decisions - possible.reduce((sum, count) => sum + count, 0);
    const ratio = (of: keyof GameSums, by: readonly number[]) =>
      ratioEstimate(
        games.map((sums) => sums[of]),
        by,
      );
    const share = (of: "top1" | "top5"): Estimate => {
      const { value, interval } = ratio(of, decisions);
      return { value, interval: [Math.max(0, interval[0]), Math.min(1, interval[1])] };
    };
    return {
      games: games.length,
      decisions: this.decisions,
      top1: share("top1"),
      top5: share("top5"),
      likelihood:
        impossible === this.decisions ? { value: NaN, interval: [NaN, NaN] } : ratio("likelihood", possible),
      ...(impossible === 0 ? {} : { impossible }),
    };
  }
}
