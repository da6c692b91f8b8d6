import * as Effect from "effect/Effect";
import * as Stream from "effect/Stream";
import type { AgentEffort, AgentResult, Contest, GameDispute } from "../../../events/event.ts";
import {
  effortsByGame,
  encodeGameEffort,
  type GameEffort,
  type LimitedDecisions,
  type SeatEffort,
} from "../../../formats/game-efforts.ts";
import { decodeGameRecord, type StoredGame } from "../../../formats/game-records.ts";
import { agentResults } from "./agent-results.ts";
import { ArenaSchedule } from "./arena-schedule.ts";
import type { ArenaSettings } from "./arena-settings.ts";
import { ContestTally } from "./contest.ts";
import { FixedSimulations } from "./fixed-simulations.ts";
import { GainTest } from "./gain-test.ts";
import { netNames } from "../../experiment/agent-net.ts";
import { lagOf } from "../../play/generation-lag.ts";
import type { LearningJudge } from "../../run/learning-ends.ts";
import type { GameReport } from "../../play/game-task.ts";
import type { MatchRound } from "../../run/items.ts";
import type { StageEnv } from "../../operator.ts";
import { gamesInFlight } from "../../run/parallelism.ts";
import type { Round } from "./rounds.ts";
import { type RunError, RunFailed } from "../../run/run-error.ts";
import { SequentialMatch } from "./sequential-match.ts";
import { RatingsOverVersions } from "./version-ratings.ts";

/** Maximum number of agents that the progress line names. */
const MOST_NAMED = 3;

/** Plays the rounds of an arena. Games that an earlier part of the run has recorded are counted, not played again. */
export class ArenaMatch {
  readonly #settings: ArenaSettings;
  readonly #env: StageEnv;
  readonly #schedule: ArenaSchedule;
  /** The nets that play. */
  readonly nets: readonly string[];
  /** Games that an earlier part of the run has recorded. */
  readonly #stored: readonly StoredGame[];
  /** By number of a stored game: what it cost; games of earlier versions have none. */
  readonly #efforts: ReadonlyMap<number, GameEffort>;
  readonly #fixed: FixedSimulations;
  /** The ratings of versions, if earlier selves play. */
  readonly #ratings: RatingsOverVersions | undefined;
  /** The test whether the agent still gains, and the judge that receives its verdicts; absent if nothing ends learning. */
  readonly #until: { readonly test: GainTest; readonly judge: LearningJudge } | undefined;

