import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { MetricsFile, readMetrics } from "../events/metrics-file.ts";
import type { CheckpointSaved, RecordedEvent } from "../events/event.ts";
import { decodeGameRecord } from "../formats/game-records.ts";
import { RecordLogReader, truncateLog } from "../formats/record-log.ts";
import { copyOwn } from "../formats/files/atomic-file.ts";
import { writing } from "../formats/files/file-not-written.ts";
import { checkGraph } from "../graph/check-graph.ts";
import { loadPlugins } from "../graph/code/named-plugins.ts";
import { outsideCodeOf } from "../graph/code/outside-code.ts";
import { type Permit, permitAllowed } from "../graph/code/permission.ts";
import { checkSource } from "../graph/experiment-file.ts";
import { createRunFolder, metricsPath, openRunFolder, type RunFork } from "../graph/folder/run-folder.ts";
import { followedNet } from "../graph/folder/irreproducible.ts";
import { RunFolderInvalid } from "../graph/folder/run-folder-invalid.ts";
import { checkRecordedCheckpoints } from "../graph/folder/recorded-checkpoints.ts";
import { stageView } from "../graph/stage-view.ts";
import { readSource } from "../graph/yaml-source.ts";
import {
  type Experiment,
  openExperiment,
  type OpenExperiment,
  ownerOf,
} from "../operators/experiment/open-experiment.ts";
import type { Offers } from "../operators/operator.ts";
import { operatorOf } from "../operators/registry.ts";
import { checkpointsPath, equalTimePath, gamesPath, storedWeightsPath } from "../operators/run/run-files.ts";
import { sameValue } from "../same-value.ts";
import { checkSavedLogs } from "../operators/run/saved-logs.ts";
import { RoundsUnderWay } from "../operators/run/weights/rounds-under-way.ts";
import { VersionStore } from "../operators/run/weights/version-store.ts";
import {
  type KeptCheckpoint,
  listCheckpoints,
  readCheckpoint,
  readManifest,
} from "../operators/run/weights/checkpoint-files.ts";

/** A new run that continues from a checkpoint of another one; it has not been started yet. */
export interface ForkedRun {
  readonly folder: string;
  readonly fork: RunFork;
}

type CheckpointEvent = Extract<RecordedEvent, { type: "checkpoint" }>;

/**
 * Makes the folder of a run that continues from a checkpoint of the run in `parent`, with changed settings. `resumedRun` then
 * continues it.
 *
 * It gets what a run needs to continue from there: the checkpoint of each net, the games and examples that were learned from and
 * are still kept, earlier versions of weights, openings, collections, and the events until then. Games of matches, and those
 * that a learner on tables plays itself, stay in the parent. `at` is the folder of a checkpoint or an amount of learning;
 * absent: the last one.
 *
 * Throws RunFolderInvalid, FileCorrupt, ExperimentInvalid, CheckpointUnusable, CodeNotAllowed, PluginInvalid, FileNotWritten;
 * then nothing was written.
 */
export async function forkRun(
  parent: string,
  {
    at,
    out,
    permit = permitAllowed,
    set,
  }: {
    readonly at?: string | undefined;
    readonly set: readonly string[];
    readonly out?: string | undefined;
    readonly permit?: Permit;
  },
): Promise<ForkedRun> {
  const { experiment: before, manifest } = openRunFolder(parent);
  // If examples are kept, all are that the run has not removed itself: the fork draws minibatches from them.
  checkSavedLogs(parent, { continues: existsSync(join(parent, "examples")) });
  await loadPlugins(before.plugins ?? [], parent, permit);
  const read = checkSource(readSource(join(parent, "experiment.yaml"), set));
  const { opened } = checkGraph(read);
  const { experiment } = opened;
  await permit(outsideCodeOf(experiment));
  const events = readMetrics(metricsPath(parent));
  // The last one is the last that the run has recorded; if it is gone, the user says whether an earlier one will do.
  if (at === undefined) checkRecordedCheckpoints(parent, events);
  const { event, checkpoint } = chosenCheckpoint(parent, before, events, at);
  const until = events.findLastIndex((each) => each.type === "checkpoint" && each.path === event.path);
  const history = events
    .filter((each, i) => i <= until || measuresEarlier(before, each, event))
    .filter(({ type }) => type !== "run-ended");
  const checkpoints = checkpointsUntil(parent, before, history, checkpoint.path);
  for (const [net, path] of checkpoints)
    if (experiment.nets[net] !== undefined) readCheckpoint(path, ownerOf(experiment, net));
  const { version } = readManifest(checkpoint.path);
  // Weights that the fork takes over may be played with much later.
  const store = new VersionStore(parent, opened);
  for (const net of Object.keys(experiment.nets))
    for (const each of versionsKept(parent, net, version)) store.read(net, each);
  const kept = gamesKept(parent, openExperiment(before), opened, version);
  const fork: RunFork = {
    run: resolve(parent),
    id: manifest.id,
    learned: event.learned,
    unit: event.unit,
    version,
    set,
  };
  const undecided = Object.entries(experiment.nets).find(([, { evaluations }]) => evaluations === "auto");
  if (undecided !== undefined)
    throw new RunFolderInvalid(
      `nets.${undecided[0]}.evaluations: auto is decided when a run begins, and a fork continues one; write float32 or int8`,
    );
  const claimed = createRunFolder(experiment, { set, folder: "." }, out, new Date(), {
    fork,
    fill: (folder) => {
      for (const [net, path] of checkpoints)
        copyFolder(path, join(checkpointsPath(folder, net), basename(path)));
      for (const net of Object.keys(experiment.nets)) {
        copyWeights(parent, folder, net, version);
        copyRounds(parent, folder, net, version, new Set(Object.keys(experiment.graph)));
      }
      copyFixedSimulations(parent, folder, before, experiment);
      for (const part of ["openings", "collections"]) copyFolder(join(parent, part), join(folder, part));
      for (const each of kept) copyGames(parent, folder, each);
      const metrics = MetricsFile.open(metricsPath(folder));
      for (const event of history) metrics.record(event);
      metrics.close();
    },
  });
  claimed.release();
  return { folder: claimed.folder, fork };
}

