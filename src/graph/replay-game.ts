import type { StoredGame } from "../formats/game-records.ts";
import type { Evaluator } from "../games/evaluation.ts";
import { openBlockingEvaluator } from "../operators/play/evaluation/blocking-evaluator.ts";
import { listCheckpoints, readCheckpoint } from "../operators/run/weights/checkpoint-files.ts";
import { BookUnusable } from "../operators/play/openings/openings.ts";
import { GameTable } from "../operators/play/game-table.ts";
import {
  type PlannedGame,
  type TablesVersion,
  weightsNamed,
  withVersions,
} from "../operators/play/game-task.ts";
import type { Offers, WeightsOfGame } from "../operators/operator.ts";
import { operatorOf } from "../operators/registry.ts";
import { isOtherProgram } from "../operators/experiment/agent-kinds.ts";
import { irreproducible } from "./folder/irreproducible.ts";
import { checkpointsPath, RunFiles } from "../operators/run/run-files.ts";
import {
  calledNet,
  openExperiment,
  type OpenExperiment,
  ownerOf,
  type StageConfig,
} from "../operators/experiment/open-experiment.ts";
import {
  freshWeights,
  publishable,
  type PublishedWeights,
  readNamedWeights,
} from "../operators/run/weights/net-weights.ts";
import { VersionStore } from "../operators/run/weights/version-store.ts";
import { participantNamed } from "../operators/experiment/participant.ts";
import type { Episode } from "../search/episode.ts";
import type { Difference } from "../search/expected-game.ts";
import { otherArithmetic } from "./folder/arithmetic.ts";
import { recordedGame } from "./recorded-game.ts";
import { openRunFolder } from "./folder/run-folder.ts";
import { pluginExcuses } from "./folder/run-plugins.ts";
import { withKnownNets } from "./known-part.ts";
import { changedFiles } from "./folder/read-again.ts";
import { RunFolderInvalid } from "./folder/run-folder-invalid.ts";
import { stageView } from "./stage-view.ts";

/** The result of a replay. */
export interface Replayed {
  readonly stage: string;
  readonly record: StoredGame;
  /** Where the replay ended because the game differs from its record; absent if it reached the end of the record. */
  readonly difference?: Difference;
  /** Reasons why a replay may differ although nothing is wrong; empty if it may not. */
  readonly excuses: readonly string[];
  /**
   * If the replay followed the recorded moves: decisions that it would have made otherwise, and values farther from the
   * recorded ones than `VALUE_TOLERANCE`. It follows them if there are excuses, unless the game was played by a learner.
   * Absent if it followed nothing; then every value was compared bit by bit.
   */
  readonly departures?: readonly Difference[];
  /** The agents of this game that are other programs. They were not started: their moves are those of the record. */
  readonly notStarted: readonly string[];
}

/**
 * Plays a stored game of a run again from its seed, with the weights it was played with, and compares it with its
 * record, up to the first difference or, if differences may be, to the end. Plug-ins that the game
 * needs are loaded (`demandKnown`). Throws RunFolderInvalid if the game does not exist or its weights are no longer kept.
 */
export async function replayGame(
  folder: string,
  stage: string | undefined,
  number: number,
): Promise<Replayed> {
  const { experiment: whole, manifest } = openRunFolder(folder);
  const experiment = withKnownNets(whole);
  const opened = openExperiment(experiment);
  const otherwise = otherArithmetic(manifest, opened);
  const { stage: chosen, record } = recordedGame(folder, experiment, stage, number);
  // Programs are not reproducible, but their moves are not computed again.
  const own = Object.entries(experiment.agents).filter(([, agent]) => !isOtherProgram(agent));
  const computed = { ...experiment, agents: Object.fromEntries(own) };
  const excuses = [
    ...irreproducible(computed),
    ...(otherwise === undefined ? [] : [otherwise]),
    ...pluginExcuses(manifest),
    ...(manifest.fork !== undefined && record.generation < manifest.fork.version
      ? [`the game was played before the fork, with the settings of ${manifest.fork.run}`]
      : []),
  ];
  const config = experiment.graph[chosen]!;
  const operator = operatorOf(config);
  if (operator?.replay === undefined)
    throw new RunFolderInvalid(`games of stage "${chosen}" (${config.use}) cannot be replayed`);
  const view = stageView(opened, chosen);
  const players = new Set(record.seats.map((seat) => participantNamed(seat).agent));
  const notStarted = [...players].filter((name) => {
    const agent = experiment.agents[name];
    return agent !== undefined && isOtherProgram(agent);
  });
  const follow = excuses.length > 0;
  let departures: readonly Difference[] | undefined;
  const changed = changedFiles(manifest).find((path) => operator.readsAgain?.(config).includes(path));
  if (changed !== undefined)
    throw new RunFolderInvalid(
      `${changed}, which stage "${chosen}" reads, has changed since the run began: put it back to replay its games`,
    );
  let difference: Difference | undefined;
  try {
    difference = operator.replay(config, { view, record, files: new RunFiles(folder) }, (game, weights) => {
      const played = playAgain(folder, opened, record, game, weights, follow);
      if (follow) departures = played.departures;
      return played.difference;
    });
  } catch (error) {
    if (error instanceof BookUnusable) throw new RunFolderInvalid(error.message);
    throw error;
  }
  return {
    stage: chosen,
    record,
    excuses,
    notStarted,
    ...(difference === undefined ? {} : { difference }),
    ...(departures === undefined ? {} : { departures }),
  };
}

