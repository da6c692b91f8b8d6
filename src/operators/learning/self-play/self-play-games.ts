import { tellsWinnerOnly } from "../../../games/outcome.ts";
import * as Effect from "effect/Effect";
import * as Latch from "effect/Latch";
import * as Stream from "effect/Stream";
import { decodeGameRecord, type StoredGame } from "../../../formats/game-records.ts";
import { netNames } from "../../experiment/agent-net.ts";
import { gameOf } from "../../experiment/open-experiment.ts";
import { Random } from "../../../random.ts";
import type { StageEnv } from "../../operator.ts";
import { type ExamplesConfig, layoutOf } from "../../play/examples/examples.ts";
import type { PlayedGame } from "../../run/items.ts";
import { gamesInFlight } from "../../run/parallelism.ts";
import { type RunError, RunFailed } from "../../run/run-error.ts";
import type { StoredExamples } from "../../run/run-files.ts";
import { ValueMonitor } from "../tables/value-monitor.ts";
import type { VersionReader } from "../../run/weights/weights-board.ts";
import { forecastBounds } from "../../play/forecast-tally.ts";
import { drawSeats, neededByPool } from "../../play/opponent-pool.ts";
import { lagOf } from "../../play/generation-lag.ts";
import { GameTally } from "../../play/game-tally.ts";
import { GenerationTally } from "../../play/generation-tally.ts";
import { StoredTally } from "../../play/stored-tally.ts";
import type { GameReport, PlannedGame } from "../../play/game-task.ts";
import type { SelfPlayOpenings } from "./self-play-openings.ts";
import type { SelfPlaySettings } from "./self-play-settings.ts";
import { storedGames } from "../../play/stored-games.ts";

/** Examples whose values are results only: a search without a net may have values in other units than the learner. */
function withResultAlone(examples: ExamplesConfig): ExamplesConfig {
  return examples.use === "alphazero" ? { ...examples, resultWeight: 1 } : examples;
}

/** The games of a self-play stage: those that an earlier part of the run has stored, and those still to be played. */
export class SelfPlayGames {
  readonly #settings: SelfPlaySettings;
  readonly #env: StageEnv;
  readonly #nets: readonly string[];
  readonly #monitor: ValueMonitor;
  readonly #tally: StoredTally;
  /** Of games whose policies are learned. */
  readonly #generation: GenerationTally | undefined;
  /** Whether a game is a function of its number: its generation says which weights it is played with. */
  readonly #ordered: boolean;
  /** See `lagOf`. */
  readonly #lag: number;
  readonly #reader: VersionReader | undefined;
  readonly #openings: SelfPlayOpenings | undefined;
  /** The moves of the games whose positions openings may begin with, by number. */
  readonly #moves = new Map<number, Int32Array>();
  /** Indices of games that an earlier part of the run has stored. */
  readonly #known = new Set<number>();
  #finished = 0;
  /** Opened, and made anew, when a generation is finished. */
  #closed = Latch.makeUnsafe(false);