/** The checkpoint that is meant, with its event. */
function chosenCheckpoint(
  parent: string,
  { nets }: Experiment,
  events: readonly RecordedEvent[],
  at: string | undefined,
): { readonly event: CheckpointEvent; readonly checkpoint: KeptCheckpoint } {
  const recorded = events.filter((event) => event.type === "checkpoint");
  const all = Object.keys(nets)
    .flatMap((net) => listCheckpoints(checkpointsPath(parent, net)))
    .filter(({ partial }) => !partial)
    .flatMap((checkpoint) => {
      const path = relative(resolve(parent), resolve(checkpoint.path));
      const event = recorded.findLast((each) => each.path === path);
      return event === undefined ? [] : [{ event, checkpoint }];
    });
  const names = all.map(({ event: { path } }) => path).join(", ") || "none";
  const meant = all.filter(
    ({ checkpoint: { learned, path } }) =>
      at === undefined ||
      resolve(at) === resolve(path) ||
      resolve(parent, at) === resolve(path) ||
      (/^\d+$/.test(at) && Number(at) === learned),
  );
  if (meant.length === 0)
    throw new RunFolderInvalid(
      at === undefined
        ? `${parent} has no whole checkpoint to continue from; a checkpoint stage saves them`
        : `${parent} has no checkpoint "${at}" (checkpoints here: ${names}); a checkpoint stage with keep: 0 keeps all`,
    );
  const folders = new Set(meant.map(({ checkpoint }) => dirname(checkpoint.path)));
  if (at !== undefined && folders.size > 1)
    throw new RunFolderInvalid(
      `"${at}" is the amount of several checkpoints; name one: ${meant.map(({ event }) => event.path).join(", ")}`,
    );
  return meant.toSorted((a, b) => recorded.indexOf(a.event) - recorded.indexOf(b.event)).at(-1)!;
}

/** The newest checkpoint of each net until the fork. Throws RunFolderInvalid if one is no longer kept. */
function checkpointsUntil(
  parent: string,
  { nets }: Experiment,
  history: readonly RecordedEvent[],
  chosen: string,
): Map<string, string> {
  const own = basename(dirname(chosen));
  return new Map(
    Object.keys(nets).flatMap((net): [string, string][] => {
      if (net === own) return [[net, chosen]];
      const folder = relative(parent, checkpointsPath(parent, net));
      const last = history.findLast(
        (event) =>
          event.type === "checkpoint" && dirname(event.path) === folder && !event.path.endsWith("-partial"),
      ) as CheckpointEvent | undefined;
      if (last === undefined) return [];
      const path = join(parent, last.path);
      if (!existsSync(path))
        throw new RunFolderInvalid(
          `the checkpoint ${last.path}, which the net "${net}" had then, is no longer kept; fork at a later checkpoint (keep: 0 keeps all)`,
        );
      return [[net, path]];
    }),
  );
}

/**
 * How many games of each stage that nets learn from in generations a fork continues with: those that this version has learned
 * from. Throws RunFolderInvalid if their examples are gone, or the settings would count them otherwise.
 */
function gamesKept(
  parent: string,
  before: OpenExperiment,
  now: OpenExperiment,
  version: number,
): KeptGames[] {
  return Object.keys(now.experiment.graph).flatMap((stage) => {
    if (!existsSync(join(parent, "examples", stage)) && !existsSync(gamesPath(parent, stage))) return [];
    const generation = generationOf(now, stage);
    if (generation === undefined) return [];
    const was = generationOf(before, stage);
    if (was !== generation)
      throw new RunFolderInvalid(
        `graph.${stage}.generation was ${was ?? "absent"} and cannot be ${generation} in a fork: games are counted in generations; fork the weights alone, by a new run with --set nets.NET.weights=CHECKPOINT`,
      );
    const games = gamesBefore(parent, before, stage, { generation, version });
    const generations = Math.ceil(games / generation);
    if (games > 0 && examplesKept(parent, stage, generations).length === 0)
      throw new RunFolderInvalid(
        `the examples of "${stage}" that the net had learned from are no longer kept (replay buffers keep the newest ones, and ludoflow prune frees those of ended runs); fork at a later checkpoint, or start a new run from the weights alone by --set nets.NET.weights=CHECKPOINT`,
      );
    return [{ stage, games, generations }];
  });
}

