import { moduleBeside } from "../../../module-beside.ts";
import * as Effect from "effect/Effect";
import * as Stream from "effect/Stream";
import { tellsWinnerOnly } from "../../../games/outcome.ts";
import type { OpenTables, SharedTables } from "../../../models/tables.ts";
import { Requests } from "../../../workers/requests.ts";
import { spawnWorker } from "../../../workers/spawn-worker.ts";
import type { StageEnv } from "../../operator.ts";
import { GameTally } from "../../play/game-tally.ts";
import { BusyThreads } from "../../run/busy-threads.ts";
import type { OpeningsReady, WeightsVersion } from "../../run/items.ts";
import { type RunError, RunFailed } from "../../run/run-error.ts";
import { part } from "../../run/weights/named-tensors.ts";
import type { StartingPoint } from "../../run/weights/net-weights.ts";
import { startingPoint } from "../training/starting-point.ts";
import { learnerOptions, type LearnerSettings } from "./td-learner-settings.ts";
import type { FromTdLearner, LearnedNote, TdLearnerData, ToTdLearner } from "./td-learner-worker.ts";
import { ValueMonitor } from "./value-monitor.ts";

/**
 * The stream of a stage that learns tables from games that its own threads play: the versions of the tables, beginning
 * with the version before any learning.
 */
export const learnOnLine = (
  settings: LearnerSettings,
  openings: Stream.Stream<OpeningsReady, RunError> | undefined,
  env: StageEnv,
) =>
  Effect.gen(function* () {
    const start = yield* startingPoint(env, settings.net);
    const open = env.opened.nets.get(settings.net) as OpenTables;
    const tables = open.load(part(start.tensors, "weights/"));
    const data: TdLearnerData = {
      experiment: env.opened.experiment,
      stage: env.stage,
      net: settings.net,
      ...learnerOptions(settings),
      exploration: settings.exploration,
      search: settings.search,
      record: settings.record,
      tables,
      state: part(start.tensors, "learner/"),
      stop: env.stop.flag,
      counts: env.activity.counts,
      next: new Int32Array(new SharedArrayBuffer(4)),
      untaken: new Int32Array(new SharedArrayBuffer(4)),
    };
    if (openings !== undefined) env.activity.waits("openings");
    const threads: LearnerThread[] = [];
    for (let thread = 0; thread < settings.threads; thread++)
      threads.push(
        new Requests(
          yield* spawnWorker<never, never>({
            name: `td-learner ${env.stage}${settings.threads === 1 ? "" : ` ${thread + 1}`}`,
            module: moduleBeside("td-learner-worker", import.meta.url),
            // The tables and the state of temporal coherence are shared memory: one thread restores and saves them for all.
            data: thread === 0 ? data : { ...data, state: new Map() },
          }),
        ),
      );
    const learner = new Learner(settings, env, threads, data, tables, start);
    const learning = Stream.fromEffect(learner.version()).pipe(
      Stream.concat(
        Stream.fromEffectRepeat(learner.learn()).pipe(Stream.takeUntil(({ state }) => state !== "whole")),
      ),
      Stream.takeUntil(({ state }) => state === "final"),
    );
    return openings === undefined
      ? learning
      : openings.pipe(
          Stream.take(1),
          Stream.mapEffect((ready) => learner.beginWith(ready)),
          Stream.flatMap(() => learning),
        );
  });

/** The name of the monitor's games in a checkpoint. */
const WATCHED = "monitor";
/** The name of the sums since the last summary in a checkpoint between two summaries. */
const COUNTED = "tally";

type LearnerThread = Requests<ToTdLearner, FromTdLearner, LearnedNote>;

class Learner {
  readonly #settings: LearnerSettings;
  readonly #env: StageEnv;
  readonly #threads: readonly LearnerThread[];
  readonly #busy: BusyThreads;
  /** The number of the next game, which the threads count up. */
  readonly #next: Int32Array;
  readonly #untaken: Int32Array;
  readonly #tables: SharedTables;
  readonly #monitor: ValueMonitor;
  readonly #tally: GameTally;
  /** Number of games learned from. */
  #games: number;
  /** Number of games that are learned again after a resume and already recorded: they are not recorded twice. */
  #recorded: number;