  constructor(settings: SelfPlaySettings, env: StageEnv, openings: SelfPlayOpenings | undefined) {
    this.#settings = settings;
    this.#openings = openings;
    this.#env = env;
    const { schedule } = env.opened.experiment;
    this.#ordered = schedule !== "asynchronous";
    this.#lag = lagOf(schedule);
    const agent = env.opened.experiment.agents[settings.agent]!;
    this.#nets = [...new Set(netNames(agent))];
    this.#reader = this.#ordered ? env.board.reader(this.#nets, this.#lag) : undefined;
    if (settings.pool !== undefined) env.board.keep(agent.net!, neededByPool(settings.pool, this.#lag));
    env.activity.waits("its games to be read");
    this.#monitor = new ValueMonitor(env.stage, settings.monitor, env.opened.game.figures?.optimum);
    const counted = gameOf(env.opened, agent);
    const tally = new GameTally(
      env.stage,
      settings.games,
      env.emit,
      forecastBounds(counted),
      tellsWinnerOnly(env.opened.game),
    );
    this.#generation =
      settings.examples.use === "alphazero" ? new GenerationTally(env.stage, settings.generation) : undefined;
    this.#tally = new StoredTally(tally, env.files.tally(env.stage), this.#generation);
  }

  /** Games of an earlier part of the run, from the oldest generation whose examples are still kept. */
  stored(): Stream.Stream<PlayedGame, RunError> {
    const { files, stage } = this.#env;
    const { generation: perGeneration } = this.#settings;
    const { records, first, examples } = storedGames(files, stage, perGeneration);
    for (const record of records) {
      this.#known.add(record.game);
      this.#monitorGame(() => record.game, record.values[0] ?? 0, record.returns[0]!);
      this.#keepMoves(this.#known.size - 1, () => record.actions);
    }
    this.#finished = records.length;
    this.#reader?.needs(this.#versionOf(Math.floor(records.length / perGeneration)));
    const present = Math.floor(Math.max(0, records.length - 1) / perGeneration) * perGeneration;
    this.#tally.begin(records.length, records.slice(present));
    // The earlier part may have ended before it reported its last generation.
    this.#emitFigures();
    // One game at a time: only the games that readers keep are in memory.
    const items = Stream.fromIterable(examples, { chunkSize: 1 }).pipe(
      Stream.map((stored, position) =>
        this.#item(first + position, stored, () => records[first + position]!),
      ),
    );
    // The earlier part may have ended before it judged its last game.
    return Stream.unwrap(Effect.as(this.#judge(), items));
  }

  /** The monitor skips a game with an opening: its first value does not count the rewards of the opening. */
  #monitorGame(index: () => number, startValue: number, score: number): void {
    if (this.#openings?.falls(index()) !== true) this.#monitor.add(startValue, score);
  }

  /** Keeps the moves of a finished game while openings may begin with its positions. */
  #keepMoves(number: number, movesOf: () => Int32Array): void {
    const { games, generation } = this.#settings;
    // The games of two generations can be under way at once, and each needs an earlier one.
    const kept = (2 + this.#lag) * generation;
    if (this.#openings === undefined || this.#openings.needs(games - 1) === 0) return;
    this.#moves.set(number, movesOf());
    this.#moves.delete(number - kept);
  }

  /** Judges the values of one-player games, if that is due after the games that are finished. */
  #judge(): Effect.Effect<void, RunFailed> {
    const { generation } = this.#settings;
    const closes = this.#finished % generation === 0;
    const due = this.#finished > 0 && (closes || this.#finished % 100 === 0);
    return due && this.#env.opened.game.players === 1
      ? this.#monitor.judge(this.#finished, this.#env.emit)
      : Effect.void;
  }

  /**
   * The games still to be played, in order unless the schedule is asynchronous. With an overlapped schedule the games of
   * one generation can wait here, finished, while the generation before is learned from.
   */
  played(): Stream.Stream<PlayedGame, RunError> {
    const { generation } = this.#settings;
    const finished = this.#finishedGames();
    return this.#lag === 0
      ? finished
      : Stream.bufferArray(Stream.rechunk(finished, 1), { capacity: this.#lag * generation });
  }

  #finishedGames(): Stream.Stream<PlayedGame, RunError> {
    const { games, inFlight } = this.#settings;
    return Stream.range(0, games - 1).pipe(
      Stream.filter((index) => !this.#known.has(index)),
      Stream.mapEffect((index) => this.#playOrEnd(index), {
        concurrency: gamesInFlight(this.#env.opened, inFlight),
        unordered: !this.#ordered,
      }),
      Stream.takeWhile((report) => report !== undefined),
      Stream.mapEffect((report) => this.#keep(report)),
      Stream.interruptWhen(this.#env.stop.wait),
    );
  }

  /**
   * A game as its readers get it: the last one of a generation when it is decided whether this generation is the last of the run.
   */
  decided(item: PlayedGame): Effect.Effect<PlayedGame> {
    const { ends } = this.#env.board;
    if (!item.closes) return Effect.succeed(item);
    return Effect.map(this.#wait(item.generation), () => ({
      ...item,
      last: item.last || item.generation >= ends.lastGeneration(this.#nets),
    }));
  }

  /** Waits until it is decided whether a generation is the last, or until the run is to stop: no round is played then. */
  #wait(generation: number): Effect.Effect<void> {
    return Effect.suspend(() => {
      const { activity, board, stop } = this.#env;
      if (board.ends.isDecided(this.#nets, generation)) return Effect.void;
      activity.waits("the arena that decides whether learning continues");
      return Effect.raceFirst(board.ends.decided(this.#nets, generation), stop.wait);
    });
  }

  /** Says that no more games come, for whatever reason. */
  ended(): void {
    this.#reader?.needs(Infinity);
  }

  /** The report of game `index`; undefined if learning ends before its generation. */
  #playOrEnd(index: number): Effect.Effect<GameReport | undefined, RunError> {
    const generation = Math.floor(index / this.#settings.generation);
    return Effect.andThen(
      this.#wait(generation - 1),
      Effect.suspend(() =>
        generation > this.#env.board.ends.lastGeneration(this.#nets)
          ? Effect.succeed(undefined)
          : this.#play(index),
      ),
    );
  }

  #play(index: number) {
    const { board, clock, play, stage } = this.#env;
    // An asynchronous source takes the newest weights; any other waits for the weights of the game's generation.
    const version = this.#ordered ? this.#versionOf(Math.floor(index / this.#settings.generation)) : 0;
    if (this.#nets.some((net) => board.version(net) < version))
      this.#env.activity.waits(`version ${version} of ${this.#nets.join(", ")}`);
    return Effect.andThen(
      Effect.andThen(
        clock.waiting(this.#nets, board.reached(this.#nets, version)),
        this.#finishedUpTo(this.#openings?.needs(index) ?? 0),
      ),
      Effect.suspend((): Effect.Effect<GameReport, RunError> => {
        const versionOf = (net: string) =>
          this.#ordered ? board.atMostFinal(net, version) : board.version(net);
        if (!this.#nets.every((net) => board.has(net, versionOf(net))))
          return Effect.fail(
            new RunFailed({
              stage,
              reason: `game ${index}, which was played with version ${version} of the weights, is missing from the records, and learning has continued since: the log of games is damaged and the game cannot be played again as it was`,
            }),
          );
        const game = this.#game(
          index,
          Math.max(...(this.#nets.length === 0 ? [version] : this.#nets.map(versionOf))),
        );
        return Effect.flatMap(play(game, this.#settings.retries, versionOf), (report) =>
          report.failure === undefined
            ? Effect.succeed(report)
            : Effect.fail(
                new RunFailed({
                  stage,
                  reason: `"${game.seats[report.failure.seat]}" could not continue in game ${index}: ${report.failure.message}`,
                }),
              ),
        );
      }),
    );
  }

  /** Waits until this number of games is finished; whole generations are. */
  #finishedUpTo(games: number): Effect.Effect<void> {
    return Effect.suspend(() =>
      this.#finished >= games ? Effect.void : Effect.andThen(this.#closed.await, this.#finishedUpTo(games)),
    );
  }

  /**
   * Game `index`, whose agent plays with a version of its weights: a function of the experiment, these numbers and the
   * games that its opening needs.
   */
  #game(index: number, version: number): PlannedGame {
    const { agent, examples, pool, warmStart } = this.#settings;
    const { opened, stage } = this.#env;
    const name = [stage, index];
    const { players } = opened.game;
    const opening = this.#openings?.of(index, (game) => this.#moves.get(game)!);
    const common = {
      stage,
      name,
      index,
      generation: version,
      ...(opening === undefined ? {} : { opening }),
    };
    if (warmStart !== undefined && index < warmStart.games)
      return {
        ...common,
        seats: Array.from({ length: players }, () => warmStart.agent),
        examples: withResultAlone(examples),
        learner: agent,
      };
    const all = Array.from({ length: players }, () => agent);
    const random = Random.named(opened.experiment.seed, ...name, "seats");
    const { seats, own } =
      pool === undefined
        ? { seats: all, own: undefined }
        : drawSeats(pool, { agent, players, version }, random);
    return { ...common, seats, examples, ...(own === undefined ? {} : { learner: agent, learnedSeat: own }) };
  }

  /** The version of the weights that a generation is played with. */
  #versionOf(generation: number): number {
    return Math.max(0, generation - this.#lag);
  }

  #keep(report: GameReport) {
    return Effect.suspend(() => {
      const { files, stage } = this.#env;
      const number = this.#finished++;
      const generation = Math.floor(number / this.#settings.generation);
      // The examples are written first: a recorded game always has its examples.
      const stored = files.appendExamples(stage, generation, report.samples);
      const item = this.#item(number, stored, () => decodeGameRecord(report.record, stage));
      this.#generation?.count(item.record(), report);
      this.#tally.count(report);
      files.appendGame(stage, report.record);
      this.#keepMoves(number, () => item.record().actions);
      if (item.closes) {
        files.closeGeneration(stage, item.generation);
        this.#closed.openUnsafe();
        this.#closed = Latch.makeUnsafe(false);
        this.#reader?.needs(this.#versionOf(item.generation + 1));
      }
      this.#tally.report();
      this.#emitFigures();
      this.#monitorGame(() => item.record().game, report.startValue, report.returns[0]!);
      return Effect.as(this.#judge(), item);
    });
  }

  /** Emits the figures of the last generation, if its last game is finished. */
  #emitFigures(): void {
    const figures = this.#generation?.figures(this.#finished);
    if (figures !== undefined) this.#env.emit(figures);
  }

  #item(number: number, { samples, reread }: StoredExamples, record: () => StoredGame): PlayedGame {
    const { games, generation, examples } = this.#settings;
    return {
      source: this.#env.stage,
      index: number,
      generation: Math.floor(number / generation),
      closes: (number + 1) % generation === 0,
      last: number + 1 === games,
      record,
      layout: layoutOf(examples),
      samples,
      reread,
    };
  }
}
