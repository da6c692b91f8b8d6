import type { DecisionMeans, SelfPlayFigures } from "../events/event.ts";
import { type Detector, type EventsOfStage, newest, type WatchedStage } from "./detector.ts";
import { percent } from "../figures/number-text.ts";
import { diagnosisThresholds } from "../messages/diagnosis-thresholds.ts";
import { gamesAlike } from "./games-alike.ts";
import type { DiagnosisName, Finding } from "./diagnosis.ts";

/** Generations that must agree: one alone may be chance. */
const GENERATIONS = 3;

/** A net of fewer generations is young: small runs that learn have a uniform policy and values of noise after eight. */
const LEAST_LEARNED = 10;

/** The mean of fewer decisions than this is too uncertain for a diagnosis. */
const LEAST_DECISIONS = 50;

/** Fewer games than this are too few to say that all are drawn. */
const LEAST_DRAWN = 60;

/** Of the entropy of a uniform policy: above `UNIFORM` the priors do not distinguish moves, below `COLLAPSED` only one move is left. */
const UNIFORM = 0.95;
const NEARLY_UNIFORM = 0.9;
const COLLAPSED = 0.02;

const { targetDistance, topVisits, triedMoves, visitEntropy } = diagnosisThresholds;

/**
 * Errors of values are compared if they are at least this: almost all results alike leave nothing to predict. All generations
 * of so many games must agree: a game has one result, and of 72 games chance alone made values worse than a constant.
 */
const LEAST_ERROR = 0.01;
const LEAST_RESULTS = 120;

/**
 * Number of probes from which a mean gain of the values over the policy is reported, and the gain. Nets that learned have less than 0.3
 * nats; in Blokus Duo, whose policy learned nothing, it was 1.2.
 */
const LEAST_PROBES = 50;
const VALUES_AHEAD = 0.5;

/** Perfect players draw tic-tac-toe, so these shares do not apply to them; players that know nothing draw it in 12% of the games. */
const ALL_DRAWN = 0.98;
const MOSTLY_DRAWN = 0.8;

const FEW_CHOICES = 2 / 3;

/** The means of a generation over all thirds of the game; NaN if it has no decisions. */
function wholeGame({ thirds }: SelfPlayFigures): DecisionMeans {
  return meanOf(thirds);
}

/** The mean of means, each weighted by the decisions that it is over; NaN if there are none. */
function meanOf(parts: readonly DecisionMeans[]): DecisionMeans {
  const sum = (of: (part: DecisionMeans) => number) => parts.reduce((all, part) => all + of(part), 0);
  const mean = (key: keyof DecisionMeans, count = (part: DecisionMeans) => part.decisions) =>
    sum((part) => (count(part) === 0 ? 0 : count(part) * part[key])) / sum(count);
  const drawn = (part: DecisionMeans) => part.drawn;
  const decided = (part: DecisionMeans) => part.decisions - part.drawn;
  const probes = (part: DecisionMeans) => part.probes;
  return {
    decisions: sum(({ decisions }) => decisions),
    legal: mean("legal"),
    visited: mean("visited"),
    prior: mean("prior"),
    target: mean("target"),
    distance: mean("distance"),
    tried: mean("tried"),
    top: mean("top"),
    valueError: mean("valueError"),
    constantError: mean("constantError"),
    drawn: sum(drawn),
    drawnError: mean("drawnError", drawn),
    decidedError: mean("decidedError", decided),
    probes: sum(probes),
    gain: mean("gain", probes),
    greedyError: mean("greedyError", probes),
  };
}

/**
 * The newest generations with decisions of the learner, together of at least so many games, if `part` of each of them is sick;
 * undefined if they are too few.
 */
function sick(
  events: EventsOfStage<"self-play-figures">,
  part: (figures: SelfPlayFigures) => DecisionMeans,
  isSick: (means: DecisionMeans) => boolean,
  games = 0,
): DecisionMeans | undefined {
  const count = Math.max(GENERATIONS, Math.ceil(games / events.at(-1)!.event.games));
  const parts = newest(events, count).map(part);
  const enough = parts.length === count && parts.every(({ decisions }) => decisions >= LEAST_DECISIONS);
  return enough && parts.every(isSick) ? meanOf(parts) : undefined;
}

/** Whether a share of the games of the whole run is played. */
function isPast(
  events: EventsOfStage<"self-play-figures">,
  share: number,
  { planned }: WatchedStage,
): boolean {
  return planned !== undefined && events.at(-1)!.event.learned >= share * planned;
}

