import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import * as Stream from "effect/Stream";
import { diagnosesAfter } from "../diagnosis/run-diagnoses.ts";
import type { EventBus } from "../events/bus.ts";
import type { RunEvent } from "../events/event.ts";
import type { OpenExperiment } from "../operators/experiment/open-experiment.ts";
import type { StageEnv } from "../operators/operator.ts";
import { playHolding } from "../operators/play/play-holding.ts";
import type { OpenPlayHost, PlayHost } from "../operators/play/play-host.ts";
import { busyStages } from "../operators/run/busy-stages.ts";
import { fanOut, readByAll, type Reader } from "../operators/run/fan-out.ts";
import { FlowMeter } from "../operators/run/flow-meter.ts";
import { emitPace } from "../operators/run/pace.ts";
import { gamesInFlight } from "../operators/run/parallelism.ts";
import type { RunError } from "../operators/run/run-error.ts";
import type { RunFiles } from "../operators/run/run-files.ts";
import { StageActivity } from "../operators/run/stage-activity.ts";
import type { StageClock } from "../operators/run/stage-clock.ts";
import type { StopSignal } from "../operators/run/stop-signal.ts";
import { publishable } from "../operators/run/weights/net-weights.ts";
import { startingPoint } from "../operators/learning/training/starting-point.ts";
import type { StartsRead } from "../operators/run/weights/net-weights.ts";
import { VersionStore } from "../operators/run/weights/version-store.ts";
import { WeightsBoard } from "../operators/run/weights/weights-board.ts";
import type { CheckedGraph, CheckedStage } from "./check-graph.ts";
import type { ProgressTracker } from "./cost/progress-tracker.ts";
import { learnedNet } from "./learned-net.ts";
import { stageView } from "./stage-view.ts";
import { watchedStages } from "./watched-stages.ts";

type AnyStream = Stream.Stream<any, RunError>;

/** A compiled graph: its play host is started, and its stages are not yet built. */
export interface CompiledGraph {
  /** The engine that computes nets, as text; empty if no net is computed. */
  readonly compute: string;
  /**
   * Builds the stages, and pulls all data through the graph; ends when every stage has ended, fails with the first failure.
   * Stages emit events only from here on.
   */
  readonly run: Effect.Effect<void, RunError, Scope.Scope>;
}

/** The surroundings of a compiled graph. */
export interface RunParts {
  readonly files: RunFiles;
  readonly bus: EventBus;
  readonly stop: StopSignal;
  readonly starts: StartsRead;
  /** Opens the play host. */
  readonly openHost: OpenPlayHost;
  /** Knows how far the run is. */
  readonly tracker: ProgressTracker;
}

/** Opens the play host of a checked graph; threads and files end with the scope. */
export const compileGraph = (
  graph: CheckedGraph,
  { files, bus, stop, starts, openHost, tracker }: RunParts,
): Effect.Effect<CompiledGraph, RunError, Scope.Scope> =>
  Effect.gen(function* () {
    const warn = (message: string) => bus.emit({ type: "note", level: "warning", message });
    const host = yield* openHost(graph.opened, {
      warn,
      weightsOf: (net, version) => board.weightsOf(net, version),
    });
    const { opened: filled, stages, reason } = yield* fillInFlight(graph, host);
    const opened = host.elsewhere === undefined ? filled : { ...filled, elsewhere: host.elsewhere };
    const activities = new Map(stages.map(({ name }) => [name, new StageActivity()]));
    const counts = Object.fromEntries([...activities].map(([name, activity]) => [name, activity.counts]));
    yield* host.start(opened.experiment, counts);
    const board = new WeightsBoard(host, new VersionStore(files.folder, opened));
    const play = playHolding(opened, board, host, yield* Effect.scope);
    const learned = new Set(stages.map(learnedNet));
    /** What is emitted when the stages begin. */
    const early: RunEvent[] = [];
    for (const net of opened.nets.keys())
      if (!learned.has(net)) {
        const start = yield* startingPoint(
          { opened, files, starts, stage: net, emit: (event) => early.push(event) },
          net,
        );
        const open = opened.nets.get(net)!;
        const isModel = open.kind === "network" && open.net.model !== undefined;
        if (opened.experiment.nets[net]!.weights === undefined && !isModel)
          warn(
            `net "${net}" has learned nothing: no stage learns it, and nets.${net}.weights names no checkpoint; it plays by what it begins with`,
          );
        yield* board.publish(net, 0, publishable(opened, net, start.tensors), "final");
      }
    let mistaken = false;
    // A mistake in an estimate must not end a run.
    const emitProgress = () => {
      if (mistaken) return;
      try {
        const progress = tracker.next(bus.state);
        if (progress !== undefined) bus.emit(progress);
      } catch (error) {
        mistaken = true;
        warn(`the progress of the whole run is not shown from here on: ${(error as Error).message}`);
      }
    };
    const meter = new FlowMeter();
    meter.add(host.flow);
    const clockOf = ({ name, config }: CheckedStage, readers: number) =>
      meter.clock(name, {
        readers,
        mostGames: gamesInFlight(opened, (config["inFlight"] as number | undefined) ?? 1),
      });
    const watched = watchedStages(graph);
    const emitWatched = (stage: string, event: RunEvent) => {
      bus.emit(event);
      for (const found of diagnosesAfter(event, bus.state, watched.get(stage)!)) bus.emit(found);
    };
    const env = (stage: string, clock: StageClock): StageEnv => {
      const activity = activities.get(stage)!;
      return {
        stage,
        opened,
        offered: stageView(opened, stage).offered,
        emit: (event) => emitWatched(stage, event),
        files,
        starts,
        stop,
        activity,
        clock,
        addFlowSource: (source) => meter.add(source),
        play: (...game) => clock.playing(activity.during(play(...game))),
        board,
      };
    };
    return {
      compute: [host.compute, reason].filter((part) => part !== undefined && part !== "").join("; "),
      run: Effect.gen(function* () {
        for (const event of early) bus.emit(event);
        const clocks = new Map<string, StageClock>();
        const ends = yield* connect(stages, clockOf, (name, clock) => {
          clocks.set(name, clock);
          return env(name, clock);
        });
        const links = stages.map((stage) => ({
          name: stage.name,
          inputs: Object.values(stage.inputs),
          learns: learnedNet(stage),
        }));
        yield* emitPace(activities, (event) => bus.emit(event), {
          busy: (stage) =>
            busyStages(stage, links, (name) => ({
              clock: clocks.get(name)!,
              activity: activities.get(name)!,
            })),
          games: (stage) => clocks.get(stage)!.games,
        });
        yield* everySecond(
          () => {
            for (const flow of meter.take()) bus.emit(flow);
            emitProgress();
          },
          Effect.raceFirst(
            Effect.all(ends.map(Stream.runDrain), { concurrency: "unbounded", discard: true }),
            host.lost,
          ),
        );
      }),
    };
  });