  /** Throws BookUnusable; RunFailed if recorded games do not follow this schedule. */
  constructor(settings: ArenaSettings, env: StageEnv) {
    this.#settings = settings;
    this.#env = env;
    const { opened, stage } = env;
    this.#schedule = new ArenaSchedule(opened, stage, env.offered);
    this.#schedule.readBook();
    const { agents } = opened.experiment;
    this.nets = settings.agents.flatMap((agent) => netNames(agents[agent]!));
    const { earlier } = this.#schedule;
    if (earlier !== undefined) {
      this.#ratings = new RatingsOverVersions(earlier, opened);
      env.board.keep(agents[earlier.agent]!.net!, (version, from) => earlier.needs(version, from));
    }
    if (settings.until !== undefined)
      this.#until = {
        test: new GainTest(settings.until, this.#schedule),
        judge: env.board.ends.add(env.offered("after", "weights")!.net, (generation) =>
          this.#lastBoundary(generation),
        ),
      };
    this.#stored = env.files.recordedGames(stage).map((bytes) => decodeGameRecord(bytes, stage));
    this.#fixed = new FixedSimulations(settings, env, this.#schedule, this.#stored.length);
    this.#efforts = effortsByGame(env.files.recordedEfforts(stage), stage);
    env.files.recordedAnalyses(
      stage,
      this.#stored.filter(({ game }) => this.#schedule.analysed(game)).length,
    );
    for (const game of this.#stored) this.#rate(game);
    this.#decideAgain();
    for (const { game, actions } of this.#stored) {
      const { opening } = this.#schedule.task(game, 0);
      if (opening !== undefined && "actions" in opening && opening.actions.some((a, i) => a !== actions[i]))
        throw new RunFailed({
          stage,
          reason: `game ${game} did not begin as the opening book says: the book has been changed since; put it back as it was`,
        });
    }
  }

  /** Plays one round, emits its events and returns its result. */
  round(due: Round): Effect.Effect<MatchRound, RunError> {
    return Effect.gen({ self: this }, function* () {
      const { number: round, learned, unit, version, versionOf } = due;
      const { inFlight, retries } = this.#settings;
      const { emit, opened, play, stage } = this.#env;
      const { perRound } = this.#schedule;
      // An agent that would only play its earlier selves has none yet.
      if (this.#ratings !== undefined && this.#schedule.participants(round).length < 2) {
        this.#decide(round);
        return { learned, means: {} };
      }
      const fixed = yield* this.#fixed.ofTasks(due);
      const first = round * perRound;
      const games = new RoundGames(this.#settings, this.#env, this.#schedule, round);
      games.noteBalance();
      for (const game of this.#stored)
        if (game.game >= first && game.game < first + perRound)
          games.take(game, this.#efforts.get(game.game)?.seats);
      emit({ type: "progress", stage, done: games.taken, total: perRound, unit: "games" });
      if (!games.over)
        yield* Stream.range(games.taken, perRound - 1).pipe(
          Stream.mapEffect(
            (number) =>
              play({ ...this.#schedule.task(first + number, learned), ...fixed }, retries, versionOf),
            // In order: records are written, and a sequential test counts games, in the order of the games' numbers.
            { concurrency: gamesInFlight(opened, inFlight) },
          ),
          Stream.mapEffect((report) => this.#keep(games, report)),
          Stream.takeUntil(() => games.over),
          Stream.runDrain,
        );
      const agents = games.results();
      const { contest } = games;
      emit({
        type: "match",
        stage,
        learned,
        unit,
        agents,
        ...(contest === undefined ? {} : { contest }),
      });
      emit({ type: "effort", stage, learned, unit, agents: games.efforts() });
      if (this.#ratings !== undefined)
        emit({
          type: "version-ratings",
          stage,
          learned,
          unit,
          ...this.#ratings.upTo(round, version),
          ...(this.#until === undefined ? {} : { until: this.#until.test.after(round) }),
        });
      if (this.#decide(round)) this.#reportEnd(round);
      return { learned, means: Object.fromEntries(agents.map(({ agent, mean }) => [agent, mean])) };
    });
  }

  /** Counts a game for the ratings of versions, and for the test whether they gain. */
  #rate(game: StoredGame): void {
    if (!counts(game, this.#settings)) return;
    this.#ratings?.add(
      Math.floor(game.game / this.#schedule.perRound),
      this.#schedule.dependent(game.game),
      game,
    );
    this.#until?.test.add(game);
  }

  /**
   * The generation that is the last one if learning ends after a round: the one behind the version of the next round, so that the
   * games and steps until then do not depend on how fast the round is played.
   */
  #boundary(round: number): number {
    return this.#schedule.earlier!.version(round + 1) + lagOf(this.#env.opened.experiment.schedule) - 1;
  }

  /** The last generation, up to this one, that is the last one if learning ends after some round; -1 if there is none. */
  #lastBoundary(generation: number): number {
    const lag = lagOf(this.#env.opened.experiment.schedule);
    const next = this.#schedule.earlier!.roundUpTo(generation + 1 - lag);
    return next < 1 ? -1 : this.#boundary(next - 1);
  }

  /** Says whether learning ends after a round; returns it. */
  #decide(round: number): boolean {
    if (this.#until === undefined) return false;
    const { judge, test } = this.#until;
    const { filling, trainings = Infinity } = this.#env.offered("after", "weights")!;
    const boundary = this.#boundary(round);
    const ends =
      boundary < filling + trainings - 1 &&
      test.after(round).verdict === "no gain" &&
      (round === 0 || test.after(round - 1).verdict !== "no gain");
    judge.decide(boundary, ends);
    return ends;
  }

  /** Decides what is known before any round: about rounds without games, and those all of whose games are recorded. */
  #decideAgain(): void {
    if (this.#until === undefined) return;
    const { perRound } = this.#schedule;
    const recorded = new Map<number, number>();
    for (const { game } of this.#stored) {
      const round = Math.floor(game / perRound);
      recorded.set(round, (recorded.get(round) ?? 0) + 1);
    }
    for (let round = 0; ; round++) {
      const isPlayed = this.#schedule.participants(round).length > 1;
      if (isPlayed && recorded.get(round) !== perRound) return;
      this.#decide(round);
    }
  }

  #reportEnd(round: number): void {
    const { emit, stage } = this.#env;
    const { gain, games, ratio, versions } = this.#until!.test.after(round);
    const { earlier } = this.#schedule;
    const [newest, old] = [earlier!.version(round), earlier!.version(round - versions)];
    emit({
      type: "note",
      level: "info",
      stage,
      message: `learning ends with version ${this.#boundary(round) + 1}: by ${games} games, version ${newest} of ${earlier!.agent} gains nothing over version ${old}, rather than ${gain} Elo (log likelihood ratio ${ratio.toFixed(2)}); the remaining games and steps are left out`,
    });
  }

  #keep(games: RoundGames, report: GameReport): Effect.Effect<void, RunFailed> {
    return Effect.suspend(() => {
      const { emit, files, stage } = this.#env;
      const game = decodeGameRecord(report.record, stage);
      if (game.failure !== undefined) {
        const { seat, message } = game.failure;
        const what = `"${game.seats[seat]}" could not continue in game ${game.game}: ${message}`;
        if (this.#settings.onFailure === "stop")
          return Effect.fail(new RunFailed({ stage, reason: `${what} (onFailure: stop)` }));
        if (games.failuresOf(game.seats[seat]!) === 0)
          emit({ type: "note", level: "warning", stage, message: `${what}; further failures are counted` });
      }
      if (game.dispute !== undefined && games.disputes.length === 0)
        emit({
          type: "note",
          level: "warning",
          stage,
          message: `game ${game.game} does not count, because its result is disputed: ${disputeOf(game)!.agent} ${game.dispute.message}; further disputes are listed`,
        });
      if (report.analysis !== undefined) files.appendAnalysis(stage, report.analysis);
      if (report.effort !== undefined)
        files.appendEffort(stage, encodeGameEffort({ game: game.game, seats: report.effort }));
      files.appendGame(stage, report.record);
      games.take(game, report.effort);
      this.#rate(game);
      emit({
        type: "progress",
        stage,
        done: games.taken,
        total: games.over ? games.taken : this.#schedule.perRound,
        unit: "games",
        latest: games.latest(),
      });
      return Effect.void;
    });
  }
}

/** Whether the result of a game counts: of a forfeit it does, of a disputed game it does not. */
function counts({ dispute, failure }: StoredGame, { onFailure }: ArenaSettings): boolean {
  return failure === undefined ? dispute === undefined : onFailure === "forfeit";
}

function disputeOf({ dispute, game, seats }: StoredGame): GameDispute | undefined {
  return dispute && { game, agent: seats[dispute.seat]!, message: dispute.message };
}

/** The games of one round so far, in the order of their numbers. */
class RoundGames {
  readonly #settings: ArenaSettings;
  /** The names of the players. */
  readonly #participants: readonly string[];
  readonly #round: number;
  readonly #env: StageEnv;
  readonly #schedule: ArenaSchedule;
  readonly #finished: StoredGame[] = [];
  /** By finished game: the effort of its seats; undefined for games that an earlier version of ludoflow played. */
  readonly #took: (readonly SeatEffort[] | undefined)[] = [];
  readonly #failures = new Map<string, { games: number; message: string }>();
  /** Agents that have finished a game. */
  readonly #able = new Set<string>();
  /** By agent that has finished none: the games that it has failed in. */
  readonly #waiting = new Map<string, StoredGame[]>();
  readonly disputes: GameDispute[] = [];
  readonly #resignations = new Map<string, number>();
  readonly #tally: ContestTally | undefined;
  readonly #test: SequentialMatch | undefined;
  /** Number of games played, including those that do not count. */
  taken = 0;

  constructor(settings: ArenaSettings, env: StageEnv, schedule: ArenaSchedule, round: number) {
    this.#settings = settings;
    this.#env = env;
    this.#schedule = schedule;
    this.#round = round;
    const { players } = env.opened.game;
    const { sequential } = settings;
    this.#participants = schedule.participants(round);
    this.#tally = players === 1 ? undefined : new ContestTally(this.#participants, players);
    this.#test = sequential && new SequentialMatch(sequential, schedule.blockLength(round));
  }

  /** Whether the round is over. */
  get over(): boolean {
    return this.taken >= this.#schedule.perRound || this.#test?.decided === true;
  }

  failuresOf(agent: string): number {
    return this.#failures.get(agent)?.games ?? 0;
  }

  /** Counts the next game; `took` is the effort of its seats, if it is known. */
  take(game: StoredGame, took?: readonly SeatEffort[]): void {
    this.taken++;
    const { failure, seats } = game;
    const dispute = disputeOf(game);
    if (dispute !== undefined) this.disputes.push(dispute);
    else if (failure === undefined) {
      this.#finished.push(game);
      if (game.resigned !== undefined) {
        const agent = seats[game.resigned]!;
        this.#resignations.set(agent, 1 + (this.#resignations.get(agent) ?? 0));
      }
      this.#took.push(took);
    } else {
      const agent = seats[failure.seat]!;
      const before = this.#failures.get(agent);
      this.#failures.set(agent, {
        games: (before?.games ?? 0) + 1,
        message: before?.message ?? failure.message,
      });
    }
    const due = this.#due(game).filter((each) => counts(each, this.#settings));
    for (const each of due) this.#tally?.add(each, this.#schedule.dependent(each.game));
    const score = due.at(-1) === game ? this.#tally?.lastScore(0, 1) : undefined;
    this.#test?.add(score === undefined || Number.isNaN(score) ? undefined : score);
  }

  /**
   * The games that may count now. Those that a player has failed in wait until it finishes one: a program that never starts, or
   * fails in every game, says nothing about the strength of the others.
   */
  #due(game: StoredGame): StoredGame[] {
    const { failure, seats } = game;
    if (failure === undefined) {
      const first = [...new Set(seats)].filter((agent) => !this.#able.has(agent));
      const waited = first.flatMap((agent) => this.#waiting.get(agent) ?? []);
      for (const agent of first) {
        this.#able.add(agent);
        this.#waiting.delete(agent);
      }
      return [...waited, game];
    }
    const agent = seats[failure.seat]!;
    if (this.#able.has(agent)) return [game];
    this.#waiting.set(agent, [...(this.#waiting.get(agent) ?? []), game]);
    return [];
  }

  /** Emits a note if the number of games leaves the seats unbalanced; once, when everyone plays for the first time. */
  noteBalance(): void {
    const { earlier, perRound } = this.#schedule;
    const blockLength = this.#schedule.blockLength(this.#round);
    if (this.#tally === undefined || perRound % blockLength === 0) return;
    const all = this.#settings.agents.length + (earlier?.most ?? 0);
    const before = this.#round === 0 ? 0 : this.#schedule.participants(this.#round - 1).length;
    if (this.#participants.length < all || before === all) return;
    this.#env.emit({
      type: "note",
      level: "info",
      stage: this.#env.stage,
      message: `${perRound} games are not a whole number of blocks of ${blockLength}, in which each of the ${this.#participants.length} participants sits in each seat equally often`,
    });
  }

  /** Each agent's returns in the finished games. */
  results(): AgentResult[] {
    const { game } = this.#env.opened;
    return agentResults(game, this.#participants, this.#finished, this.#schedule);
  }

  /** The effort of each agent in its finished games, over all its seats. */
  efforts(): AgentEffort[] {
    return this.#participants.map((agent) => {
      const own = [...this.#finished.keys()].filter((i) => this.#finished[i]!.seats.includes(agent));
      const took = own.map((i) =>
        this.#took[i]?.filter((_, seat) => this.#finished[i]!.seats[seat] === agent),
      );
      const sums = (of: (effort: SeatEffort) => number) =>
        took.map((efforts) => efforts?.reduce((sum, effort) => sum + of(effort), 0) ?? NaN);
      const all = took.flatMap((efforts) => efforts ?? []);
      const waits = all.some(({ evaluatorSeconds }) => evaluatorSeconds !== undefined);
      return {
        agent,
        decisions: sums(({ decisions }) => decisions),
        evaluations: sums(({ evaluations }) => evaluations),
        seconds: sums(({ seconds }) => seconds),
        // Games of earlier versions have no parts.
        ...(waits ? { evaluatorSeconds: sums(({ evaluatorSeconds = NaN }) => evaluatorSeconds) } : {}),
        ...limitedOf(all),
      };
    });
  }

  get contest(): Contest | undefined {
    if (this.#tally === undefined) return undefined;
    const counted = this.#tally.contest;
    return {
      ...(this.#test === undefined ? counted : this.#test.resultOf(counted)),
      failures: [...this.#failures].map(([agent, failed]) => ({ agent, ...failed })),
      ...(this.disputes.length === 0 ? {} : { disputes: this.disputes }),
      ...(this.#resignations.size === 0
        ? {}
        : { resignations: [...this.#resignations].map(([agent, games]) => ({ agent, games })) }),
    };
  }

  /** The result so far as text for the progress line. */
  latest(): string {
    const tally = this.#tally;
    if (tally === undefined)
      return this.results()
        .filter(({ games }) => games > 0)
        .map(({ agent, mean }) => `${agent} ${short(mean)}`)
        .join(", ");
    const standings = this.#participants
      .map((agent, i) => ({ agent, ...tally.wins(i) }))
      .filter(({ games }) => games > 0)
      .toSorted((a, b) => b.value - a.value);
    if (standings.length === 1) return `${standings[0]!.agent} plays itself`;
    const named = standings.slice(0, MOST_NAMED).map(({ agent, value, interval }) => {
      const [low, high] = interval.map((end) => (100 * end).toFixed(0));
      return `${agent} ${(100 * value).toFixed(1)}% [${low}, ${high}]`;
    });
    const more = standings.length > MOST_NAMED ? ["..."] : [];
    const test = this.#test?.result;
    const ratio =
      test === undefined
        ? []
        : [
            `LLR ${test.ratio.toFixed(2)} [${test.bounds[0].toFixed(2)}, ${test.bounds[1].toFixed(2)}] ${test.verdict}`,
          ];
    return [...named, ...more, ...ratio].join(", ");
  }
}

function short(mean: number): string {
  return mean.toLocaleString("en-US", { maximumFractionDigits: mean < 10 ? 3 : 0 });
}

/** The decisions that time limits have ended, by clock. */
function limitedOf(efforts: readonly SeatEffort[]): Pick<AgentEffort, "limited"> {
  const all = efforts.flatMap(({ limited }) => (limited === undefined ? [] : [limited]));
  const limited = (["processor", "wall"] as const).flatMap((clock) => {
    const own = all.filter((each) => each.clock === clock);
    if (own.length === 0) return [];
    const sum = (of: (each: LimitedDecisions) => number) => own.reduce((total, each) => total + of(each), 0);
    const seconds = sum((each) => each.seconds);
    return [
      {
        clock,
        decisions: sum(({ decisions }) => decisions),
        allowed: sum(({ allowed }) => allowed),
        ...(Number.isNaN(seconds) ? {} : { seconds }),
      },
    ];
  });
  return limited.length === 0 ? {} : { limited };
}