/** Whether the learner has played fewer generations than a net needs to learn something. */
function isYoung(events: EventsOfStage<"self-play-figures">): boolean {
  const newer = newest(events, LEAST_LEARNED);
  return newer.length < LEAST_LEARNED || newer.some((figures) => wholeGame(figures).decisions === 0);
}

/** A detector of what the newest generations have in common. */
function ofGenerations(
  name: DiagnosisName,
  {
    after,
    games,
    old = false,
    part = wholeGame,
    isSick,
    finding,
  }: {
    /** The share of the run before which nothing is said: a young net is not at fault. */
    readonly after: number;
    /** Games of the generations that must agree, if three generations may be too few. */
    readonly games?: number;
    /** Whether nothing is said of a young net either. */
    readonly old?: boolean;
    readonly part?: (figures: SelfPlayFigures) => DecisionMeans;
    readonly isSick: (means: DecisionMeans) => boolean;
    readonly finding: (means: DecisionMeans) => Finding;
  },
): Detector<"self-play-figures"> {
  return {
    name,
    reads: "self-play-figures",
    find(events, stage) {
      if (!isPast(events, after, stage) || (old && isYoung(events))) return undefined;
      const means = sick(events, part, isSick, games);
      return means && finding(means);
    },
  };
}

const repeatedGames: Detector<"self-play-figures"> = {
  name: "repeated-games",
  reads: "self-play-figures",
  find(events) {
    const alike = gamesAlike(events.at(-1)!.event, "a generation");
    if (alike === undefined) return undefined;
    return {
      says: `${alike}, so the net memorises a few positions`,
      cure: "Give the learner a temperature (temperature: [{ value: 1 }]) and noise (noise: { epsilon: 0.25, alpha: 1 }), or the stage openings (openings: [{ plies: 4 }])",
    };
  },
};

const noisyTeacher: Detector<"self-play-figures"> = {
  name: "noisy-teacher",
  reads: "self-play-figures",
  find(events) {
    const { teacher } = events.at(-1)!.event;
    if (teacher === undefined || !(teacher.decisions >= LEAST_DECISIONS)) return undefined;
    // One visited move is not noise: the entropies are then both 0.
    if (!(teacher.visited > Math.log(2)) || !(teacher.target > visitEntropy * teacher.visited))
      return undefined;
    return {
      says: `the visits of the teacher are as equal as those of a search that does not distinguish moves (entropy ${nats(teacher.target)} of at most ${nats(teacher.visited)}), so its games teach noise`,
      cure: "Give the teacher a lower exploration, more simulations or rave, or its visits a lower learnTemperature if the search has that option",
    };
  },
};

const alwaysDraws: Detector<"self-play-figures"> = {
  name: "always-draws",
  reads: "self-play-figures",
  find(events) {
    const last = newest(events, GENERATIONS);
    const [games, draws] = (["games", "draws"] as const).map((key) =>
      last.reduce((sum, figures) => sum + figures[key], 0),
    ) as [number, number];
    const first = events.length === GENERATIONS && last.every(({ teacher }) => teacher === undefined);
    if (last.length < GENERATIONS || games < LEAST_DRAWN) return undefined;
    if (draws < (first ? MOSTLY_DRAWN : ALL_DRAWN) * games) return undefined;
    return {
      says: `${draws} of the ${first ? "first" : "last"} ${games} games are draws, so the values have nothing to learn`,
      cure: "Look at a game: a limit of moves may end it too early. Else begin games with openings that are not balanced (openings: [{ plies: 6 }]), raise the temperature, or learn from a score",
    };
  },
};

const forcedMoves: Detector<"self-play-figures"> = {
  name: "forced-moves",
  reads: "self-play-figures",
  find(events) {
    const { decisions, forced } = events.at(-1)!.event;
    if (decisions < LEAST_DECISIONS || forced < FEW_CHOICES * decisions) return undefined;
    return {
      says: `in ${percent(forced / decisions)} of the decisions only one move is legal: most of the search and most examples say nothing of moves`,
      cure: "Let the game play forced moves within the move before them, so that each ply is a choice",
    };
  },
};