  constructor(
    settings: LearnerSettings,
    env: StageEnv,
    threads: readonly LearnerThread[],
    { next, untaken }: Pick<TdLearnerData, "next" | "untaken">,
    tables: SharedTables,
    { tensors, progress }: StartingPoint,
  ) {
    this.#settings = settings;
    this.#env = env;
    this.#threads = threads;
    this.#busy = new BusyThreads(env.stage, threads.length);
    env.addFlowSource((seconds) => this.#busy.flow(seconds));
    this.#next = next;
    this.#untaken = untaken;
    this.#tables = tables;
    this.#games = progress["games"] ?? 0;
    this.#monitor = new ValueMonitor(env.stage, settings.monitor, env.opened.game.figures?.optimum);
    const watched = tensors.get(WATCHED);
    if (watched !== undefined) this.#monitor.restore(watched);
    this.#tally = new GameTally(
      env.stage,
      settings.games,
      env.emit,
      undefined,
      tellsWinnerOnly(env.opened.game),
    );
    this.#tally.begin(this.#games, tensors.get(COUNTED)?.data);
    const known = env.files.recordedGames(env.stage).length;
    const before = settings.record === 0 ? 0 : Math.ceil(this.#games / settings.record);
    this.#recorded = known - before;
  }

  /** Whether the monitor is used: it is for one-player games. */
  get #judges(): boolean {
    return this.#env.opened.game.players === 1;
  }

  /** Gives the thread the openings of its games. */
  beginWith({ openings }: OpeningsReady): Effect.Effect<void, RunError> {
    return Effect.asVoid(this.#submitAll({ type: "openings", openings }));
  }

  /** Learns until the next version, or until a request to stop. */
  learn(): Effect.Effect<WeightsVersion, RunError> {
    return Effect.gen({ self: this }, function* () {
      const { every, games } = this.#settings;
      const until = Math.min(games, (Math.floor(this.#games / every) + 1) * every);
      Atomics.store(this.#next, 0, this.#games);
      const replies = yield* this.#env.activity.during(this.#submitAll({ type: "learn", until }));
      if (replies.some(({ type }) => type !== "learned"))
        throw new Error("the learner responded to another request");
      // If an interruption ends the learning between two versions, an unbroken run judges nothing.
      if (this.#judges && this.#games === until) yield* this.#monitor.judge(this.#games, this.#env.emit);
      return yield* this.version();
    });
  }

  /** Publishes the tables in their present state and returns them as a version. */
  version(): Effect.Effect<WeightsVersion, RunError> {
    const { every, games, net } = this.#settings;
    const learned = this.#games;
    const final = learned === games;
    const counted = this.#tally.between
      ? { shape: [this.#tally.sums().length], data: this.#tally.sums() }
      : undefined;
    const version: WeightsVersion = {
      net,
      version: Math.ceil(learned / every),
      trainings: Math.ceil(learned / every),
      learned,
      unit: "games",
      state: final ? "final" : learned % every !== 0 || this.#env.stop.requested ? "partial" : "whole",
      snapshot: Effect.map(this.#submit(this.#threads[0]!, { type: "state" }), (reply) => {
        if (reply.type !== "state") throw new Error("the learner responded to another request");
        return new Map([
          ...reply.tensors,
          ...(this.#judges ? [[WATCHED, this.#monitor.state()] as const] : []),
          ...(counted === undefined ? [] : [[COUNTED, counted] as const]),
        ]);
      }),
      progress: { games: learned },
      saved: () => undefined,
    };
    this.#env.activity.waits("its weights to be read");
    const { board, clock } = this.#env;
    const weights = { kind: "tables", tables: this.#tables } as const;
    return clock
      .heldUp(board.readersFollow(net, version.version))
      .pipe(Effect.andThen(board.publish(net, version.version, weights, version.state)), Effect.as(version));
  }

  #note({ games, records, weights }: LearnedNote): void {
    const { emit, stage } = this.#env;
    for (const { learned, names, values } of weights)
      emit({ type: "weights", stage, learned, unit: "games", names, values });
    for (const game of games) {
      this.#games++;
      this.#tally.add(game);
      this.#monitor.add(game.startValue, game.returns[0]!);
    }
    for (const record of records)
      if (this.#recorded > 0) this.#recorded--;
      else this.#env.files.appendGame(this.#env.stage, record);
    Atomics.sub(this.#untaken, 0, 1);
    Atomics.notify(this.#untaken, 0);
  }

  #submitAll(request: ToTdLearner) {
    return Effect.all(
      this.#threads.map((thread) => this.#submit(thread, request)),
      { concurrency: "unbounded" },
    );
  }

  #submit(thread: LearnerThread, request: ToTdLearner) {
    return this.#busy.request(
      thread.submit(request, {
        onError: (reason) => new RunFailed({ stage: this.#env.stage, reason }),
        onNote: (note) => this.#note(note),
      }),
    );
  }
}
