import { moduleBeside } from "../src/module-beside.ts";
import { fork } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { UsageError } from "../src/messages/usage-error.ts";
import type { Evaluator } from "../src/games/evaluation.ts";
import { checkExperiment } from "../src/graph/experiment-file.ts";
import { playOpening } from "../src/operators/play/openings/openings.ts";
import { type Experiment, openExperiment } from "../src/operators/experiment/open-experiment.ts";
import { Random } from "../src/random.ts";
import { drive } from "../src/search/drive.ts";
import { openSearch } from "../src/search/registry.ts";
import { processorMs } from "./in-turn.ts";
import type { RawSessionData, RawSessionTask } from "./raw-session-thread.ts";
import { type BenchReport, type BenchRow, compared, median } from "./report.ts";
import type { Rate, SelfPlayTask } from "./selfplay-process.ts";

/** How often self-play and the raw sessions are timed, by turns. */
const ROUNDS = 7;
const MEASURE_MS = 3500;
/** Positions in which the search alone is timed lie after 0, 1, ... plies. */
const PLIES = 64;
/** Batches of the raw sessions: the best of them is the ceiling. */
const BATCHES = [1, 2, 4, 8, 16, 32, 64, 128];
/** How long each of these batches is tried. */
const TRIAL_MS = 400;

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
    // The peers compute in float32: the ratio is the gain.
    what: "32x4 in int8, PUCT, 100 simulations",
    net: { blocks: 4, planes: "compact", values: "win-loss", evaluations: "int8" },
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
        examples: { use: "td" },
      },
    },
  };
  return checkExperiment("bench", experiment as unknown as Experiment).experiment;
}

/**
 * `bench selfplay`: rows that the net computes in self-play, with as many games under way as a run measures for itself. The
 * peers are the same net's sessions, as many of them with as many threads on the same cores, in the batches that are best
 * for them: of the exported graph, and of the graph that the evaluator runs. Self-play and peers take turns of some seconds;
 * self-play is stopped while the others compute. By the clock, and by processor time, which other work on the machine
 * meddles with less. And what the search itself takes for a simulation.
 */
export async function benchSelfPlay({ rounds = ROUNDS } = {}): Promise<BenchReport> {
  if (process.platform === "win32")
    throw new UsageError("bench selfplay stops a process and lets it continue, which Windows does not offer");
  const rows: BenchRow[] = [];
  for (const each of cases) rows.push(...(await rowsOf(each, rounds)));
  return { bench: "selfplay", rows };
}

async function rowsOf(each: (typeof cases)[number], rounds: number): Promise<BenchRow[]> {
  const checked = experimentOf(each);
  const sessions = availableParallelism();
  const peers = await Promise.all(
    (["exported", "evaluation"] as const).map((graph) => openSessions(checked, graph, sessions)),
  );
  const batches: number[] = [];
  for (const peer of peers) batches.push(await bestBatch(peer));
  const player = await openPlayer(checked);
  const rates: Rate[] = [];
  const raw: Rate[][] = peers.map(() => []);
  try {
    for (let round = 0; round < rounds; round++) {
      rates.push(await player.rate(MEASURE_MS));
      for (const [i, peer] of peers.entries()) raw[i]!.push(await peer.rate(batches[i]!, MEASURE_MS));
    }
  } finally {
    player.close();
    await Promise.all(peers.map((peer) => peer.close()));
  }
  const what = `blokus, ${each.what}, ${sessions} cores, ${player.perWorker} games a worker`;
  const names = ["exported graph", "evaluator's graph"].map((name, i) => `${name}, batches of ${batches[i]}`);
  const rowsBy = (unit: string, rateOf: (rate: Rate) => number): BenchRow[] =>
    names.map((name, i) =>
      compared(
        { case: what, metric: "evaluations", value: median(rates.map(rateOf)), unit },
        { name, value: median(raw[i]!.map(rateOf)) },
      ),
    );
  return [
    ...rowsBy("rows/s", (rate) => rate.perSecond),
    ...rowsBy("rows/s of processor time", (rate) => rate.perProcessorSecond),
    {
      case: what,
      metric: "the search alone",
      value: searching(checked, each.agent.simulations),
      unit: "us/simulation of processor time",
    },
  ];
}

/** Self-play in a process of its own, all its games under way. */
interface Player {
  /** Games under way per worker thread. */
  readonly perWorker: number;
  /** What it computes in so many milliseconds. Before and after it is stopped. */
  readonly rate: (milliseconds: number) => Promise<Rate>;
  readonly close: () => void;
}

async function openPlayer(experiment: Experiment): Promise<Player> {
  const child = fork(moduleBeside("selfplay-process", import.meta.url));
  process.once("exit", () => child.kill("SIGKILL"));
  try {
    const answer = async <T>(task: SelfPlayTask): Promise<T> => {
      child.send(task);
      const [message] = (await Promise.race([
        once(child, "message"),
        once(child, "exit").then(() => {
          throw new Error("the process of self-play ended");
        }),
      ])) as [T];
      return message;
    };
    const { perWorker } = await answer<{ readonly perWorker: number }>({ experiment, net: NET });
    child.kill("SIGSTOP");
    return {
      perWorker,
      rate: async (milliseconds) => {
        child.kill("SIGCONT");
        const rate = await answer<Rate>({ milliseconds });
        child.kill("SIGSTOP");
        return rate;
      },
      close: () => child.kill("SIGKILL"),
    };
  } catch (error) {
    child.kill("SIGKILL");
    throw error;
  }
}

/** Sessions of one thread each, side by side. */
interface Sessions {
  /** What they compute together in batches of this number of rows. */
  readonly rate: (rows: number, milliseconds: number) => Promise<Rate>;
  readonly close: () => Promise<unknown>;
}

async function openSessions(
  experiment: Experiment,
  graph: RawSessionData["graph"],
  sessions: number,
): Promise<Sessions> {
  const workerData: RawSessionData = { experiment, net: NET, most: Math.max(...BATCHES), graph };
  const module = moduleBeside("raw-session-thread", import.meta.url);
  const threads = Array.from({ length: sessions }, () => new Worker(module, { workerData }));
  const reply = async (thread: Worker) => ((await once(thread, "message")) as [number])[0];
  await Promise.all(threads.map(reply));
  return {
    rate: async (rows, milliseconds) => {
      const [wall, processor] = [performance.now(), processorMs()];
      const counts = await Promise.all(
        threads.map((thread) => {
          thread.postMessage({ rows, milliseconds } satisfies RawSessionTask);
          return reply(thread);
        }),
      );
      const computed = counts.reduce((sum, count) => sum + count, 0);
      return {
        perSecond: (1000 * computed) / (performance.now() - wall),
        perProcessorSecond: (1000 * computed) / (processorMs() - processor),
      };
    },
    close: () => Promise.all(threads.map((thread) => thread.terminate())),
  };
}

/** The batch in which the sessions compute most rows per second of processor time. */
async function bestBatch({ rate }: Sessions): Promise<number> {
  let best = { rows: 1, rate: 0 };
  for (const rows of BATCHES) {
    const { perProcessorSecond } = await rate(rows, TRIAL_MS);
    if (perProcessorSecond > best.rate) best = { rows, rate: perProcessorSecond };
  }
  return best.rows;
}

/** Microseconds of a simulation of the agent's search if evaluations cost nothing; the median over positions. */
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
