import { moduleBeside } from "../src/module-beside.ts";
import { Game2048 } from "../src/games/2048/2048.ts";
import { OVER } from "../src/games/game.ts";
import { AfterstateLearner } from "../src/models/n-tuple/afterstate-learner.ts";
import { NTupleNetwork } from "../src/models/n-tuple/network.ts";
import type { NTupleOptions } from "../src/models/n-tuple/options.ts";
import type { LearnerOptions } from "../src/models/tables.ts";
import { Random } from "../src/random.ts";
import { drive } from "../src/search/drive.ts";
import { openSearch } from "../src/search/registry.ts";
import type { Envelope, Reply } from "../src/workers/serve.ts";
import { startWorker } from "../src/workers/worker-thread.ts";
import type { BenchThreadData } from "./n-tuple-thread.ts";
import { plainLearner } from "./n-tuple-plain.ts";
import { processorMs, ratesInTurn, type Turns } from "./in-turn.ts";
import { besideC } from "./n-tuple-c.ts";
import { compared, median, type BenchReport, type BenchRow } from "./report.ts";

/** Number of rounds; each times all learners in turn. The result is the median of the rates. */
const TURNS: Turns = { rounds: 31, warmUps: 5, sliceMs: 150 };
const SEARCH_TURNS: Turns = { rounds: 11, warmUps: 2, sliceMs: 150 };
/** Rounds of learning beside a program in C, after rounds that fill the tables of both. */
const C_TURNS: Turns = { rounds: 15, warmUps: 10, sliceMs: 200 };
/** Rounds of one thread and two threads in turn, in wall time. */
const THREADS = { rounds: 7, warmUps: 1, sliceMs: 500 };
/** The mean score to pass: the best player of the source of experiment D. */
const PASS = 48_008;
/** Number of games of that mean. */
const WINDOW = 1000;

const lambda = 0.5;
const coherence: LearnerOptions = { lambda, step: { use: "tc", rate: 1 } };
const fixed: LearnerOptions = { lambda: 0, step: { use: "td", rate: 0.1 } };

/**
 * `bench n-tuple` measures:
 * - the learning speed of the 4x6 network in decisions per second of processor time on one thread, from fresh tables: with
 *   WebAssembly, without it, and of the same learner in plain code;
 * - the learning speed beside the same learner in C, if a compiler is installed, on tables that learning has filled;
 * - the games and the time until the last 1,000 games of learning, which are greedy games, average above 48,008;
 * - searches on the learned tables;
 * - two threads on one table beside one thread, in wall time.
 */
export async function benchNTuple(): Promise<BenchReport> {
  const metric = { metric: "learning", unit: "moves/s" };
  const [tc, td, eight, without, plain] = ratesInTurn(
    [
      learn(coherence),
      learn(fixed),
      learn(coherence, "8x6"),
      learn(coherence, "4x6", true),
      plainLearner(Random.named("bench", "plain"), lambda),
    ],
    TURNS,
    processorMs,
  );
  const peer = { name: "plain typed arrays, TC", value: plain! };
  const inC = await besideC(learn(coherence), processorMs, C_TURNS);
  const passed = untilPassed();
  return {
    bench: "n-tuple",
    rows: [
      compared({ ...metric, case: "4x6, TC, lambda .5", value: tc! }, peer),
      compared({ ...metric, case: "4x6, TD, lambda 0", value: td! }, peer),
      compared({ ...metric, case: "8x6, TC, lambda .5", value: eight! }, peer),
      compared({ ...metric, case: "4x6, TC, lambda .5, without WebAssembly", value: without! }, peer),
      ...(inC === undefined
        ? []
        : [
            compared(
              { ...metric, case: "4x6, TC, lambda .5, on filled tables", value: inC.own },
              { name: "C", value: inC.peer },
            ),
          ]),
      ...passed.rows,
      ...searches(passed.network),
      await threads(passed.network),
    ],
  };
}

const game = new Game2048({ rows: 4, columns: 4 });
const net4x6: NTupleOptions = { tuples: "4x6", initialValue: 0 };

/** Learns from one game a call; returns its number of decisions. */
function learn(options: LearnerOptions, tuples: "4x6" | "8x6" = "4x6", plain = false): () => number {
  const network = NTupleNetwork.create(game, { tuples, initialValue: 0 }, plain);
  const own = new AfterstateLearner(network, game, options);
  const random = Random.named("bench", "n-tuple");
  return () => {
    own.playGame(random);
    return own.values.length;
  };
}