const valuesOfNoise = ofGenerations("values-of-noise", {
  after: 0.5,
  games: LEAST_RESULTS,
  old: true,
  // At the beginning the result cannot be known, and near the end the search sees it by itself.
  part: ({ thirds }) => thirds[1]!,
  isSick: ({ constantError, valueError }) => constantError >= LEAST_ERROR && valueError >= constantError,
  finding: ({ constantError, valueError }) => ({
    says: `after half of the run, in the middle of games, the values of searches predict results no better than a constant does (squared error ${valueError.toFixed(3)}, constant ${constantError.toFixed(3)})`,
    cure: "Check whether the loss has a valueWeight, whether the value head reaches all results (valueActivation, valueScale, values), whether values and returns are of the same seat, and whether results depend on moves at all",
  }),
});

/** Of a third of the game: the entropy of the priors as a share of that of a uniform policy. */
const evenness = ({ legal, prior }: DecisionMeans): number => prior / legal;

const uniformPolicy: Detector<"self-play-figures"> = {
  name: "uniform-policy",
  reads: "self-play-figures",
  find(events, stage) {
    if (!isPast(events, 0.5, stage) || isYoung(events)) return undefined;
    const means = sick(events, wholeGame, ({ legal }) => legal > 0);
    const thirds = newest(events, GENERATIONS).flatMap((figures) => figures.thirds);
    if (means === undefined || !thirds.every((third) => third.decisions === 0 || evenness(third) > UNIFORM))
      return undefined;
    return {
      says: `after half of the run the policy is still as good as uniform (entropy ${nats(means.prior)} of at most ${nats(means.legal)})`,
      cure: "Raise the simulations, the rate or the steps, lower the noise (noise: { epsilon: 0.25 }), and look at the diagnosis empty-targets",
    };
  },
};

const collapsedPolicy = ofGenerations("collapsed-policy", {
  after: 0,
  part: ({ thirds }) => thirds[0]!,
  isSick: ({ legal, prior }) => legal > Math.log(3) && prior < COLLAPSED * legal,
  finding: ({ legal, prior }) => ({
    says: `in the first third of the game the policy knows one move only (entropy ${nats(prior)} of at most ${nats(legal)}), so nothing else is tried or learned`,
    cure: "Raise the temperature, add noise (noise: { epsilon: 0.25, alpha: 1 }) or openings, and lower cScale or the rate",
  }),
});

const emptyTargets = ofGenerations("empty-targets", {
  // The first weights are random, and with zeroHeads all alike: a target that repeats them is not a fault yet.
  after: 0.25,
  isSick: ({ distance, legal, prior }) => distance < targetDistance && prior > NEARLY_UNIFORM * legal,
  finding: ({ distance, legal, prior }) => ({
    says: `the policy targets repeat the priors (distance ${distance.toFixed(3)}) while these are nearly uniform (entropy ${nats(prior)} of at most ${nats(legal)}): there is nothing to learn from them`,
    cure: "Raise cScale (to 0.5 or 1), let the search consider more moves (considered, simulations), or take target: tried",
  }),
});

const policyBehindValues: Detector<"self-play-figures"> = {
  name: "policy-behind-values",
  reads: "self-play-figures",
  find(events, stage) {
    if (!isPast(events, 0.5, stage) || isYoung(events)) return undefined;
    const { gain, probes } = meanOf(newest(events, LEAST_LEARNED).map(wholeGame));
    if (probes < LEAST_PROBES || !(gain > VALUES_AHEAD)) return undefined;
    return {
      says: `after half of the run the values know what the policy does not: by the net's values of the positions after each move, the move that the search judges best is likelier by ${nats(gain)} than by its policy (${probes} decisions of the last ${LEAST_LEARNED} generations)`,
      cure: "Let the targets follow the values: raise cScale, or take target: tried; give the loss more policyWeight, or the policy head more units",
    };
  },
};

const oneMoveSearch = ofGenerations("one-move-search", {
  after: 0,
  isSick: ({ legal, prior, top, tried }) =>
    tried < triedMoves.run && top > topVisits && prior > NEARLY_UNIFORM * legal,
  finding: ({ top, tried }) => ({
    says: `searches try ${percent(tried)} of the legal moves and give one of them ${percent(top)} of the visits, though the policy prefers none`,
    cure: "Take gumbel, more simulations, or a greater cInit",
  }),
});

function nats(entropy: number): string {
  return `${entropy.toFixed(2)} nats`;
}

/** Detectors of what the decisions and results of self-play show. */
export const selfPlayDetectors: readonly Detector<"self-play-figures">[] = [
  repeatedGames,
  oneMoveSearch,
  uniformPolicy,
  collapsedPolicy,
  emptyTargets,
  policyBehindValues,
  noisyTeacher,
  valuesOfNoise,
  alwaysDraws,
  forcedMoves,
];
