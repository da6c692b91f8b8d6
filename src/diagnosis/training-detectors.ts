import { trainingFigures } from "../events/training-figures.ts";
import { diagnosisThresholds } from "../messages/diagnosis-thresholds.ts";
import { type Detector, newest, type WatchedStage } from "./detector.ts";
import type { DiagnosisName, Finding } from "./diagnosis.ts";

/** Versions of the weights that must agree. */
const VERSIONS = 3;

/** Events of training that a mean is taken over, and the fewest that are judged. */
const LOSSES = 5;
const LEAST_LOSSES = 10;

/** A net with random weights predicts as badly as chance does; one whose loss is higher than that after half of the run has diverged. */
const RISEN = 1.25;

/** A loss that has fallen by less than 1% in half of the run has not been learned from. */
const FLAT = 0.99;

/** Reads of an example in runs that learned are about 1 to 6; a tenth as often, most games are played for nothing. */
const HARDLY = 0.1;

/** Windows that work hold 10 to 20 generations (AlphaGo Zero: 20), with a mean age of half of that. */
const OLD_GENERATIONS = 20;

/** A detector of a figure whose newest values agree; it says what the last one means. */
function ofFigure(
  name: DiagnosisName,
  figure: string,
  isSick: (value: number, stage: WatchedStage) => boolean,
  finding: (value: number, stage: WatchedStage) => Finding,
): Detector<"figure"> {
  return {
    name,
    reads: "figure",
    find(events, stage) {
      if (events.at(-1)!.event.name !== figure) return undefined;
      // A trainer emits a few figures with each version.
      const values = newest(events, 10 * VERSIONS)
        .filter((event) => event.name === figure)
        .slice(-VERSIONS)
        .map(({ value }) => value);
      return values.length === VERSIONS && values.every((value) => isSick(value, stage))
        ? finding(values.at(-1)!, stage)
        : undefined;
    },
  };
}

const overReading = ofFigure(
  "over-reading",
  trainingFigures.reads,
  (value) => value > diagnosisThresholds.reads.run,
  (value) => ({
    says: `each example is learned from ${Math.round(value)} times before it leaves, so the net memorises these games`,
    cure: "Lower steps or batch, or play more games in a generation",
  }),
);

const starvedTrainer = ofFigure(
  "starved-trainer",
  trainingFigures.reads,
  (value) => value < HARDLY,
  (value) => ({
    says: `of a hundred new examples the trainer reads ${(100 * value).toFixed(1)}: nearly all games are played for nothing`,
    cure: "Raise steps or batch, or play fewer games in a generation",
  }),
);

const staleBuffer = ofFigure(
  "stale-buffer",
  trainingFigures.age,
  (age, { generation }) => generation !== undefined && age > OLD_GENERATIONS * generation,
  (age, { generation }) => ({
    says: `the examples are ${Math.round(age)} games old on average, ${Math.round(age / generation!)} generations: most of them show how a much weaker net played`,
    cure: `Make the buffer smaller (games: ${20 * generation!} holds 20 generations), or the generations larger`,
  }),
);

/** An untrained net has a drift of about this by rounding alone. */
const STILL = 1e-5;

const UNFREEZE = "Raise the rate, and check whether the trainer trains the net that the learner plays with";

const frozenValues = ofFigure(
  "frozen-net",
  trainingFigures.valueDrift,
  (value) => value < STILL,
  (value) => ({
    says: `from version to version the values of the net change by ${value.toPrecision(1)} of their range: it does not learn`,
    cure: UNFREEZE,
  }),
);

const frozenLoss: Detector<"training"> = {
  name: "frozen-net",
  reads: "training",
  find(events, { fresh, planned }) {
    if (!fresh || planned === undefined || events.length < LEAST_LOSSES) return undefined;
    if (events.at(-1)!.event.step < planned / 2) return undefined;
    const [first, last] = lossesOf(events);
    // A loss that rises is another matter.
    if (!(last >= FLAT * first && last <= first / FLAT)) return undefined;
    return {
      says: `after half of the steps the loss is what it was at the start (${first.toPrecision(3)}, now ${last.toPrecision(3)})`,
      cure: UNFREEZE,
    };
  },
};

const divergingRate: Detector<"training"> = {
  name: "diverging-rate",
  reads: "training",
  find(events, { fresh, planned }) {
    const { loss, rate, step } = events.at(-1)!.event;
    const cure = "Lower the rate (adam: 0.001 to 0.005, sgd: 0.01), or clip the loss (loss: { clip: ... })";
    if (!Number.isFinite(loss))
      return { says: `the loss is no number any more at a rate of ${rate}: training has diverged`, cure };
    if (!fresh || planned === undefined || step < planned / 2 || events.length < LEAST_LOSSES)
      return undefined;
    const first = events.at(0)!.event.loss;
    const [, last] = lossesOf(events);
    if (!(last > RISEN * first)) return undefined;
    return {
      says: `the loss has risen from ${first.toPrecision(3)} to ${last.toPrecision(3)} at a rate of ${rate}: the steps are too large`,
      cure,
    };
  },
};

/** The mean losses of the first and of the newest events. */
function lossesOf(events: Parameters<Detector<"training">["find"]>[0]): [first: number, last: number] {
  const first = Array.from({ length: LOSSES }, (_, i) => events.at(i)!.event.loss);
  const mean = (losses: readonly number[]) => losses.reduce((sum, loss) => sum + loss, 0) / losses.length;
  return [mean(first), mean(newest(events, LOSSES).map(({ loss }) => loss))];
}

/** Detectors of what training shows. */
export const trainingDetectors: readonly (Detector<"figure"> | Detector<"training">)[] = [
  overReading,
  starvedTrainer,
  staleBuffer,
  frozenValues,
  frozenLoss,
  divergingRate,
];