function untilPassed(): { readonly network: NTupleNetwork; readonly rows: BenchRow[] } {
  const network = NTupleNetwork.create(game, net4x6);
  const own = new AfterstateLearner(network, game, coherence);
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
  const processorSeconds = (user + system) / 1e6;
  const rows = [
    { ...row, metric: "time", value: seconds, unit: "s" },
    { ...row, metric: "processor time", value: processorSeconds, unit: "s" },
    { ...row, metric: "games", value: scores.length, unit: "games" },
    { ...row, metric: "moves", value: moves, unit: "moves" },
    { ...row, metric: "learning", value: moves / processorSeconds, unit: "moves/s" },
  ];
  return { network, rows };
}

/** What is played on the tables: the search, its options, and the number of moves in a call. */
const searched: readonly {
  readonly case: string;
  readonly use: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly moves: number;
}[] = [
  { case: "greedy", use: "greedy", options: {}, moves: 1000 },
  {
    case: "expectimax of 1 chance ply",
    use: "expectimax",
    options: { plies: 1, leaves: "decisions" },
    moves: 200,
  },
  {
    case: "expectimax of 2 chance plies",
    use: "expectimax",
    options: { plies: 2, leaves: "decisions" },
    moves: 5,
  },
  ...[2, 3].map((plies) => ({
    case: `expectimax of ${plies} chance plies, unlikely tiles shallower`,
    use: "expectimax",
    options: { plies, leaves: "decisions", unlikely: "shallower" },
    moves: 5,
  })),
  ...[10, 100, 1000].map((simulations) => ({
    case: `MC Softmax, ${simulations} simulations`,
    use: "mc-softmax",
    options: { simulations },
    moves: 1000 / simulations,
  })),
];

/** Searches on these tables, in moves per second of processor time, from game starts on. */
function searches(network: NTupleNetwork): BenchRow[] {
  const players = searched.map(({ use, options, moves }) => searchGame(network, use, options, moves));
  const rates = ratesInTurn(players, SEARCH_TURNS, processorMs);
  return searched.map((search, i) => ({
    case: `4x6, ${search.case}`,
    metric: "search",
    value: rates[i]!,
    unit: "moves/s",
  }));
}

/** Plays a number of moves a call, game after game. */
function searchGame(
  network: NTupleNetwork,
  use: string,
  options: Readonly<Record<string, unknown>>,
  moves: number,
): () => number {
  const search = openSearch(use, game, options);
  const random = Random.named("bench", "n-tuple", use, JSON.stringify(options));
  let state = game.initial();
  return () => {
    for (let i = 0; i < moves; i++) {
      while (state.toMove !== 0) {
        if (state.toMove === OVER) state = game.initial();
        game.play(state, game.chance.sample(state, random));
      }
      game.play(state, drive(search.search(state, random, 0), network).action);
    }
    return moves;
  };
}

/** What two threads learn together, in wall time, beside one of them alone. */
async function threads(network: NTupleNetwork): Promise<BenchRow> {
  const pair = [0, 1].map((thread) =>
    startWorker<Envelope<number>, Reply<number>>({
      name: `n-tuple ${thread}`,
      module: moduleBeside("n-tuple-thread", import.meta.url),
      data: { net: net4x6, options: coherence, tables: network.tables, thread } satisfies BenchThreadData,
    }),
  );
  const listeners: ((reply: Reply<number>) => void)[] = [];
  const crashes: ((error: Error) => void)[] = [];
  for (const [i, thread] of pair.entries()) {
    thread.onMessage((reply) => listeners[i]!(reply));
    thread.onCrash((error) => crashes[i]!(error));
  }
  const rate = (i: number) =>
    new Promise<number>((resolve, reject) => {
      crashes[i] = reject;
      listeners[i] = (reply) => {
        if ("body" in reply) resolve(reply.body);
        else if ("error" in reply) reject(new Error(reply.error));
      };
      pair[i]!.post({ ticket: 0, body: THREADS.sliceMs });
    });
  const alone: number[] = [];
  const together: number[] = [];
  for (let round = -THREADS.warmUps; round < THREADS.rounds; round++) {
    const one = await rate(round & 1);
    const both = await Promise.all([rate(0), rate(1)]);
    if (round < 0) continue;
    alone.push(one);
    together.push(both[0] + both[1]);
  }
  await Promise.all(pair.map(async (thread) => thread.stop()));
  const row = { case: "4x6, TC, lambda .5, two threads on one table", metric: "learning", unit: "moves/s" };
  return compared({ ...row, value: median(together) }, { name: "one thread", value: median(alone) });
}
