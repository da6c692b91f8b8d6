import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import * as Effect from "effect/Effect";
import * as Stream from "effect/Stream";
import type { Evaluator } from "../src/games/evaluation.ts";
import { checkExperiment } from "../src/graph/experiment-file.ts";
import { exportOnnx } from "../src/models/nets/inference.ts";
import { initialWeights } from "../src/models/net.ts";
import { openLocalThreads } from "../src/operators/play/local-threads.ts";
import { workerThreads } from "../src/operators/run/parallelism.ts";
import { playOpening } from "../src/operators/play/openings.ts";
import { type Experiment, networkOf, openExperiment } from "../src/operators/experiment/open-experiment.ts";
import { Random } from "../src/random.ts";
import { drive } from "../src/search/drive.ts";
import { openSearch } from "../src/search/registry.ts";
import { workerModule } from "../src/workers/worker-thread.ts";
import { processorMs } from "./in-turn.ts";
import type { RawSessionData } from "./raw-session-thread.ts";
import { type BenchReport, type BenchRow, compared, median } from "./report.ts";

/** How often self-play is timed, and the raw sessions: before it and after it. */
const ROUNDS = 4;
/** Rows computed before the clock starts: by then all games are under way, and Node has compiled what is hot. */
const WARM_UP = 20_000;
const MEASURE_MS = 3500;
/** Games under way per worker thread. */
const IN_FLIGHT = 64;
/** Games begin after 0, 1, ... plies at random, so that all parts of a game are met. */
const PLIES = 64;
/** Rows of a batch of the raw sessions. */
const ROWS = 32;

const NET = "zero";

/** Nets such as small machines learn, and how they play. */
const cases: readonly {
  readonly what: string;
  readonly net: Readonly<Record<string, unknown>>;
  readonly agent: { readonly use: string; readonly simulations: number } & Readonly<Record<string, unknown>>;
}[] = [
  {
    what: "32x4, PUCT, 100 simulations",
    net: { blocks: 4, planes: "compact", values: "win-loss" },
    agent: { use: "puct-max-n", simulations: 100, noise: { epsilon: 0.25, alpha: 0.02 } },
  },
  {
    // As experiments/blokuszero-fast.yaml.
    what: "32x3, mobility, Gumbel, 32 simulations, playouts at the leaves",
    net: {
      blocks: 3,
      valueActivation: "linear",
      valueScale: 15,
      ownership: true,
      planes: "mobility",
      values: "returns",
    },
    agent: {
      use: "gumbel",
      simulations: 32,
      considered: 16,
      cScale: 0.1,
      range: 20,
      playouts: { weight: 0.5, epsilon: 0.05 },
    },
  },
];

/** Self-play of Blokus with such a net. */
function experimentOf({ net, agent }: (typeof cases)[number]): Experiment {
  const experiment = {
    name: "bench-selfplay",
    seed: 1,
    game: { rules: "blokus" },
    nets: {
      [NET]: {
        use: "residual",
        filters: 32,
        valueUnits: 64,
        policyHead: "convolutional",
        globalPooling: 8,
        ...net,
      },
    },
    agents: { learner: { ...agent, net: NET } },
    graph: {
      games: {
        use: "self-play",
        agent: "learner",
        games: 100,
        generation: 100,
        inFlight: IN_FLIGHT,
        examples: { use: "td" },
      },
    },
  };
  return checkExperiment("bench", experiment as unknown as Experiment).experiment;
}

/**
 * `bench selfplay`: rows that the net computes in self-play beside the same net's raw sessions, as many of them with as
 * many threads, on the same cores; by the clock, and by processor time, which other work on the machine meddles with less.
 * And what the search itself takes for a simulation.
 */
export async function benchSelfPlay(): Promise<BenchReport> {
  const rows: BenchRow[] = [];
  for (const each of cases) rows.push(...(await rowsOf(each)));
  return { bench: "selfplay", rows };
}

async function rowsOf(each: (typeof cases)[number]): Promise<BenchRow[]> {
  const checked = experimentOf(each);
  const sessions = availableParallelism();
  const rates = { play: [], raw: [], playCpu: [], rawCpu: [] } as Record<
    "play" | "raw" | "playCpu" | "rawCpu",
    number[]
  >;
  const note = (name: "play" | "raw", { perSecond, perProcessorSecond }: Rate) => {
    rates[name].push(perSecond);
    rates[`${name}Cpu`].push(perProcessorSecond);
  };
  const raw = async () => {
    for (let round = 0; round < ROUNDS / 2; round++) note("raw", await rawSessions(checked, sessions));
  };
  await raw();
  for (const rate of await Effect.runPromise(Effect.scoped(playing(checked)))) note("play", rate);
  await raw();
  const what = `blokus, ${each.what}, ${sessions} cores`;
  return [
    compared(
      { case: what, metric: "evaluations", value: median(rates.play), unit: "rows/s" },
      { name: "raw sessions", value: median(rates.raw) },
    ),
    compared(
      { case: what, metric: "evaluations", value: median(rates.playCpu), unit: "rows/s of processor time" },
      { name: "raw sessions", value: median(rates.rawCpu) },
    ),
    {
      case: what,
      metric: "the search alone",
      value: searching(checked, each.agent.simulations),
      unit: "us/simulation of processor time",
    },
  ];
}

