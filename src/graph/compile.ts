import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import * as Stream from "effect/Stream";
import type { EventBus } from "../events/bus.ts";
import { type Evaluator, openBatchEvaluator } from "../operators/batch-evaluator.ts";
import { fanOut } from "../operators/run/fan-out.ts";
import { openGamePlayers } from "../operators/play/game-players.ts";
import type { StageEnv } from "../operators/operator.ts";
import { gamesUnmeasured, inFlightFor, workerThreads } from "../operators/run/parallelism.ts";
import type { OpenExperiment } from "../operators/experiment/open-experiment.ts";
import type { RunError } from "../operators/run/run-error.ts";
import type { RunFiles } from "../operators/run/run-files.ts";
import { publishable } from "../operators/training/net-weights.ts";
import { startingPoint, type StartsRead } from "../operators/training/starting-point.ts";
import type { StopSignal } from "../operators/run/stop-signal.ts";
import { WeightsBoard } from "../operators/training/weights-board.ts";
import type { CheckedGraph, CheckedStage } from "./check-graph.ts";

type AnyStream = Stream.Stream<any, RunError>;

/** A compiled graph, its threads started, nothing flowing yet. */
export interface CompiledGraph {
  /** What computes nets, for people; empty where no net is computed. */
  readonly compute: string;
  /** Pulls all data through the graph; ends when every stage has ended, fails with the first failure. */
  readonly run: Effect.Effect<void, RunError>;
}

/** Builds the streams of a checked graph; threads and files end with the scope. */
export const compileGraph = (
  graph: CheckedGraph,
  run: {
    readonly files: RunFiles;
    readonly bus: EventBus;
    readonly stop: StopSignal;
    readonly starts: StartsRead;
  },
): Effect.Effect<CompiledGraph, RunError, Scope.Scope> =>
  Effect.gen(function* () {
    const { files, bus, stop, starts } = run;
    const evaluators = new Map(
      yield* Effect.forEach(playedNetworks(graph), (net) =>
        Effect.map(openBatchEvaluator(graph.opened.experiment, net), (opened) => [net, opened] as const),
      ),
    );
    const { opened, stages, underWay } = yield* fillInFlight(graph, [...evaluators.values()]);
    const players = yield* openGamePlayers({
      experiment: opened.experiment,
      workers: workerThreads(opened.experiment),
      evaluators,
      onRetry: (crash, games) =>
        bus.emit({
          type: "note",
          level: "warning",
          message: `${crash.message}; ${games} games are begun again`,
        }),
    });
    const board = new WeightsBoard((net, weights) => {
      if (weights.kind === "network") return evaluators.get(net)?.load(weights.tensors) ?? Effect.void;
      players.shareTables(net, weights.tables);
      return Effect.void;
    });
    const learned = new Set(stages.map(learnedNet));
    for (const net of opened.nets.keys())
      if (!learned.has(net)) {
        const start = yield* startingPoint({ opened, files, starts }, net);
        if (opened.experiment.nets[net]!.weights === undefined)
          bus.emit({
            type: "note",
            level: "warning",
            message: `net "${net}" has learned nothing: no stage learns it, and nets.${net}.weights names no checkpoint; it plays by what it begins with`,
          });
        yield* board.publish(net, 0, publishable(opened, net, start.tensors), true);
      }
    const env = (stage: string): StageEnv => ({
      stage,
      opened,
      emit: (event) => bus.emit(event),
      files,
      starts,
      stop,
      players,
      board,
    });
    const ends = yield* connect(stages, env);
    const crashes = [...evaluators.values()].map((evaluator) => evaluator.crashed);
    return {
      compute: [
        ...new Set([...evaluators.values()].map((evaluator) => evaluator.description)),
        ...underWay,
      ].join("; "),
      run: Effect.raceFirst(
        Effect.all(ends.map(Stream.runDrain), { concurrency: "unbounded", discard: true }),
        crashes.length === 0 ? Effect.never : Effect.raceAllFirst(crashes),
      ),
    };
  });

/**
 * Says how many games each stage that plays has under way, where its file does not: as many as fill batches of the size
 * at which the nets are computed well, which is measured. `underWay` tells people of it.
 */
const fillInFlight = (
  graph: CheckedGraph,
  evaluators: readonly Evaluator[],
): Effect.Effect<
  { opened: OpenExperiment; stages: readonly CheckedStage[]; underWay: readonly string[] },
  RunError
> =>
  Effect.gen(function* () {
    const { opened, stages } = graph;
    const { experiment } = opened;
    const open = stages.filter(
      ({ operator, config }) => "inFlight" in operator.settings && config["inFlight"] === undefined,
    );
    if (open.length === 0) return { opened, stages, underWay: [] };
    let games = evaluators.length === 0 ? gamesUnmeasured : 1;
    let batch = 0;
    for (const { measure, sessions } of evaluators) {
      const rows = yield* measure;
      batch = Math.max(batch, rows);
      games = Math.max(games, inFlightFor(experiment, sessions, rows));
    }
    const filled = new Map(open.map(({ name, config }) => [name, { ...config, inFlight: games }]));
    const configs = { ...experiment.graph, ...Object.fromEntries(filled) };
    return {
      opened: { ...opened, experiment: { ...experiment, graph: configs } },
      stages: stages.map((stage) => ({ ...stage, config: filled.get(stage.name) ?? stage.config })),
      underWay: batch === 0 ? [] : [`${games} games a worker thread, for batches of ${batch}`],
    };
  });

/** Builds every stage upon those it reads; returns the streams that no stage reads. */
const connect = (stages: readonly CheckedStage[], env: (stage: string) => StageEnv) =>
  Effect.gen(function* () {
    const copies = new Map<string, AnyStream[]>();
    const ends: AnyStream[] = [];
    for (const { name, operator, config, inputs } of stages) {
      const streams = Object.fromEntries(
        Object.entries(inputs).map(([port, from]) => [port, copies.get(from)!.pop()!]),
      );
      const stream = yield* operator.build(config, streams, env(name));
      const readers = stages
        .flatMap((stage) => Object.values(stage.inputs))
        .filter((from) => from === name).length;
      if (readers === 0) ends.push(stream);
      else copies.set(name, readers === 1 ? [stream] : [...(yield* fanOut(stream, readers))]);
    }
    return ends;
  });

/** The nets that agents are evaluated with and that are computed in batches. */
export function playedNetworks({ opened }: CheckedGraph): string[] {
  const played = new Set(Object.values(opened.experiment.agents).map((agent) => agent.net));
  return [...opened.nets]
    .filter(([name, net]) => net.kind === "network" && played.has(name))
    .map(([name]) => name);
}

function learnedNet({ operator, config }: CheckedStage): string | undefined {
  return operator.learns === undefined ? undefined : String(config[operator.learns]);
}
