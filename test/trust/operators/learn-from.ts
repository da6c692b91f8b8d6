import { Effect, Stream } from "effect";
import type { PolicyAccuracy, RunEvent } from "../../../src/events/event.ts";
import { readExperiment } from "../../../src/graph/experiment-file.ts";
import { openExperiment, type OpenExperiment } from "../../../src/operators/experiment/open-experiment.ts";
import type { AnyOperator, StageEnv } from "../../../src/operators/operator.ts";
import { operatorOf } from "../../../src/operators/registry.ts";
import type { GameCollection, Tensors, WeightsVersion } from "../../../src/operators/run/items.ts";
import { RunFiles } from "../../../src/operators/run/run-files.ts";
import { StageActivity } from "../../../src/operators/run/stage-activity.ts";
import { StageClock } from "../../../src/operators/run/stage-clock.ts";
import { StopSignal } from "../../../src/operators/run/stop-signal.ts";
import { part } from "../../../src/operators/run/weights/named-tensors.ts";
import { publishable, type StartingPoint } from "../../../src/operators/run/weights/net-weights.ts";
import { VersionStore } from "../../../src/operators/run/weights/version-store.ts";
import { WeightsBoard } from "../../../src/operators/run/weights/weights-board.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { writeExperiment } from "../../graph/tiny-run.ts";

/** What a stage that learns from a collection gave. */
export interface Learned {
  readonly versions: readonly { readonly version: WeightsVersion; readonly tensors: Tensors }[];
  readonly events: readonly RunEvent[];
}

/** Opens the experiment of a text; its stages may read stages that it does not have. */
export function experimentOf(text: string) {
  return openExperiment(readExperiment(writeExperiment(scratchFolder(), text)).experiment);
}

/** The surroundings of a stage that runs by itself. */
function alone(
  stage: string,
  opened: OpenExperiment,
  starts: StageEnv["starts"],
  emit: (event: RunEvent, stop: StopSignal) => void,
): StageEnv {
  const folder = scratchFolder();
  const stop = new StopSignal();
  return {
    stage,
    opened,
    offered: () => undefined,
    emit: (event) => emit(event, stop),
    files: new RunFiles(folder),
    starts,
    stop,
    activity: new StageActivity(),
    play: () => Effect.die("it plays no games"),
    board: new WeightsBoard(
      { load: () => Effect.void, drop: () => undefined },
      new VersionStore(folder, opened),
    ),
    clock: new StageClock(stage, { readers: 1, mostGames: 1 }),
    addFlowSource: () => undefined,
  };
}

/** Measures the policies of the stage `accuracy` of an experiment on a collection, with these weights of the nets. */
export function measure(
  text: string,
  collection: GameCollection,
  weights: Readonly<Record<string, Tensors>>,
): Promise<PolicyAccuracy> {
  const opened = experimentOf(text);
  const events: RunEvent[] = [];
  const env = alone("accuracy", opened, new Map(), (event) => void events.push(event));
  const config = opened.experiment.graph["accuracy"]!;
  const operator = operatorOf(config) as AnyOperator;
  return Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        for (const [net, tensors] of Object.entries(weights))
          yield* env.board.publish(net, 0, publishable(opened, net, tensors), "final");
        yield* Stream.runDrain(yield* operator.build(config, { from: Stream.succeed(collection) }, env));
        return events.find((event): event is PolicyAccuracy => event.type === "accuracy")!;
      }),
    ),
  );
}

/**
 * Lets the stage `policy` of an experiment learn from a collection, by itself. `stopAt`: it is asked to stop when so many
 * steps are done. `from`: what an earlier part of the run left.
 */
export function learnFrom(
  text: string,
  collection: GameCollection,
  { from, stopAt = Infinity }: { readonly from?: StartingPoint; readonly stopAt?: number } = {},
): Promise<Learned> {
  const opened = experimentOf(text);
  const config = opened.experiment.graph["policy"]!;
  const events: RunEvent[] = [];
  const starts = new Map(from === undefined ? [] : [[String(config["net"]), from]]);
  const env = alone("policy", opened, starts, (event, stop) => {
    events.push(event);
    if (event.type === "training" && event.step >= stopAt) stop.request();
  });
  const operator = operatorOf(config) as AnyOperator;
  return Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const stream = yield* operator.build(config, { from: Stream.succeed(collection) }, env);
        const versions = yield* Stream.runCollect(
          Stream.mapEffect(stream as Stream.Stream<WeightsVersion>, (version) =>
            Effect.map(version.snapshot, (tensors) => ({ version, tensors: copied(tensors) })),
          ),
        );
        return { versions, events };
      }),
    ),
  );
}

function copied(tensors: Tensors): Tensors {
  return new Map([...tensors].map(([name, { shape, data }]) => [name, { shape, data: data.slice() }]));
}

/** The last weights of a stage by name, as plain numbers. */
export function lastWeights({ versions }: Learned): Map<string, number[]> {
  return new Map([...part(versions.at(-1)!.tensors, "weights/")].map(([name, data]) => [name, [...data]]));
}
