import * as Effect from "effect/Effect";
import * as Stream from "effect/Stream";
import { decodeGameRecord, encodeGameRecord, type StoredGame } from "../../../formats/game-records.ts";
import { playedFor, tellsWinnerOnly } from "../../../games/outcome.ts";
import { Random } from "../../../random.ts";
import type { StageEnv } from "../../operator.ts";
import type { GameReport, PlannedGame } from "../../play/game-task.ts";
import { GameTally } from "../../play/game-tally.ts";
import { StoredTally } from "../../play/stored-tally.ts";
import { storedGames } from "../../play/stored-games.ts";
import { encodeGameExamples } from "../../play/examples/game-examples.ts";
import type { PlayedGame } from "../../run/items.ts";
import { gamesInFlight } from "../../run/parallelism.ts";
import { type RunError, RunFailed } from "../../run/run-error.ts";
import type { StoredExamples } from "../../run/run-files.ts";
import {
  type Attempt,
  examplePlies,
  firstMoves,
  isHeldOut,
  randomPlyOf,
  wholeGame,
  withRandomMove,
} from "./value-game-plan.ts";
import { netNames } from "../../experiment/agent-net.ts";
import type { ValueGamesSettings } from "./value-games-settings.ts";

/** The name of a fact in the records of these games: the number U of the random move. */
export const RANDOM_PLY = "randomPly";
/** The name of a fact in the records: the number of attempts before the one that was played. */
export const ATTEMPT = "attempt";

/** Attempts at a game before the run gives up. */
const MOST_ATTEMPTS = 1000;

/** What the examples are made with: the result of the game alone, in the layout of whole games. */
export const VALUE_EXAMPLES = { use: "alphazero", resultWeight: 1, quick: "values" } as const;

/** A game that reached the position after its random move. */
interface FinishedGame {
  readonly record: StoredGame;
  readonly report: GameReport;
  readonly randomPly: number;
}

/**
 * The games of a stage for a value net. A game is a function of the experiment, its number, and the last weights of the
 * nets that play.
 */
export class ValueGames {
  readonly #settings: ValueGamesSettings;
  readonly #env: StageEnv;
  readonly #nets: readonly string[];
  readonly #tally: StoredTally;
  #finished = 0;

