import { Game2048 } from "../src/games/2048.ts";
import { AfterstateLearner } from "../src/models/afterstate-learner.ts";
import { NTupleNetwork } from "../src/models/n-tuple.ts";
import type { LearnerOptions } from "../src/models/tables.ts";
import { Random } from "../src/random.ts";
import { plainLearner } from "./n-tuple-plain.ts";
import { ratesInTurn, type Turns } from "./in-turn.ts";
import { compared, type BenchReport, type BenchRow } from "./report.ts";

/** Rounds, in each of which all learners are timed in turn; of their rates the median counts. */
const TURNS: Turns = { rounds: 31, warmUps: 5, sliceMs: 150 };
/** The mean score to pass: the best player of the source of experiment D. */
const PASS = 48_008;
/** Games whose mean must pass. */
const WINDOW = 1000;

const lambda = 0.5;
const coherence: LearnerOptions = { lambda, step: { use: "tc", rate: 1 } };
const fixed: LearnerOptions = { lambda: 0, step: { use: "td", rate: 0.1 } };

/**
 * `bench n-tuple`: learning speed of the 4x6 network in decisions per second on one thread, beside the same learner
 * written plainly, all from fresh tables; and what it takes until the last 1,000 games played while learning, which
 * are greedy games, average above 48,008.
 */
export async function benchNTuple(): Promise<BenchReport> {
  const metric = { metric: "learning", unit: "moves/s" };
  const [tc, td, plain] = ratesInTurn(
    [learn(coherence), learn(fixed), plainLearner(Random.named("bench", "plain"), lambda)],
    TURNS,
  );
  const peer = { name: "plain typed arrays, TC", value: plain! };
  return {
    bench: "n-tuple",
    rows: [
      compared({ ...metric, case: "4x6, TC, lambda .5", value: tc! }, peer),
      compared({ ...metric, case: "4x6, TD, lambda 0", value: td! }, peer),
      ...untilPassed(),
    ],
  };
}

function learner(options: LearnerOptions): AfterstateLearner {
  const game = new Game2048({ rows: 4, columns: 4 });
  return new AfterstateLearner(NTupleNetwork.create(game, { tuples: "4x6", initialValue: 0 }), game, options);
}

/** Learns from one game a call; returns its number of decisions. */
function learn(options: LearnerOptions): () => number {
  const own = learner(options);
  const random = Random.named("bench", "n-tuple");
  return () => {
    own.playGame(random);
    return own.values.length;
  };
}

function untilPassed(): BenchRow[] {
  const own = learner(coherence);
  const scores: number[] = [];
  let sum = 0;
  let moves = 0;
  const start = performance.now();
  const before = process.cpuUsage();
  while (scores.length < WINDOW || sum < PASS * WINDOW) {
    const score = own.playGame(Random.named("bench", "n-tuple", "game", scores.length)).returns[0]!;
    moves += own.values.length;
    scores.push(score);
    sum += score - (scores.length > WINDOW ? scores[scores.length - WINDOW - 1]! : 0);
  }
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(before);
  const row = { case: `4x6, TC, lambda .5, until ${WINDOW} games average ${PASS}` };
  return [
    { ...row, metric: "time", value: seconds, unit: "s" },
    { ...row, metric: "processor time", value: (user + system) / 1e6, unit: "s" },
    { ...row, metric: "games", value: scores.length, unit: "games" },
    { ...row, metric: "moves", value: moves, unit: "moves" },
  ];
}
