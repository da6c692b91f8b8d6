import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import * as Effect from "effect/Effect";
import * as Stream from "effect/Stream";
import { equalTimeText, unequalTexts } from "../../../events/equal-time.ts";
import type { EqualTime } from "../../../events/event.ts";
import { writeOwn } from "../../../formats/files/atomic-file.ts";
import { FileCorrupt } from "../../../formats/files/file-corrupt.ts";
import { writing } from "../../../formats/files/file-not-written.ts";
import type { SeatEffort } from "../../../formats/game-efforts.ts";
import { readSealed, sealedJson } from "../../../formats/sealed-json.ts";
import { netNames } from "../../experiment/agent-net.ts";
import { participantNamed } from "../../experiment/participant.ts";
import type { StageEnv } from "../../operator.ts";
import type { GameReport, PlannedGame } from "../../play/game-task.ts";
import { gamesInFlight, workerThreads } from "../../run/parallelism.ts";
import { equalTimePath } from "../../run/run-files.ts";
import { type RunError, RunFailed } from "../../run/run-error.ts";
import type { ArenaSchedule } from "./arena-schedule.ts";
import type { ArenaSettings } from "./arena-settings.ts";
import { equalSimulations, type MeasuredAgents, type SimulationsByAgent } from "./equal-simulations.ts";
import { type EqualTimeAgents, equalTimeAgents } from "./equal-time-settings.ts";
import type { Round } from "./rounds.ts";

/** The fewest games that a measurement plays at a time, if the file does not say. */
const FEWEST_GAMES = 16;
/** A game of a measurement ends after this number of plies. Only games of one player and on large boards are longer. */
const MOST_PLIES = 200;
/**
 * A measurement but the first plays on until the agents that have to be equal have taken this processor time each on each
 * worker thread, in seconds, ...
 */
const LEAST_SECONDS = 0.5;
/** ... but not more often than this. */
const MOST_TIMES = 8;

/** What a stage has fixed. */
type FixedNumbers = Pick<EqualTime, "agents" | "reference">;

/** The part of a task that has the numbers which a stage with `equalTime` has fixed. Throws FileCorrupt. */
export function fixedSimulations(folder: string, stage: string): Pick<PlannedGame, "simulations"> {
  return simulationsIn(readFixed(equalTimePath(folder, stage)));
}

function readFixed(path: string): FixedNumbers {
  if (!existsSync(path))
    throw new FileCorrupt(path, "is missing: it has the simulations that games were played with");
  return readSealed(path) as unknown as FixedNumbers;
}

function simulationsIn({ agents }: FixedNumbers): Pick<PlannedGame, "simulations"> {
  const fixed = agents.flatMap(({ agent, simulations }) =>
    simulations === undefined ? [] : [[agent, simulations] as const],
  );
  return { simulations: Object.fromEntries(fixed) };
}

/** Fixes the simulations of an arena with `equalTime` before its first game, and keeps their record in the run's folder. */
export class FixedSimulations {
  readonly #settings: ArenaSettings;
  readonly #env: StageEnv;
  readonly #schedule: ArenaSchedule;
  readonly #agents: EqualTimeAgents | undefined;
  #fixed: FixedNumbers | undefined;
  #emitted = false;