interface Rate {
  readonly perSecond: number;
  readonly perProcessorSecond: number;
}

/** What is counted in so many milliseconds, per second. */
const measured = (count: () => number) =>
  Effect.gen(function* () {
    const [begun, wall, processor] = [count(), performance.now(), processorMs()];
    yield* Effect.sleep(MEASURE_MS);
    const done = count() - begun;
    return {
      perSecond: (1000 * done) / (performance.now() - wall),
      perProcessorSecond: (1000 * done) / (processorMs() - processor),
    } satisfies Rate;
  });

/** The rates of evaluations in self-play, once all its games are under way. */
const playing = (checked: Experiment) =>
  Effect.gen(function* () {
    const opened = openExperiment(checked);
    const { net } = networkOf(opened, NET);
    const weights = { kind: "network", tensors: initialWeights(net, Random.named("bench")) } as const;
    const host = yield* openLocalThreads(opened, {
      warn: () => {},
      weightsOf: () => Effect.succeed(weights),
    });
    yield* host.start(checked);
    yield* host.load(NET, 0, weights);
    const seats = Array.from({ length: opened.game.players }, () => "learner");
    const games = Stream.range(0, 1_000_000).pipe(
      Stream.mapEffect(
        (index) =>
          host.play(
            {
              stage: "games",
              name: ["bench", index],
              index,
              generation: 0,
              seats,
              versions: seats.map(() => 0),
              opening: { plies: (7 * index) % PLIES, name: ["bench", index, "opening"] },
            },
            0,
          ),
        { concurrency: IN_FLIGHT * workerThreads(checked), unordered: true },
      ),
      Stream.runDrain,
    );
    const warm: Effect.Effect<void> = Effect.suspend(() =>
      host.computed() >= WARM_UP ? Effect.void : Effect.andThen(Effect.sleep(50), warm),
    );
    const timing = Effect.andThen(
      warm,
      Effect.all(Array.from({ length: ROUNDS }, () => measured(host.computed))),
    );
    return yield* Effect.raceFirst(timing, Effect.andThen(games, Effect.never));
  });

/** The rate of raw sessions of one thread, side by side. */
async function rawSessions(checked: Experiment, sessions: number): Promise<Rate> {
  const { net } = networkOf(openExperiment(checked), NET);
  const random = Random.named("bench", "raw");
  const model = exportOnnx(net, initialWeights(net, random));
  const [height, width, channels] = net.input;
  const x = Float32Array.from({ length: ROWS * height * width * channels }, () => random.below(2));
  const workerData: RawSessionData = { model, threads: 1, x, shape: net.input };
  const module = workerModule("raw-session-thread", import.meta.url);
  const threads = Array.from({ length: sessions }, () => new Worker(module, { workerData }));
  const reply = (thread: Worker) =>
    new Promise<number>((resolve, reject) => {
      thread.once("message", resolve);
      thread.once("error", reject);
    });
  await Promise.all(threads.map(reply));
  const [wall, processor] = [performance.now(), processorMs()];
  const counts = await Promise.all(
    threads.map((thread) => {
      thread.postMessage(MEASURE_MS);
      return reply(thread);
    }),
  );
  const rows = counts.reduce((sum, count) => sum + count, 0);
  const rate = {
    perSecond: (1000 * rows) / (performance.now() - wall),
    perProcessorSecond: (1000 * rows) / (processorMs() - processor),
  };
  await Promise.all(threads.map((thread) => thread.terminate()));
  return rate;
}

/** Microseconds of a simulation of the agent's search where evaluations cost nothing; the median over positions. */
function searching(checked: Experiment, simulations: number): number {
  const { game } = openExperiment(checked);
  const { use, net: _, ...options } = checked.agents["learner"]!;
  const search = openSearch(use, game, options);
  const random = Random.named("bench", "search");
  const weights = Float32Array.from({ length: game.maxLegal }, () => random.float() ** 8 / 10);
  const evaluator: Evaluator<unknown> = {
    evaluate: ({ values, priors }) => {
      for (let i = 0; i < values.length; i++) values[i] = 2 * random.float() - 1;
      priors!.set(weights);
    },
  };
  const times: number[] = [];
  for (let position = 0; position < 60; position++) {
    const opening = playOpening(game, 1, { plies: position % PLIES, name: ["bench", position] });
    const state = game.initial();
    for (let ply = 0; game.toMove(state) >= 0; ply++) {
      const action = opening(state, ply);
      if (action === undefined) break;
      game.play(state, action);
    }
    if (game.toMove(state) < 0) continue;
    const start = processorMs();
    drive(search.search(state, random, position), evaluator);
    if (position >= 10) times.push((1000 * (processorMs() - start)) / simulations);
  }
  return median(times);
}
