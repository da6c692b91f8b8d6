import { moduleBeside } from "../../module-beside.ts";
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import { Type } from "../../schema.ts";
import type { ThreadsFlow } from "../../events/flow-event.ts";
import { newNotifier, notify } from "../../workers/mailbox.ts";
import { ClockReader, newClockWords } from "../../workers/thread-clock.ts";
import { startWorker, type WorkerCrashed, type WorkerThread } from "../../workers/worker-thread.ts";
import type { EvaluatorEndpoint } from "../../workers/slots.ts";
import type { NetEvaluator } from "./evaluation/net-evaluator.ts";
import type { ResponseOptions } from "./evaluation/slot-evaluator.ts";
import type { SharedCounts } from "../run/shared-counts.ts";
import type { FromGameWorker, GameReport, GameWithTables, ToGameWorker } from "./game-task.ts";
import type { Experiment } from "../experiment/open-experiment.ts";
import type { SharedTables } from "../../models/tables.ts";

/** The setting `retries` of stages that play games. */
export const retriesSchema = Type.Integer({
  minimum: 0,
  maximum: 10,
  default: 0,
  description:
    "How often a game is started again after its worker thread has crashed; with 0 a crash ends the run.",
});

/** Number of groups of games in each thread: while one group waits for evaluations, the other searches. */
const GROUPS = 2;

/** The `workerData` of a game worker. */
export interface GameWorkerData {
  readonly experiment: Experiment;
  readonly notifier: Int32Array;
  /** By net: the endpoint of this worker, and how it treats requests and responses. */
  readonly evaluators: Readonly<
    Record<string, { readonly endpoint: EvaluatorEndpoint; readonly options: ResponseOptions }>
  >;
  /** By stage: the counters of its games. */
  readonly counts: Readonly<Record<string, SharedCounts>>;
  /** Number of groups of its games, which search in turn: see `driveAll`. An endpoint has a slot for each group. */
  readonly groups: number;
  /** Where the thread notes when it works and when it waits for evaluations. */
  readonly clock: BigInt64Array;
}

/**
 * The threads that play games, shared by all stages of a run.
 *
 * A task goes to the thread with the fewest games in progress. Each stage bounds the number of its open tasks. A game
 * depends only on its task and the weights, so the tasks of a crashed thread can go to another thread.
 */
export interface GamePlayers {
  readonly workers: number;
  /** Plays one game. If its thread crashes, the game is started again, at most `retries` times. */
  readonly play: (game: GameWithTables, retries: number) => Effect.Effect<GameReport, WorkerCrashed>;
  /** Shares the tables of a value function with the threads, which see later changes of the tables. */
  readonly shareTables: (net: string, tables: SharedTables) => void;
  /** What the threads did since the last call, this number of seconds ago. */
  readonly flow: (seconds: number) => ThreadsFlow;
}

interface Job {
  readonly game: GameWithTables;
  retries: number;
  readonly finish: (result: Effect.Effect<GameReport, WorkerCrashed>) => void;
}

interface Player {
  readonly thread: WorkerThread<ToGameWorker, FromGameWorker>;
  readonly notifier: Int32Array;
  readonly jobs: Map<number, Job>;
  readonly clock: ClockReader;
}

/** Starts the pool; its threads end with the scope. `onRetry` is called when a crashed thread is replaced. */
export const openGamePlayers = (options: {
  readonly experiment: Experiment;
  readonly workers: number;
  /** The evaluators by net; the other nets are on tables. */
  readonly evaluators: ReadonlyMap<string, Pick<NetEvaluator, "renew" | "options">>;
  /** By stage: the counters of its games; stages without counters are not counted. */
  readonly counts?: Readonly<Record<string, SharedCounts>>;
  readonly onRetry: (crash: WorkerCrashed, games: number) => void;
  /** See `HostEnv`. */
  readonly outlivesCrashes?: boolean;
}): Effect.Effect<GamePlayers, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => new Pool(options)),
      (pool) => Effect.promise(() => pool.stop()),
    ),
    (pool) => pool,
  );

