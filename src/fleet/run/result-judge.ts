import type { NatsConnection } from "@nats-io/transport-node";
import type { GameReport, GameTask } from "../../operators/play/game-task.ts";
import { checkReport } from "../check/report-check.ts";
import type { FleetGame, FleetGames } from "./fleet-games.ts";
import { equalReports, isDrawnForCheck } from "./result-check.ts";
import { refusalOfBits, type RunEnd } from "./run-end.ts";
import { bitsKey, type ResultVerdict } from "../wire/hello.ts";
import { decodeResult, type TaskResult } from "../wire/report-message.ts";
import { againSubject } from "../wire/subjects.ts";
import { encodeTask, type FleetWeights } from "../wire/task-message.ts";

/** Milliseconds that a game may take that a second joiner plays for comparison. */
const AGAIN_MS = 600_000;

type ReportedResult = TaskResult & { readonly report: GameReport };

/** Decides about the results of joiners: they are taken, compared with a second one first, or refused. */
export class ResultJudge {
  readonly #end: RunEnd;
  readonly #games: FleetGames;
  readonly #connection: NatsConnection;

  constructor(end: RunEnd, games: FleetGames, connection: NatsConnection) {
    this.#end = end;
    this.#games = games;
    this.#connection = connection;
  }

  /** Decides about a joiner's result of the task with this key. */
  async judge(joiner: string, key: string, bytes: Uint8Array): Promise<ResultVerdict> {
    const { dismissals, machine, roster, use, weights } = this.#end;
    const dismissed = dismissals.why(joiner);
    if (dismissed !== undefined) return { verdict: "leave", message: dismissed };
    const game = this.#games.away(key);
    if (game === undefined) return { verdict: "not wanted" };
    const { task } = game;
    let result: TaskResult;
    try {
      result = this.#read(bytes, joiner, task);
    } catch (error) {
      const { message } = error as Error;
      const why = dismissals.countBad(joiner, message);
      return why === undefined
        ? { verdict: "bad", message: `a result was refused: ${message}` }
        : { verdict: "leave", message: why };
    }
    if (!isReported(result)) {
      use.note(
        "warning",
        `${roster.nameOf(joiner)} could not play game ${task.index} of ${task.stage}: ${result.failed}; it is played here`,
      );
      this.#games.bring(game);
      return { verdict: "taken" };
    }
    const named = await weights.forTask(task);
    for (const each of named) {
      const refusal = await refusalOfBits(this.#end, each, result.bits);
      if (refusal !== undefined) return { verdict: "leave", message: dismissals.dismiss(joiner, refusal) };
    }
    // A second result of the game may have come meanwhile.
    if (this.#games.away(key) !== game) return { verdict: "not wanted" };
    // Its joiner acknowledges the task: the run takes none back that is done.
    this.#games.hold(game);
    if (isDrawnForCheck(machine.opened, task)) {
      void this.#check(game, result, named);
    } else this.#take(game, joiner, result.report);
    return { verdict: "taken" };
  }

  /** Reads a joiner's result of a task and checks all that can be checked without a second one. Throws an Error that says what is wrong. */
  #read(bytes: Uint8Array, joiner: string, task: GameTask): TaskResult {
    // Its own name counts, not the one that it gives.
    const result: TaskResult = { ...decodeResult(bytes), joiner };
    if (isReported(result)) checkReport(this.#end.machine.opened, task, result.report);
    return result;
  }

  #take(game: FleetGame, joiner: string, report: GameReport): void {
    this.#end.roster.counts(joiner);
    this.#end.machine.counts(game.task, report);
    this.#games.take(game, report);
  }

  /** Compares the report of a game that is drawn for it with a second one, and takes the one that is right. */
  async #check(game: FleetGame, result: ReportedResult, named: readonly FleetWeights[]): Promise<void> {
    const { machine, weights } = this.#end;
    const own = await Promise.all(named.map(async (each) => [bitsKey(each), await weights.bits(each)]));
    try {
      if (own.every(([key, bits]) => result.bits[key!] === bits)) {
        const second = await machine.playAgain(game.task);
        if (equalReports(result.report, second)) this.#take(game, result.joiner, second);
        else {
          this.#dismiss(result.joiner, game);
          this.#games.take(game, second);
        }
      } else await this.#checkByOthers(game, result, this.#playedByOthers(game, result, named));
    } catch {
      // This machine fails at it, too: playing the game reports why.
      this.#games.bring(game);
    }
  }

  /** Compares a report with those of other joiners that compute equal bits: of three, the one that differs is wrong. */
  async #checkByOthers(
    game: FleetGame,
    { joiner, report }: ReportedResult,
    others: AsyncGenerator<ReportedResult, undefined>,
  ): Promise<void> {
    const { value: second } = await others.next();
    if (second === undefined) {
      this.#end.use.taint(
        "some games that were drawn to be played again were not, since no second machine of equal bits was there: only rules, draws and hashes were checked",
      );
      return this.#take(game, joiner, report);
    }
    if (equalReports(report, second.report)) return this.#take(game, joiner, report);
    const { value: third } = await others.next();
    if (third !== undefined && equalReports(report, third.report)) {
      this.#dismiss(second.joiner, game);
      return this.#take(game, joiner, report);
    }
    this.#dismiss(joiner, game);
    if (third !== undefined && equalReports(second.report, third.report))
      return this.#take(game, second.joiner, second.report);
    // Nobody knows which of the two is right.
    this.#dismiss(second.joiner, game);
    this.#games.bring(game);
  }

  #dismiss(joiner: string, { task: { index, stage } }: FleetGame): void {
    const { dismissals, roster } = this.#end;
    const games = roster.joiners.find((each) => each.joiner === joiner)?.games ?? 0;
    dismissals.dismiss(
      joiner,
      `game ${index} of ${stage} comes out otherwise when it is played again, so its results cannot be trusted. ${games} of its games were taken before: if they matter, start the run again without ${roster.nameOf(joiner)}`,
    );
  }

  /** The results of joiners other than the first one that compute its bits, each played when it is asked for. */
  async *#playedByOthers(
    { task }: FleetGame,
    { bits, joiner }: ReportedResult,
    named: readonly FleetWeights[],
  ): AsyncGenerator<ReportedResult, undefined> {
    const { described, dismissals, roster } = this.#end;
    const { bytes } = encodeTask({ described, task, weights: named });
    for (const other of roster.joiners) {
      if (other.joiner === joiner || dismissals.why(other.joiner) !== undefined) continue;
      const answer = await this.#connection
        .request(againSubject(other.joiner), bytes, { timeout: AGAIN_MS })
        .catch(() => undefined);
      // It has left, or cannot: the next one may do.
      if (answer === undefined || answer.data.length === 0) continue;
      let result: TaskResult;
      try {
        result = this.#read(answer.data, other.joiner, task);
      } catch (error) {
        dismissals.countBad(other.joiner, (error as Error).message);
        continue;
      }
      if (isReported(result) && named.every((each) => result.bits[bitsKey(each)] === bits[bitsKey(each)]))
        yield result;
    }
    return undefined;
  }
}

function isReported(result: TaskResult): result is ReportedResult {
  return result.report !== undefined;
}