  constructor(settings: ValueGamesSettings, env: StageEnv) {
    this.#settings = settings;
    this.#env = env;
    const { agents } = env.opened.experiment;
    this.#nets = [settings.first, settings.then].flatMap((agent) => netNames(agents[agent]!));
    this.#tally = new StoredTally(
      new GameTally(env.stage, settings.games, env.emit, undefined, tellsWinnerOnly(env.opened.game)),
      env.files.tally(env.stage),
    );
  }

  /** Games of an earlier part of the run, from the oldest generation whose examples are still kept; then new ones. */
  games(): Stream.Stream<PlayedGame, RunError> {
    const { files, stage } = this.#env;
    const { records, first, examples } = storedGames(files, stage, this.#generation);
    this.#finished = records.length;
    this.#tally.begin(records.length);
    this.#env.activity.waits("the last weights of the nets that play");
    const stored = Stream.fromIterable(examples, { chunkSize: 1 }).pipe(
      Stream.map((kept, position) => this.#item(first + position, kept, records[first + position]!)),
    );
    return Stream.concat(
      stored,
      Stream.suspend(() => this.#played()),
    );
  }

  get #generation(): number {
    return this.#settings.generation ?? this.#settings.games;
  }

  #played(): Stream.Stream<PlayedGame, RunError> {
    const { games, inFlight } = this.#settings;
    if (this.#finished === games) return Stream.empty;
    const { activity, board, clock, opened, stop } = this.#env;
    return Stream.fromEffect(clock.waiting(this.#nets, board.settled(this.#nets))).pipe(
      Stream.flatMap(() => {
        activity.waits("its games to be read");
        return Stream.range(this.#finished, games - 1);
      }),
      Stream.mapEffect((game) => this.#play(game), { concurrency: gamesInFlight(opened, inFlight) }),
      Stream.mapEffect((finished) => Effect.sync(() => this.#keep(finished))),
      Stream.interruptWhen(stop.wait),
    );
  }

  /** Plays a game; attempts whose game ends too early are followed by another one. */
  #play(game: number): Effect.Effect<FinishedGame, RunError> {
    return Effect.gen({ self: this }, function* () {
      const { opened, stage } = this.#env;
      const { longest } = this.#settings;
      const { seed } = opened.experiment;
      for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
        const one: Attempt = { game, attempt };
        const randomPly = randomPlyOf(this.#settings, seed, stage, one);
        const before = yield* this.#firstMoves(one, randomPly);
        const random = Random.named(seed, stage, game, attempt, "move");
        const opening = withRandomMove(opened.game, before, randomPly, random);
        if (opening === undefined) continue;
        const report = yield* this.#playOut(wholeGame(this.#settings, opened, stage, one, opening));
        const record = decodeGameRecord(report.record, stage);
        const facts = { ...record.facts, [RANDOM_PLY]: randomPly, [ATTEMPT]: attempt };
        return { record: { ...record, facts }, report, randomPly };
      }
      return yield* Effect.fail(
        new RunFailed({
          stage,
          reason: `${MOST_ATTEMPTS} attempts at game ${game} ended before the position after their random move: games are far shorter than the greatest number of that move (longest: ${longest}); make it smaller`,
        }),
      );
    });
  }

  /** The moves before the random one; fewer if the game ends earlier. */
  #firstMoves(attempt: Attempt, randomPly: number): Effect.Effect<Int32Array, RunError> {
    if (randomPly === 1) return Effect.succeed(new Int32Array(0));
    const { opened, stage } = this.#env;
    return Effect.map(
      this.#playOut(firstMoves(this.#settings, opened, stage, attempt, randomPly)),
      ({ record }) => decodeGameRecord(record, stage).actions,
    );
  }

  #playOut(game: PlannedGame): Effect.Effect<GameReport, RunError> {
    const { play, stage } = this.#env;
    return Effect.flatMap(play(game, this.#settings.retries), (report) => {
      if (report.failure === undefined) return Effect.succeed(report);
      const { message, seat } = report.failure;
      const reason = `"${game.seats[seat]}" could not continue in game ${game.index}: ${message}`;
      return Effect.fail(new RunFailed({ stage, reason }));
    });
  }

  #keep({ record, report, randomPly }: FinishedGame): PlayedGame {
    const { files, opened, stage } = this.#env;
    const { positions, values } = this.#settings;
    const number = this.#finished++;
    const plies = examplePlies(opened.game, record.actions, randomPly, positions);
    const decisions = plies.map((ply) => ({ ...unsearched, ply }));
    const samples = encodeGameExamples(
      playedFor(opened.game, values),
      { actions: record.actions, decisions },
      VALUE_EXAMPLES,
    );
    // The examples are written first: a recorded game always has its examples.
    const stored = files.appendExamples(stage, Math.floor(number / this.#generation), samples);
    this.#tally.count(report);
    files.appendGame(stage, encodeGameRecord(record));
    const item = this.#item(number, stored, record);
    if (item.closes) files.closeGeneration(stage, item.generation);
    this.#tally.report();
    return item;
  }

  #item(number: number, { samples, reread }: StoredExamples, record: StoredGame): PlayedGame {
    const perGeneration = this.#generation;
    return {
      source: this.#env.stage,
      index: number,
      generation: Math.floor(number / perGeneration),
      closes: (number + 1) % perGeneration === 0,
      last: number + 1 === this.#settings.games,
      ...(isHeldOut(this.#settings, number) ? { heldOut: true } : {}),
      record: () => record,
      layout: "games",
      samples,
      reread,
    };
  }
}

/** A decision of which only the result is learned. */
const unsearched = {
  values: [],
  actions: new Int32Array(0),
  visits: new Float64Array(0),
  policy: new Float64Array(0),
  learn: false,
};