  /** Reads the record of an earlier part of the run. Throws FileCorrupt, also if games were played and it is missing. */
  constructor(settings: ArenaSettings, env: StageEnv, schedule: ArenaSchedule, gamesStored: number) {
    this.#settings = settings;
    this.#env = env;
    this.#schedule = schedule;
    this.#agents = equalTimeAgents(settings, env.opened);
    if (this.#agents === undefined) return;
    const path = equalTimePath(env.files.folder, env.stage);
    if (gamesStored > 0 || existsSync(path)) this.#fixed = readFixed(path);
  }

  /** What tasks of the arena's games have of the fixed numbers; measures in this round if nothing is fixed yet. */
  ofTasks(round: Round): Effect.Effect<Pick<PlannedGame, "simulations">, RunError> {
    return Effect.gen({ self: this }, function* () {
      if (this.#agents === undefined) return {};
      const measures = this.#fixed === undefined;
      const fixed = (this.#fixed ??= yield* this.#fix(this.#agents, round));
      if (!this.#emitted) {
        const { emit, stage } = this.#env;
        this.#emitted = true;
        emit({ type: "equal-time", stage, ...fixed });
        if (measures)
          for (const message of [equalTimeText(fixed), ...unequalTexts(fixed)])
            emit({ type: "note", level: "info", stage, message: `${stage}: equal time: ${message}` });
      }
      return simulationsIn(fixed);
    });
  }

  #fix(equal: EqualTimeAgents, round: Round): Effect.Effect<FixedNumbers, RunError> {
    const { files, stage } = this.#env;
    const { reference } = equal;
    return equalSimulations(equal, (simulations, measurement) =>
      this.#measure(equal, round, simulations, measurement),
    ).pipe(
      Effect.map((agents): FixedNumbers => {
        const path = equalTimePath(files.folder, stage);
        writing(path, () => mkdirSync(dirname(path), { recursive: true }));
        writeOwn(path, sealedJson({ reference, agents }));
        return { reference, agents };
      }),
    );
  }

  /** Plays games with these numbers of simulations, as many at a time as in the match, and returns what decisions took. */
  #measure(
    { games, reference, scaled }: EqualTimeAgents,
    round: Round,
    simulations: SimulationsByAgent,
    measurement: number,
  ): Effect.Effect<MeasuredAgents, RunError> {
    return Effect.gen({ self: this }, function* () {
      const { emit, opened, play, stage } = this.#env;
      const { inFlight, retries } = this.#settings;
      const needed = [reference, ...scaled.keys()];
      const least = LEAST_SECONDS * workerThreads(opened.experiment);
      const sums = new AgentSums();
      for (let time = 0; time < (measurement === 0 ? 1 : MOST_TIMES); time++) {
        emit({
          type: "progress",
          stage,
          done: 0,
          total: this.#schedule.perRound,
          unit: "games",
          latest: `measurement ${measurement + 1} of processor time`,
        });
        yield* Stream.fromIterable(
          this.#games(round, games ?? this.#usualGames(measurement), [measurement, time]),
        ).pipe(
          Stream.mapEffect(
            (game) =>
              Effect.map(play({ ...game, simulations }, retries, round.versionOf), (report) =>
                sums.add(game.seats, report),
              ),
            { concurrency: gamesInFlight(opened, inFlight) },
          ),
          Stream.runDrain,
        );
        if (needed.every((agent) => !(sums.seconds(agent) < least))) break;
      }
      for (const agent of needed) {
        const reason = sums.unknown(agent);
        if (reason !== undefined)
          return yield* Effect.fail(
            new RunFailed({
              stage,
              reason: `equalTime: the time of "${agent}" cannot be measured: ${reason}`,
            }),
          );
      }
      return sums.means(this.#settings.agents);
    });
  }

  /** Games like the first ones of a round, at least `least`, with draws of their own. */
  #games({ learned, number: round }: Round, least: number, draws: readonly number[]): PlannedGame[] {
    const { opened, stage } = this.#env;
    const { agents, games } = this.#settings;
    const { perRound } = this.#schedule;
    const block = this.#schedule.blockLength(round);
    const count = (length: number, unit: number) =>
      Array.from({ length: Math.ceil(length / unit) * unit }, (_, i) => i);
    // By game: its number in the round, and the number of its draws. In one-player games the agents play one after the other.
    const numbers =
      opened.game.players === 1
        ? agents.flatMap((_, agent) =>
            count(least / agents.length, 1).map((i) => [agent * games + (i % games), i] as const),
          )
        : count(least, block).map((i) => [i % perRound, i] as const);
    return numbers.map(([number, i]) => {
      const { analyse: _, chance: _own, ...game } = this.#schedule.task(round * perRound + number, learned);
      return { ...game, name: [stage, "equal-time", ...draws, i], plies: MOST_PLIES };
    });
  }

  /** As many games as are under way in the match, if nets are computed in batches; without these, games do not share anything. */
  #usualGames(measurement: number): number {
    const { opened } = this.#env;
    const { agents, inFlight } = this.#settings;
    const isBatched = agents.some((agent) =>
      netNames(opened.experiment.agents[agent]!).some((net) => opened.nets.get(net)!.kind === "network"),
    );
    if (measurement === 0 || !isBatched) return FEWEST_GAMES;
    return Math.max(FEWEST_GAMES, Math.min(this.#schedule.perRound, gamesInFlight(opened, inFlight)));
  }
}

/** What decisions of agents took in games; earlier selves count for their agents. */
class AgentSums {
  readonly #sums = new Map<
    string,
    { decisions: number; seconds: number; evaluatorSeconds: number | undefined }
  >();
  /** By agent: why it could not continue a game. */
  readonly #failures = new Map<string, string>();

  add(participants: readonly string[], { effort, failure }: GameReport): void {
    const agents = participants.map((name) => participantNamed(name).agent);
    for (const [seat, agent] of agents.entries()) this.#add(agent, effort![seat]!);
    if (failure !== undefined) this.#failures.set(agents[failure.seat]!, failure.message);
  }

  seconds(agent: string): number {
    return this.#sums.get(agent)?.seconds ?? 0;
  }

  /** Why the time of a decision of an agent is not known; undefined if it is. */
  unknown(agent: string): string | undefined {
    const { decisions, seconds } = this.#sums.get(agent) ?? { decisions: 0, seconds: 0 };
    if (decisions === 0) {
      const failure = this.#failures.get(agent);
      return failure === undefined ? "it made no decision" : `it could not continue: ${failure}`;
    }
    return Number.isNaN(seconds) ? "this system does not report its processor time" : undefined;
  }

  /** What a decision took, of agents of which it is known. */
  means(agents: readonly string[]): MeasuredAgents {
    return new Map(
      agents.flatMap((agent) => {
        if (this.unknown(agent) !== undefined) return [];
        const { decisions, evaluatorSeconds, seconds } = this.#sums.get(agent)!;
        const mean = (sum: number) => (1000 * sum) / decisions;
        const evaluators =
          evaluatorSeconds === undefined ? {} : { evaluatorMilliseconds: mean(evaluatorSeconds) };
        return [[agent, { decisions, milliseconds: mean(seconds), ...evaluators }] as const];
      }),
    );
  }

  #add(agent: string, { decisions, evaluatorSeconds, seconds }: SeatEffort): void {
    const before = this.#sums.get(agent) ?? { decisions: 0, seconds: 0, evaluatorSeconds: undefined };
    this.#sums.set(agent, {
      decisions: before.decisions + decisions,
      seconds: before.seconds + seconds,
      evaluatorSeconds:
        evaluatorSeconds === undefined
          ? before.evaluatorSeconds
          : (before.evaluatorSeconds ?? 0) + evaluatorSeconds,
    });
  }
}
