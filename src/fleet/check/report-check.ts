import type { SeatEffort } from "../../formats/game-efforts.ts";
import { decodeGameRecord, encodeGameRecord, type StoredGame } from "../../formats/game-records.ts";
import { agentKinds } from "../../operators/experiment/agent-kinds.ts";
import { valueNetOf } from "../../operators/experiment/agent-net.ts";
import { gameOf, type OpenExperiment } from "../../operators/experiment/open-experiment.ts";
import { participantNamed } from "../../operators/experiment/participant.ts";
import { countsOf, DECISION_SUMS, meansByGroup } from "../../operators/play/decision-sums.ts";
import { gameFigures } from "../../operators/play/game-figures.ts";
import { startOf } from "../../operators/play/game-table.ts";
import type { GameReport, GameTask } from "../../operators/play/game-task.ts";
import type { EpisodeDecision } from "../../search/episode.ts";
import { PacketInvalid } from "../wire/packet.ts";
import { AnalysisCheck } from "./analysis-check.ts";
import { examplesCheck } from "./examples-check.ts";
import { playRecord } from "./played-record.ts";

/**
 * Checks all of a report that can be checked without the searches that have played the game. Its record is played by the rules, with
 * the draws that the task names; examples, figures and analysis must be those of this record. What only a search knows (which
 * legal move it chose, its values and policies) is checked for its form. Throws an Error whose message says what is wrong.
 */
export function checkReport(opened: OpenExperiment, task: GameTask, report: GameReport): void {
  const record = decodeGameRecord(report.record, "a message");
  // No other program plays in games that joiners get, so nobody fails there or objects.
  if (record.failure !== undefined || record.dispute !== undefined || report.failure !== undefined)
    throw new PacketInvalid("its game was aborted");
  const examples = examplesCheck(opened, task, record, report.samples);
  const analysis = new AnalysisCheck(task, report.analysis);
  const decisions: EpisodeDecision[] = [];
  const learned = { forced: 0, decisions: 0 };
  const { facts, returns, state } = playRecord(opened, task, record, (decision) => {
    const { legal, ply, seat, values } = decision;
    const open = leavesValuesOpen(opened, task.seats[seat]!);
    if (!values.every((value) => Number.isFinite(value) || (open && Number.isNaN(value))))
      throw new PacketInvalid(`its record has a value that is no finite number, at ply ${ply}`);
    decisions.push({ ply, seat, values, learn: false, ...noPolicy });
    if (task.learnedSeat === undefined || task.learnedSeat === seat) {
      learned.decisions++;
      if (legal.length === 1) learned.forced++;
    }
    examples.decided(decision);
    analysis.decided(decision);
  });
  checkRecord(report.record, { ...ownRecord(task, record), returns, facts });
  examples.ended(state);
  analysis.ended();
  const first = decisions[0];
  const { forecasts } = gameFigures(
    { actions: record.actions, decisions },
    task.seats,
    (name) => {
      const agent = opened.experiment.agents[participantNamed(name).agent]!;
      return valueNetOf(agent) === undefined ? undefined : gameOf(opened, agent);
    },
    startOf(task),
  );
  for (const [name, reported, own] of [
    ["returns", report.returns, returns],
    ["length", [report.plies], [record.actions.length]],
    ["first value", [report.startValue], [first?.values[first.seat] ?? 0]],
    ["forecasts", report.forecasts, forecasts],
    ["facts", Object.entries(report.facts).flat(), Object.entries(facts).flat()],
  ] as const)
    if (reported.length !== own.length || own.some((each, i) => !Object.is(each, reported[i])))
      throw new PacketInvalid(`its ${name} is not that of its record`);
  if (!areDecisionSums(task, report, learned))
    throw new PacketInvalid("its sums over decisions are not those of its record");
  checkCosts(task, report, decisions);
}

/** Whether sums are over no more decisions of each kind than a record has, if a policy is learned from it. */
function areDecisionSums(
  { examples }: GameTask,
  { decisionSums: sums }: GameReport,
  learned: ReturnType<typeof countsOf>,
): boolean {
  if (sums === undefined || examples?.use !== "alphazero")
    return sums === undefined && examples?.use !== "alphazero";
  if (sums.length !== DECISION_SUMS || sums.some((sum) => Math.abs(sum) === Infinity)) return false;
  const { decisions, forced } = countsOf(sums);
  const groups = meansByGroup(sums).map((means) => means.decisions);
  return (
    decisions === learned.decisions &&
    forced === learned.forced &&
    groups.every(isCount) &&
    groups.reduce((all, count) => all + count, 0) <= decisions - forced
  );
}

/** Whether the search of a participant may leave values open. */
function leavesValuesOpen({ experiment: { agents } }: OpenExperiment, participant: string): boolean {
  const { use } = agents[participantNamed(participant).agent]!;
  return agentKinds().find(({ name }) => name === use)?.leavesValuesOpen === true;
}

const noPolicy = { actions: new Int32Array(0), visits: new Float64Array(0), policy: new Float64Array(0) };

/** A record with what the task says of it, and the moves and values that it has itself. */
function ownRecord({ generation, index, seats }: GameTask, record: StoredGame) {
  const { actions, resigned, values } = record;
  const given = resigned === undefined ? {} : { resigned };
  return { game: index, generation, seats, actions, values: Float64Array.from(values), ...given };
}

/** The bytes of a record are a function of its content, so a field that is another one shows here. */
function checkRecord(bytes: Uint8Array, expected: Parameters<typeof encodeGameRecord>[0]): void {
  if (Buffer.compare(bytes, encodeGameRecord(expected)) !== 0)
    throw new PacketInvalid("its record is of another game, or has another result than its moves give");
}

function checkCosts(
  { measured, seats }: GameTask,
  { cacheHits = 0, effort, entropy = 0, evaluations }: GameReport,
  decisions: readonly EpisodeDecision[],
): void {
  if (![evaluations, cacheHits].every(isCount) || !(entropy >= 0 && Number.isFinite(entropy)))
    throw new PacketInvalid("its figures are no numbers of a game");
  if ((effort?.length ?? 0) !== (measured === true ? seats.length : 0))
    throw new PacketInvalid("it lacks the cost of its decisions, or has one that was not asked for");
  for (const [seat, own] of (effort ?? []).entries())
    if (own.decisions !== decisions.filter((decision) => decision.seat === seat).length || !isCost(own))
      throw new PacketInvalid("the cost of its decisions is not that of its own decisions");
}

/** Seconds are NaN if a machine cannot measure them. */
function isCost({ decisions, evaluations, evaluatorSeconds, limited, seconds }: SeatEffort): boolean {
  return (
    isCount(evaluations) &&
    isTime(seconds) &&
    (evaluatorSeconds === undefined || isTime(evaluatorSeconds)) &&
    (limited === undefined ||
      (isCount(limited.decisions) &&
        limited.decisions <= decisions &&
        limited.allowed > 0 &&
        Number.isFinite(limited.allowed) &&
        isTime(limited.seconds)))
  );
}

function isTime(seconds: number): boolean {
  return Number.isNaN(seconds) || (seconds >= 0 && Number.isFinite(seconds));
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
