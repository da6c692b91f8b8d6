import * as Effect from "effect/Effect";
import * as Stream from "effect/Stream";
import type { RunEvent } from "../../../events/event.ts";
import type { AnyOperator, StageEnv, StageView } from "../../operator.ts";
import type { OpenExperiment, StageConfig } from "../../experiment/open-experiment.ts";
import type { Items } from "../../run/items.ts";
import type { RunError } from "../../run/run-error.ts";
import type { RunFiles } from "../../run/run-files.ts";
import { StageActivity } from "../../run/stage-activity.ts";
import { StageClock } from "../../run/stage-clock.ts";
import { StopSignal } from "../../run/stop-signal.ts";
import type { PublishedWeights } from "../../run/weights/net-weights.ts";
import type { StartsRead } from "../../run/weights/net-weights.ts";
import { VersionStore } from "../../run/weights/version-store.ts";
import { WeightsBoard } from "../../run/weights/weights-board.ts";
import type { Done } from "./growth.ts";
import { MachineClock, type MachineTime } from "./machine-clock.ts";
import { randomCollection, randomOpenings, randomReplay, randomReport } from "./random-games.ts";

/** A stage that learns on threads of its own. */
export interface LearningStage {
  readonly name: string;
  readonly operator: AnyOperator;
  readonly config: StageConfig;
  readonly view: StageView;
}

/** What a measurement of learning found. */
export interface LearningCourse {
  /** Games or steps, in the order of time, in seconds of an idle machine; empty if nothing was done. */
  readonly course: readonly Done[];
  /** Mean number of plies of the last games, if it was reported. */
  readonly plies: number | undefined;
  /** The last weights that it published. */
  readonly weights: PublishedWeights | undefined;
  /** What the counting took; undefined if nothing was done. */
  readonly took: MachineTime | undefined;
}

/** A request to learn has about this many steps; none is begun that would take longer than the rest of the time. */
const STEPS_AT_ONCE = 8;

/**
 * Lets a stage learn for some seconds of an idle machine, from games of its own or from random games, and returns its progress over time. `files` is an
 * empty folder. The counting begins with the first game or step that is done.
 */
export const learningCourse = (
  { name, operator, config, view }: LearningStage,
  {
    opened,
    files,
    starts,
    seconds,
    demand,
  }: {
    readonly opened: OpenExperiment;
    readonly files: RunFiles;
    readonly starts: StartsRead;
    readonly seconds: number;
    /** Number of cores that it keeps busy. */
    readonly demand: number;
  },
): Effect.Effect<LearningCourse, RunError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const stop = new StopSignal();
      const course: Done[] = [];
      let first: { readonly clock: MachineClock; readonly units: number } | undefined;
      let plies: number | undefined;
      let weights: PublishedWeights | undefined;
      const count = (units: number) => {
        if (first === undefined) {
          if (units > 0) first = { clock: new MachineClock(demand), units };
          return;
        }
        const passed = first.clock.seconds();
        const done = units - first.units;
        if (done <= 0 || passed <= 0) return;
        course.push({ seconds: passed, units: done });
        const next = (STEPS_AT_ONCE * passed) / done;
        if (passed >= seconds || (done < STEPS_AT_ONCE && passed + next > seconds)) stop.request();
      };
      const emit = (event: RunEvent) => {
        if (event.type === "progress") count(event.done);
        if (event.type === "games") ({ plies } = event);
      };
      const env: StageEnv = {
        stage: name,
        opened,
        emit,
        files,
        starts,
        stop,
        activity: new StageActivity(),
        play: (game) => Effect.sync(() => randomReport(opened, game)),
        board: new WeightsBoard(
          {
            load: (_net, _version, published) => Effect.sync(() => void (weights = published)),
            drop: () => undefined,
          },
          new VersionStore(files.folder, opened),
        ),
        clock: new StageClock(name, { readers: 1, mostGames: 1 }),
        offered: view.offered,
        addFlowSource: () => undefined,
      };
      const inputs = Object.fromEntries(
        Object.entries(operator.inputs).flatMap(([port, { kind }]) => {
          const item = standIn(kind, port, view);
          return item === undefined ? [] : [[port, Stream.succeed(item)]];
        }),
      );
      const stream = yield* operator.build(operator.trial?.(config) ?? config, inputs, env);
      const end = yield* Effect.exit(Stream.runDrain(stream));
      // What is learned from random games may diverge; its speed has been measured by then.
      if (course.length === 0) yield* end;
      return { course, plies, weights, took: first?.clock.total() };
    }),
  );

/** An item in place of those that the stage behind a port gives; undefined if nothing is known of them. */
function standIn(kind: keyof Items, port: string, view: StageView): Items[keyof Items] | undefined {
  if (kind === "replay") {
    const games = view.offered(port, "replay")?.games;
    return games && randomReplay(view.opened, games);
  }
  if (kind === "collection") return randomCollection(view.opened.game, view.inputs[port] ?? port);
  if (kind === "openings") {
    const offer = view.offered(port, "openings");
    return offer && randomOpenings(view.opened.game, view.inputs[port]!, offer.plies);
  }
  return undefined;
}
