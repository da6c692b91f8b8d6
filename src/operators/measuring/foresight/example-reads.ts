import { diagnosisThresholds } from "../../../messages/diagnosis-thresholds.ts";
import type { Foreseen, GamesOffer } from "../../operator.ts";
import type { OpenExperiment } from "../../experiment/open-experiment.ts";
import { randomLength } from "../cost/random-games.ts";

const MOST_READS = diagnosisThresholds.reads.check;

/**
 * A warning if a trainer reads each example too often while it is in the buffer: the positions of the steps of a generation
 * divided by those that the generation brings.
 */
export function overReading(
  { batch, steps }: { readonly batch: number; readonly steps: number },
  { game }: OpenExperiment,
  { examples, generation, heldOut = 0 }: GamesOffer,
): Foreseen[] {
  if (examples.use !== "alphazero") return [];
  const fresh = generation * (1 - heldOut) * randomLength(game).decisions;
  const reads = (batch * steps) / fresh;
  if (reads <= MOST_READS) return [];
  const says = `the ${steps} steps of ${batch} positions after each generation read each position about ${Math.round(reads)} times, since ${generation} games bring about ${Math.round(fresh)} positions, so the net memorises these games`;
  return [
    {
      key: "steps",
      name: "over-reading",
      says,
      cure: `Take at most ${Math.max(1, Math.floor((MOST_READS * fresh) / batch))} steps, or play more games in a generation`,
    },
  ];
}
