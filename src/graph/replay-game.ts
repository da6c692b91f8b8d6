import { existsSync } from "node:fs";
import { decodeGameRecord, type StoredGame } from "../formats/game-records.ts";
import { RecordLogReader } from "../formats/record-log.ts";
import type { Evaluator } from "../games/evaluation.ts";
import { CHANCE, type Game } from "../games/game.ts";
import type { OpenTables, TablesLearner } from "../models/tables.ts";
import { ArenaSchedule } from "../operators/match/arena-schedule.ts";
import { openBlockingEvaluator } from "../operators/evaluation/blocking-evaluator.ts";
import { listCheckpoints, readCheckpoint } from "../operators/training/checkpoint-files.ts";
import { GameTable } from "../operators/play/game-table.ts";
import type { Tensors } from "../operators/run/items.ts";
import { learnGame, openLearner } from "../operators/tables/learn-game.ts";
import { operators } from "../operators/registry.ts";
import { sameWeights } from "../operators/replay-buffer.ts";
import { type OpeningsOf, readOpenings } from "../operators/tables/opening-database.ts";
import { policyGame } from "../operators/statistics/policy-games.ts";
import type { PolicyStatisticsSettings } from "../operators/statistics/policy-statistics-settings.ts";
import { irreproducible } from "../operators/run/reproducible.ts";
import { checkpointsPath, gamesPath, readLog, RunFiles } from "../operators/run/run-files.ts";
import { openExperiment, ownerOf, type OpenExperiment } from "../operators/experiment/open-experiment.ts";
import { part } from "../operators/training/named-tensors.ts";
import { freshWeights, publishable, readNamedWeights } from "../operators/training/net-weights.ts";
import { learnerOptions, type LearnerSettings } from "../operators/tables/td-learner-settings.ts";
import { asLearner, type PolicyGradientSettings } from "../operators/policy-gradient.ts";
import type { Difference } from "../search/episode.ts";
import { openRunFolder, RunFolderInvalid } from "./run-folder.ts";

/** What a replay has found. */
export interface Replayed {
  readonly stage: string;
  readonly record: StoredGame;
  /** Where the game differs from its record first; absent when every move, value and draw is the same. */
  readonly difference?: Difference;
  /** Why a sound game may differ all the same; empty where it may not. */
  readonly excuses: readonly string[];
}

/**
 * Plays a stored game of a run again from its seed, with the weights it was played with, and compares it with its
 * record. Throws RunFolderInvalid where the game is not there or its weights are no longer kept.
 */
export async function replayGame(
  folder: string,
  stage: string | undefined,
  number: number,
): Promise<Replayed> {
  const { experiment } = openRunFolder(folder);
  const excuses = irreproducible(experiment);
  const opened = openExperiment(experiment);
  const stages = Object.keys(experiment.graph).filter((name) => existsSync(gamesPath(folder, name)));
  const chosen = stage ?? stages[0];
  if (chosen === undefined) throw new RunFolderInvalid(`${folder} has no recorded games yet`);
  if (!stages.includes(chosen))
    throw new RunFolderInvalid(
      `stage "${chosen}" has no recorded games in ${folder}; stages with games: ${stages.join(", ")}`,
    );
  const config = experiment.graph[chosen]!;
  const learner = config.use === "td-learner" || config.use === "policy-gradient";
  // A sequential test ends rounds early: numbers are left out.
  const sparse = learner || config["sequential"] !== undefined;
  const record = sparse ? findRecord(folder, chosen, number) : readRecord(folder, chosen, number);
  if (learner) return { stage: chosen, record, excuses, ...learnAgain(folder, opened, chosen, record) };
  const measures = config.use === "arena" || config.use === "policy-statistics";
  const table = new GameTable(experiment, {});
  const told = !measures ? "version" : config["after"] === undefined ? "last" : "learned";
  /** Of nets that are computed; what is on tables the table of games asks itself. */
  const evaluators = new Map<string, Evaluator<unknown>>();
  const used = new Set<string>();
  for (const agent of new Set(record.seats)) {
    const net = experiment.agents[agent]?.net;
    if (net === undefined || used.has(net)) continue;
    used.add(net);
    const tensors = weightsAt(folder, opened, net, record.generation, told);
    const weights = publishable(opened, net, tensors);
    if (weights.kind === "tables") table.useTables(net, weights.tables);
    else evaluators.set(net, openBlockingEvaluator(experiment, net, weights.tensors));
  }
  const plies = config.use === "uct-openings" ? record.actions.length : undefined;
  const { players } = opened.game;
  const values = Array.from({ length: record.values.length / players }, (_, i) => [
    ...record.values.subarray(i * players, (i + 1) * players),
  ]);
  const nets = Object.keys(experiment.nets);
  const playing = table.replay(
    config.use === "arena"
      ? new ArenaSchedule(opened, chosen).task(number, record.generation)
      : config.use === "policy-statistics"
        ? policyGame(opened, chosen, config as unknown as PolicyStatisticsSettings, number, record.generation)
        : {
            stage: chosen,
            name: [chosen, number],
            index: number,
            generation: record.generation,
            seats: record.seats,
            ...(plies === undefined ? {} : { plies }),
          },
    { actions: record.actions, values },
  );
  for (;;) {
    const step = playing.next();
    if (step.done === true)
      return {
        stage: chosen,
        record,
        excuses,
        ...(step.value.difference === undefined ? {} : { difference: step.value.difference }),
      };
    const evaluator = evaluators.get(nets[step.value.evaluator]!);
    if (evaluator === undefined) table.add(step.value, 0);
    else evaluator.evaluate(step.value.request);
  }
}