class Pool implements GamePlayers {
  readonly workers: number;
  readonly #options: Parameters<typeof openGamePlayers>[0];
  /** A thread is started for its first game, and again for the first game after a crash. */
  readonly #players: (Player | undefined)[];
  /** The ends of crashed threads: an error is reported before its thread has ended. */
  readonly #ends: Promise<void>[] = [];
  readonly #tables = new Map<string, SharedTables>();
  #tickets = 0;
  /** The crash that ends the run: no further game begins. */
  #fatal: WorkerCrashed | undefined;

  constructor(options: Parameters<typeof openGamePlayers>[0]) {
    this.#options = options;
    this.workers = options.workers;
    this.#players = Array.from({ length: options.workers }, () => undefined);
  }

  play(game: GameWithTables, retries: number): Effect.Effect<GameReport, WorkerCrashed> {
    return Effect.callback((resume) => {
      if (this.#fatal === undefined) this.#give({ game, retries, finish: resume });
      else resume(Effect.fail(this.#fatal));
    });
  }

  shareTables(net: string, tables: SharedTables): void {
    this.#tables.set(net, tables);
    for (const player of this.#players)
      if (player !== undefined) this.#post(player, { type: "tables", net, tables });
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#ends, ...this.#players.map(async (player) => player?.thread.stop())]);
  }

  flow(seconds: number): ThreadsFlow {
    let [worked, waited] = [0, 0];
    for (const player of this.#players) {
      const read = player?.clock.read();
      worked += read?.worked ?? 0;
      waited += read?.waited ?? 0;
    }
    return { type: "threads-flow", group: "players", threads: this.workers, seconds, worked, waited };
  }

  #give(job: Job): void {
    let least = 0;
    const load = (index: number) => this.#players[index]?.jobs.size ?? 0;
    for (let index = 1; index < this.workers; index++) if (load(index) < load(least)) least = index;
    const player = (this.#players[least] ??= this.#start(least));
    const ticket = this.#tickets++;
    player.jobs.set(ticket, job);
    this.#post(player, { type: "play", ticket, ...job.game });
  }

  #start(index: number): Player {
    const notifier = newNotifier();
    const evaluators = Object.fromEntries(
      [...this.#options.evaluators].map(([net, evaluator]) => [
        net,
        { endpoint: evaluator.renew(index, GROUPS), options: evaluator.options },
      ]),
    );
    const clock = newClockWords();
    const data: GameWorkerData = {
      experiment: this.#options.experiment,
      notifier,
      evaluators,
      counts: this.#options.counts ?? {},
      groups: GROUPS,
      clock,
    };
    const player: Player = {
      thread: startWorker({
        name: `games ${index + 1}`,
        module: moduleBeside("game-worker", import.meta.url),
        data,
      }),
      notifier,
      jobs: new Map(),
      clock: new ClockReader(clock),
    };
    player.thread.onMessage(({ ticket, report }) => {
      const job = player.jobs.get(ticket);
      // A report may arrive after the crash of its thread; another thread has the game by then.
      if (job === undefined) return;
      player.jobs.delete(ticket);
      job.finish(Effect.succeed(report));
    });
    player.thread.onCrash((crash) => this.#lose(index, player, crash));
    for (const [net, tables] of this.#tables) this.#post(player, { type: "tables", net, tables });
    return player;
  }

  #lose(index: number, player: Player, crash: WorkerCrashed): void {
    const jobs = [...player.jobs.values()];
    player.jobs.clear();
    this.#players[index] = undefined;
    this.#ends.push(player.thread.stop());
    const again = (job: Job) => job.retries > 0 && !crash.outside;
    const retried = jobs.filter(again);
    if (retried.length < jobs.length && this.#options.outlivesCrashes !== true) this.#fatal ??= crash;
    for (const job of jobs) if (!again(job)) job.finish(Effect.fail(crash));
    if (retried.length > 0) this.#options.onRetry(crash, retried.length);
    for (const job of retried) {
      job.retries--;
      this.#give(job);
    }
  }

  #post(player: Player, message: ToGameWorker): void {
    player.thread.post(message);
    notify(player.notifier);
  }
}