/** The games of a stage that a fork begins with, and the number of their generations. */
interface KeptGames {
  readonly stage: string;
  readonly games: number;
  readonly generations: number;
}

/**
 * The number of games that were played with earlier versions than this one: the fork could not play them again. If games
 * take the newest weights, in no order, it is the number that the version had learned from.
 */
function gamesBefore(
  parent: string,
  { experiment }: OpenExperiment,
  stage: string,
  { generation, version }: { readonly generation: number; readonly version: number },
): number {
  const path = gamesPath(parent, stage);
  if (experiment.schedule === "asynchronous" || !existsSync(path)) return version * generation;
  const log = new RecordLogReader(path);
  try {
    let games = 0;
    while (games < log.records && decodeGameRecord(log.read(games), path).generation < version) games++;
    return games;
  } finally {
    log.close();
  }
}

/** Games of one generation, of a stage whose games are learned from in generations; undefined for others. */
function generationOf(opened: OpenExperiment, stage: string): number | undefined {
  const config = opened.experiment.graph[stage];
  const operator = config && operatorOf(config);
  if (operator?.output !== "games") return undefined;
  const offer = operator.offers?.(config!, stageView(opened, stage)) as Offers["games"] | undefined;
  return offer?.generation;
}

/** The logs of the examples of the first generations, as far as they are kept. */
function examplesKept(parent: string, stage: string, generations: number): string[] {
  const folder = join(parent, "examples", stage);
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter(
    (name) => name.endsWith(".log") && Number.parseInt(name, 10) < generations,
  );
}

function copyGames(parent: string, folder: string, { games, generations, stage }: KeptGames): void {
  const from = gamesPath(parent, stage);
  const to = gamesPath(folder, stage);
  if (games === 0 || !existsSync(from)) return;
  writing(to, () => mkdirSync(dirname(to), { recursive: true }));
  copyOwn(from, to);
  truncateLog(to, games);
  const examples = join(folder, "examples", stage);
  writing(examples, () => mkdirSync(examples, { recursive: true }));
  for (const name of examplesKept(parent, stage, generations))
    copyOwn(join(parent, "examples", stage, name), join(examples, name));
}

/** Whether an event is the result of a round that was under way at a checkpoint, with a version before it. */
function measuresEarlier(
  { graph }: Experiment,
  result: RecordedEvent,
  { learned, stage }: CheckpointSaved,
): boolean {
  if (!("stage" in result && "learned" in result) || result.type === "checkpoint") return false;
  if (result.stage === undefined || graph[result.stage] === undefined) return false;
  return followedNet(graph, result.stage) === followedNet(graph, stage) && result.learned < learned;
}

/** Copies the notes of rounds of these stages that are not over, with versions before one. */
function copyRounds(
  parent: string,
  folder: string,
  net: string,
  version: number,
  stages: ReadonlySet<string>,
): void {
  const rounds = new RoundsUnderWay(folder);
  for (const round of new RoundsUnderWay(parent).behind(net, version))
    if (stages.has(round.stage)) rounds.add(net, round);
  rounds.save(net, version);
}

/** Copies the simulations that stages have fixed by measured times, if the stage and its agents are as before. */
function copyFixedSimulations(parent: string, folder: string, before: Experiment, now: Experiment): void {
  for (const [stage, config] of Object.entries(now.graph)) {
    const [from, to] = [equalTimePath(parent, stage), equalTimePath(folder, stage)];
    const agents = operatorOf(config)?.agents?.(config) ?? [];
    const isAsBefore =
      sameValue(before.graph[stage], config) &&
      agents.every((agent) => sameValue(before.agents[agent], now.agents[agent]));
    if (!isAsBefore || !existsSync(from)) continue;
    writing(to, () => mkdirSync(dirname(to), { recursive: true }));
    copyOwn(from, to);
  }
}

function copyWeights(parent: string, folder: string, net: string, version: number): void {
  const versions = versionsKept(parent, net, version);
  if (versions.length === 0) return;
  const to = dirname(storedWeightsPath(folder, net, 0));
  writing(to, () => mkdirSync(to, { recursive: true }));
  for (const each of versions)
    copyOwn(storedWeightsPath(parent, net, each), storedWeightsPath(folder, net, each));
}

/** The earlier versions of a net, up to this one, whose weights the run still keeps. */
function versionsKept(parent: string, net: string, version: number): number[] {
  const from = dirname(storedWeightsPath(parent, net, 0));
  if (!existsSync(from)) return [];
  return readdirSync(from)
    .filter((name) => /^\d+\.safetensors$/.test(name))
    .map((name) => Number.parseInt(name, 10))
    .filter((each) => each <= version);
}

function copyFolder(from: string, to: string): void {
  if (!existsSync(from)) return;
  writing(to, () => mkdirSync(to, { recursive: true }));
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [path, copy] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyFolder(path, copy);
    else copyOwn(path, copy);
  }
}