/** Plays a game with the weights of its record, and compares or follows the record. */
function playAgain(
  folder: string,
  opened: OpenExperiment,
  record: StoredGame,
  planned: PlannedGame,
  identifiedBy: WeightsOfGame,
  follow: boolean,
): Episode<unknown> {
  const { experiment, game } = opened;
  /** By net: the weights of its agents, not of their earlier selves. */
  const own = new Map<string, StoredWeights>();
  const task = withVersions(opened, planned, (net) => {
    const stored = own.get(net) ?? weightsAt(folder, opened, net, record.generation, identifiedBy);
    own.set(net, stored);
    return stored.version;
  });
  /** By version of a net that is computed; the game table itself looks up value functions on tables. */
  const evaluators = new Map<string, Evaluator<unknown>>();
  const tables: TablesVersion[] = [];
  for (const { net, version } of weightsNamed(opened, task)) {
    const known = own.get(net);
    const { weights } =
      known?.version === version ? known : weightsAt(folder, opened, net, version, "version");
    if (weights.kind === "tables") tables.push({ net, version, tables: weights.tables });
    else
      evaluators.set(
        `${net} ${version}`,
        openBlockingEvaluator(experiment, net, weights.tensors, calledNet(opened, net, version)),
      );
  }
  const table = new GameTable(experiment, {});
  const { players } = game;
  const values = Array.from({ length: record.values.length / players }, (_, i) => [
    ...record.values.subarray(i * players, (i + 1) * players),
  ]);
  const playing = table.replay({ task, tables }, { actions: record.actions, values, follow });
  for (;;) {
    const step = playing.next();
    if (step.done === true) return step.value;
    const { net, version } = table.weightsOf(step.value);
    const evaluator = evaluators.get(`${net} ${version}`);
    if (evaluator === undefined) table.add(step.value, 0);
    else evaluator.evaluate(step.value.request);
  }
}

/** Weights of a net with the number of their version. */
interface StoredWeights {
  readonly version: number;
  readonly weights: PublishedWeights;
}

/** The version of a net that a game of a generation was played with: not a later one than the stage that learns it has made. */
function versionLearnedBy(
  [name, config]: readonly [string, StageConfig],
  opened: OpenExperiment,
  generation: number,
): number {
  const operator = operatorOf(config)!;
  const view = stageView(opened, name);
  const offer = operator.offers?.(config, view) as Offers["weights"] | undefined;
  const version = Math.min(generation, (offer?.filling ?? 0) + (offer?.trainings ?? Infinity));
  return operator.firstEqual?.(version, view) ?? version;
}

/** The weights of a net in a recorded game. Throws RunFolderInvalid if they are no longer kept. */
function weightsAt(
  folder: string,
  opened: OpenExperiment,
  net: string,
  generation: number,
  identifiedBy: WeightsOfGame,
): StoredWeights {
  const { graph, nets } = opened.experiment;
  const from = nets[net]!.weights;
  const expected = ownerOf(opened.experiment, net);
  const kept = listCheckpoints(checkpointsPath(folder, net));
  const learner = Object.entries(graph).find(([, config]) => {
    const learns = operatorOf(config)?.learns;
    return learns !== undefined && config[learns] === net;
  });
  // A net that no stage learns keeps the weights that it begins with, whatever other nets learn meanwhile.
  const version = learner === undefined ? 0 : versionLearnedBy(learner, opened, generation);
  for (const { path, learned, partial } of kept.toReversed()) {
    // No game started with the partial weights of an interruption.
    if (partial || (identifiedBy === "learned" && learned !== generation)) continue;
    const saved = readCheckpoint(path, expected);
    if (identifiedBy !== "version" || saved.version === version)
      return { version: saved.version, weights: publishable(opened, net, saved.tensors) };
  }
  const store = new VersionStore(folder, opened);
  if (identifiedBy === "version" && store.has(net, version))
    return { version, weights: store.read(net, version) };
  const never = learner === undefined || (identifiedBy === "version" ? version : generation) === 0;
  if (never && !(identifiedBy === "last" && learner !== undefined)) {
    const tensors =
      from === undefined ? freshWeights(opened, net) : readNamedWeights(opened.experiment, net).tensors;
    return { version: 0, weights: publishable(opened, net, tensors) };
  }
  const what = {
    version: `of version ${generation}`,
    learned: `after learning ${generation}`,
    last: "at the end of learning",
  }[identifiedBy];
  throw new RunFolderInvalid(
    `the weights of "${net}" ${what}, with which this game was played, are no longer kept (checkpoints here: ${kept.map(({ learned }) => learned).join(", ") || "none"}); a checkpoint stage with keep: 0 keeps all`,
  );
}
