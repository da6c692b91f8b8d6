import { belowExpected } from "./below-expected.ts";
import { type Detector, newest } from "./detector.ts";
import { percent } from "../figures/number-text.ts";
import { gamesAlike } from "./games-alike.ts";

/** Rounds in a row that an agent must lose to a random one. */
const ROUNDS = 2;

/** Games whose results are judged, and the share of the range of returns that counts as an end of it. */
const LEAST_RESULTS = 100;
const MOST_EVENTS = 100;
const AT_END = 0.03;

const repeatedMatches: Detector<"match"> = {
  name: "repeated-games",
  reads: "match",
  find(events) {
    const { contest } = events.at(-1)!.event;
    const alike = contest && gamesAlike(contest, "the match");
    if (alike === undefined) return undefined;
    return {
      says: `${alike}, so its intervals are much too narrow`,
      cure: "Begin games with random plies (openings: { plies: 4 })",
    };
  },
};

const losesToRandom: Detector<"match"> = {
  name: "loses-to-random",
  reads: "match",
  find(events, { learners, random }) {
    const last = newest(events, ROUNDS);
    const losers = last.map(({ contest, learned }) =>
      learned === 0
        ? []
        : (contest?.pairs ?? []).filter(
            ({ against, agent, score }) =>
              learners.has(agent) && random.has(against) && score.interval[1] < 0.5,
          ),
    );
    if (last.length < ROUNDS) return undefined;
    const worst = losers[0]!.find(({ agent }) =>
      losers.every((pairs) => pairs.some((pair) => pair.agent === agent)),
    );
    if (worst === undefined) return undefined;
    const now = losers.at(-1)!.find(({ agent }) => agent === worst.agent)!;
    return {
      says: `${now.agent} scores ${percent(now.score.value)} against ${now.against}, which plays at random: what it has learned is worse than nothing`,
      cure: "Look for a wrong sign: whether returns, values and planes are all seen by the same seat (ludoflow check FILE --laws)",
    };
  },
};

const oneSidedResults: Detector<"games"> = {
  name: "one-sided-results",
  reads: "games",
  find(events, { players, returnBounds: [low, high] }) {
    const range = high - low;
    if (players !== 2 || !Number.isFinite(range)) return undefined;
    const last = newest(events, MOST_EVENTS);
    let games = 0;
    let sum = 0;
    for (let i = last.length - 1; i >= 0 && games < LEAST_RESULTS; i--) {
      games += last[i]!.count;
      sum += last[i]!.count * last[i]!.mean;
    }
    if (games < LEAST_RESULTS) return undefined;
    const share = (sum / games - low) / range;
    if (share > AT_END && share < 1 - AT_END) return undefined;
    const winner = share > 0.5 ? "first" : "second";
    return {
      says: `the ${winner} seat wins nearly all of the last ${games} games: the results say nothing about the quality of the moves`,
      cure: "Check whether the rules let both seats win; else begin games with openings (openings: [{ plies: 4 }]) or with positions that are level",
    };
  },
};

/** Detectors of what results show. */
export const resultDetectors: readonly (Detector<"match"> | Detector<"games">)[] = [
  repeatedMatches,
  losesToRandom,
  oneSidedResults,
  belowExpected,
];