/** Looks through the records for a game's number: a learner records some of its games only. */
function findRecord(folder: string, stage: string, number: number): StoredGame {
  const path = gamesPath(folder, stage);
  const records = readLog(path).map((bytes) => decodeGameRecord(bytes, path));
  const record = records.find(({ game }) => game === number);
  if (record !== undefined) return record;
  const known = records.map(({ game }) => game);
  const some = known.length > 6 ? [...known.slice(0, 3), "...", ...known.slice(-3)] : known;
  throw new RunFolderInvalid(`stage "${stage}" has not recorded game ${number}; it has ${some.join(", ")}`);
}

/** Learns again from the last checkpoint before the game up to the game, and compares. */
function learnAgain(
  folder: string,
  opened: OpenExperiment,
  stage: string,
  record: StoredGame,
): { difference?: Difference } {
  const { experiment, game } = opened;
  const config = experiment.graph[stage]!;
  const settings =
    config.use === "policy-gradient"
      ? asLearner(config as unknown as PolicyGradientSettings)
      : (config as unknown as LearnerSettings);
  const { net, exploration } = settings;
  const open = opened.nets.get(net) as OpenTables;
  const before = listCheckpoints(checkpointsPath(folder, net)).findLast(
    ({ learned }) => learned <= record.game,
  );
  const tensors: Tensors =
    before !== undefined
      ? readCheckpoint(before.path, ownerOf(experiment, net)).tensors
      : experiment.nets[net]!.weights !== undefined
        ? readNamedWeights(experiment, net).tensors
        : new Map();
  const learner = openLearner(
    opened,
    open,
    open.load(part(tensors, "weights/")),
    learnerOptions(settings),
    settings.search,
  );
  if (before !== undefined) learner.restore(part(tensors, "learner/"));
  const stageOfOpenings = config["openings"] as string | undefined;
  const openings = stageOfOpenings === undefined ? [] : builtOpenings(folder, opened, stageOfOpenings);
  for (let index = before?.learned ?? 0; index <= record.game; index++)
    learnGame(learner, opened, { stage, exploration, openings }, index);
  return firstDifference(game, record, learner);
}

/** The openings that a stage of the run has built. */
function builtOpenings(folder: string, opened: OpenExperiment, stage: string): Int32Array[] {
  const of = opened.experiment.graph[stage] as unknown as OpeningsOf;
  return readOpenings(opened, of, new RunFiles(folder).openings(stage));
}

/** Where what the learner has just played differs first from a record. */
function firstDifference(
  game: Game<unknown>,
  record: StoredGame,
  learner: TablesLearner,
): { difference?: Difference } {
  const state = game.initial();
  let decision = 0;
  for (let ply = 0; ply < record.actions.length; ply++) {
    const expected = record.actions[ply]!;
    const actual = learner.actions[ply];
    if (actual === undefined) break;
    const chance = game.toMove(state) === CHANCE;
    if (expected !== actual)
      return { difference: { ply, kind: chance ? "chance" : "decision", expected, actual } };
    if (!chance)
      for (let seat = 0; seat < game.players; seat++) {
        const value = record.values[decision]!;
        const now = learner.values[decision++]!;
        if (!Object.is(value, now))
          return { difference: { ply, kind: "value", expected: value, actual: now } };
      }
    game.play(state, actual);
  }
  const [expected, actual] = [record.actions.length, learner.actions.length];
  return expected === actual
    ? {}
    : { difference: { ply: Math.min(expected, actual), kind: "length", expected, actual } };
}

function readRecord(folder: string, stage: string, number: number): StoredGame {
  const path = gamesPath(folder, stage);
  const log = new RecordLogReader(path);
  try {
    if (number >= log.records)
      throw new RunFolderInvalid(
        `stage "${stage}" has ${log.records} recorded games, numbered from 0; there is no game ${number}`,
      );
    return decodeGameRecord(log.read(number), path);
  } finally {
    log.close();
  }
}

/**
 * Self-play games name their weights by version, arena games by how much was learned; an arena that follows no learner
 * plays with the last weights.
 */
function weightsAt(
  folder: string,
  opened: OpenExperiment,
  net: string,
  generation: number,
  told: "version" | "learned" | "last",
): Tensors {
  const from = opened.experiment.nets[net]!.weights;
  const expected = ownerOf(opened.experiment, net);
  const kept = listCheckpoints(checkpointsPath(folder, net));
  const version = sameWeights(opened.experiment, net, generation);
  for (const { path, learned, partial } of kept.toReversed()) {
    // No game was begun with weights that an interruption cut short.
    if (partial || (told === "learned" && learned !== generation)) continue;
    const saved = readCheckpoint(path, expected);
    if (told !== "version" || saved.version === version) return saved.tensors;
  }
  const { graph } = opened.experiment;
  const learns = operators.flatMap(({ use, learns: key }) =>
    key === undefined ? [] : [[use, key] as const],
  );
  const isLearned = Object.values(graph).some((stage) =>
    learns.some(([use, key]) => stage.use === use && stage[key] === net),
  );
  const never = told === "version" ? version === 0 : generation === 0;
  if (never && !(told === "last" && isLearned))
    return from === undefined ? freshWeights(opened, net) : readNamedWeights(opened.experiment, net).tensors;
  const what = {
    version: `of version ${generation}`,
    learned: `after learning ${generation}`,
    last: "at the end of learning",
  }[told];
  throw new RunFolderInvalid(
    `the weights of "${net}" ${what}, with which this game was played, are no longer kept (checkpoints here: ${kept.map(({ learned }) => learned).join(", ") || "none"}); a checkpoint stage with keep: 0 keeps all`,
  );
}
