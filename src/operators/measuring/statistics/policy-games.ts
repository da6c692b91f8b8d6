import * as Effect from "effect/Effect";
import * as Stream from "effect/Stream";
import { decodeGameAnalysis } from "../../../formats/game-analyses.ts";
import { decodeGameRecord, type StoredGame } from "../../../formats/game-records.ts";
import { netNames } from "../../experiment/agent-net.ts";
import type { GameReport, PlannedGame } from "../../play/game-task.ts";
import type { MatchRound } from "../../run/items.ts";
import type { StageEnv } from "../../operator.ts";
import { gamesInFlight } from "../../run/parallelism.ts";
import { PolicyTally } from "./policy-tally.ts";
import type { PolicyStatisticsSettings } from "./policy-statistics-settings.ts";
import { type RunError, RunFailed } from "../../run/run-error.ts";
import type { Round } from "../match/rounds.ts";
import type { OpenExperiment } from "../../experiment/open-experiment.ts";

/** Plays the rounds of a stage of policy statistics. Recorded games of an earlier part of the run are not played again. */
export class PolicyGames {
  readonly #settings: PolicyStatisticsSettings;
  readonly #env: StageEnv;
  /** The nets that play. */
  readonly nets: readonly string[];
  /** The recorded games of an earlier part of the run with their analyses, which are in the same order. */
  readonly #stored: readonly { readonly game: StoredGame; readonly analysis: Uint8Array }[];

  constructor(settings: PolicyStatisticsSettings, env: StageEnv) {
    this.#settings = settings;
    this.#env = env;
    const { agents } = env.opened.experiment;
    const { agent, opponent } = settings;
    this.nets = [agent, ...(opponent === undefined ? [] : [opponent])].flatMap((name) =>
      netNames(agents[name]!),
    );
    const records = env.files.recordedGames(env.stage);
    const analyses = env.files.recordedAnalyses(env.stage, records.length);
    this.#stored = analyses.map((analysis, i) => ({
      game: decodeGameRecord(records[i]!, env.stage),
      analysis,
    }));
    // A power cut can lose an analysis but not its game: the game is then played again.
    if (analyses.length < records.length) env.files.recordedGames(env.stage, analyses.length);
  }

  /** Plays one round, emits its statistics and returns its result. */
  round({ number, learned, unit, versionOf }: Round): Effect.Effect<MatchRound, RunError> {
    return Effect.gen({ self: this }, function* () {
      const { agent, games, inFlight, opponent, retries, tops } = this.#settings;
      const { emit, opened, play, stage } = this.#env;
      const first = number * games;
      const tally = new PolicyTally(agent, tops);
      const take = ({ returns, seats }: StoredGame, analysis: Uint8Array) =>
        tally.add(seats, returns, decodeGameAnalysis(analysis, stage));
      for (const { game, analysis } of this.#stored)
        if (game.game >= first && game.game < first + games) take(game, analysis);
      emit({ type: "progress", stage, done: tally.games, total: games, unit: "games" });
      if (tally.games < games)
        yield* Stream.range(first + tally.games, first + games - 1).pipe(
          Stream.mapEffect(
            (index) => play(policyGame(opened, stage, this.#settings, index, learned), retries, versionOf),
            { concurrency: gamesInFlight(opened, inFlight) },
          ),
          Stream.mapEffect((report) => this.#keep(report)),
          Stream.runForEach(({ analysis, record }) =>
            Effect.sync(() => {
              take(decodeGameRecord(record, stage), analysis!);
              emit({ type: "progress", stage, done: tally.games, total: games, unit: "games" });
            }),
          ),
        );
      emit({
        type: "policy-statistics",
        stage,
        learned,
        unit,
        agent,
        ...(opponent === undefined ? {} : { opponent }),
        games,
        tops,
        plies: tally.plies(),
      });
      return { learned, means: { [agent]: tally.meanReturn } };
    });
  }

  #keep(report: GameReport): Effect.Effect<GameReport, RunFailed> {
    return Effect.suspend(() => {
      const { files, stage } = this.#env;
      if (report.failure !== undefined)
        return Effect.fail(
          new RunFailed({ stage, reason: `a player could not continue: ${report.failure.message}` }),
        );
      // The analysis is written first: a recorded game always has its analysis.
      files.appendAnalysis(stage, report.analysis!);
      files.appendGame(stage, report.record);
      return Effect.succeed(report);
    });
  }
}

/** Game `index` of a stage of policy statistics: a function of the experiment and the number alone. */
export function policyGame(
  { game }: Pick<OpenExperiment, "game">,
  stage: string,
  { agent, games, moves, opponent, plies, tops }: PolicyStatisticsSettings,
  index: number,
  generation: number,
): PlannedGame {
  const round = Math.floor(index / games);
  const number = index % games;
  return {
    stage,
    name: [stage, round, number],
    index,
    generation,
    seats: Array.from({ length: game.players }, (_, seat) =>
      opponent === undefined || seat === number % game.players ? agent : opponent,
    ),
    ...(plies === undefined ? {} : { opening: { plies, name: [stage, round, "opening", number] } }),
    analyse: { moves, tops },
  };
}