/**
 * Chooses the number of concurrent games of each stage that plays, if its file does not: as many as keep the play host
 * busy, which is measured. `reason` is the explanation for the user.
 */
export const fillInFlight = (
  graph: CheckedGraph,
  host: PlayHost,
): Effect.Effect<
  { opened: OpenExperiment; stages: readonly CheckedStage[]; reason?: string | undefined },
  RunError
> =>
  Effect.gen(function* () {
    const { opened, stages } = graph;
    const { experiment } = opened;
    const open = stages.filter(
      ({ operator, config }) => "inFlight" in operator.settings && config["inFlight"] === undefined,
    );
    if (open.length === 0) return { opened, stages };
    const { perWorker, reason } = yield* host.measure;
    const filled = new Map(open.map(({ name, config }) => [name, { ...config, inFlight: perWorker }]));
    const configs = { ...experiment.graph, ...Object.fromEntries(filled) };
    return {
      opened: { ...opened, experiment: { ...experiment, graph: configs } },
      stages: stages.map((stage) => ({ ...stage, config: filled.get(stage.name) ?? stage.config })),
      reason,
    };
  });

/** Calls `emit` each second while an effect runs, and once at its end. */
const everySecond = <A, E>(emit: () => void, effect: Effect.Effect<A, E>): Effect.Effect<A, E> => {
  return Effect.acquireUseRelease(
    Effect.sync(() => setInterval(emit, 1000)),
    () => effect,
    (interval) =>
      Effect.sync(() => {
        clearInterval(interval);
        emit();
      }),
  );
};

/** Builds every stage on the stages that it reads, with its streams metered; returns the streams that no stage reads. */
const connect = (
  stages: readonly CheckedStage[],
  clockOf: (stage: CheckedStage, readers: number) => StageClock,
  env: (stage: string, clock: StageClock) => StageEnv,
) =>
  Effect.gen(function* () {
    const copies = new Map<string, Reader<any, RunError>[]>();
    const ends: AnyStream[] = [];
    for (const stage of stages) {
      const { name, operator, config, inputs } = stage;
      const readers = stages
        .flatMap((other) => Object.values(other.inputs))
        .filter((from) => from === name).length;
      const clock = clockOf(stage, readers);
      const read = Object.entries(inputs).map(
        ([port, from]) => [port, from, copies.get(from)!.pop()!] as const,
      );
      const streams = Object.fromEntries(
        read.map(([port, from, { stream }]) => [port, clock.input(from, stream)]),
      );
      // A stage can end before it has read anything; other readers of its inputs must not wait for it.
      const leave = Effect.all(
        read.map(([, , reader]) => reader.leave),
        { discard: true },
      );
      const around = env(name, clock);
      const built = yield* operator.build(config, streams, around);
      const end = Effect.andThen(
        Effect.sync(() => around.activity.end()),
        leave,
      );
      const stream = clock.output(built.pipe(Stream.ensuring(end)));
      if (readers === 0) ends.push(stream);
      else if (readers === 1) copies.set(name, [{ stream, leave }]);
      else if (operator.output === "collection") copies.set(name, yield* readByAll(stream, readers));
      else copies.set(name, yield* fanOut(stream, readers, leave));
    }
    return ends;
  });
