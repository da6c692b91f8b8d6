import * as Effect from "effect/Effect";
import * as Stream from "effect/Stream";
import type { OpenExperiment } from "../../experiment/open-experiment.ts";
import { netNames } from "../../experiment/agent-net.ts";
import { withVersions } from "../../play/game-task.ts";
import type { OpenPlayHost } from "../../play/play-host.ts";
import { MachineClock, type MachineTime } from "./machine-clock.ts";
import { gamesInFlight, workerThreads } from "../../run/parallelism.ts";
import type { RunError } from "../../run/run-error.ts";
import { StageActivity } from "../../run/stage-activity.ts";
import type { PublishedWeights } from "../../run/weights/net-weights.ts";
import { searchEffort } from "./search-effort.ts";

/** How an agent's play is measured. */
export interface PlayMeasuring {
  /** The experiment, in which every stage says how many games it has under way. */
  readonly opened: OpenExperiment;
  readonly openHost: OpenPlayHost;
  /** The weights that a net plays with. */
  readonly weights: (net: string) => PublishedWeights;
  /** Decisions of a game: the games begin at random positions throughout a game. */
  readonly decisions: number;
  /** Games under way per worker thread. */
  readonly inFlight: number;
  /** Seconds of an idle machine that are counted, after the first move or evaluation. */
  readonly seconds: number;
}

/** How fast an agent decides. */
export interface DecisionSpeed {
  /** Seconds of an idle machine that a decision takes. */
  readonly seconds: number;
  /** Positions that nets evaluated in a second of an idle machine. */
  readonly evaluations: number;
  /** Whether this is a lower bound: not one decision was made in the time. */
  readonly least: boolean;
  /** What the counting took. */
  readonly took: MachineTime;
}

/** The interval between two looks at the counters, in milliseconds. */
const LOOK_MS = 20;
/** Seconds from which a decision counts as slow, and the number of decisions in games of slow players. */
const SLOW = 0.005;
const SHORT = 2;
/** A decision that takes longer than this many times the time that is counted is not waited for. */
const PATIENCE = 3;
/** The longest wait on the wall clock, in the same unit: on a busy machine. */
const MOST_WALL = 6;

/**
 * Measures how many seconds a decision of an agent takes on an idle machine, when all threads play its games at once.
 *
 * If decisions are slow and a net is evaluated, the evaluations are counted in place of decisions: many games advance
 * side by side, and their first decisions end all at once.
 */
export const decisionSeconds = (
  agent: string,
  { opened, openHost, weights, decisions, inFlight, seconds }: PlayMeasuring,
): Effect.Effect<DecisionSpeed, RunError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { experiment } = opened;
      // Nets of other agents are not opened.
      const alone = {
        ...opened,
        experiment: { ...experiment, agents: { [agent]: experiment.agents[agent]! } },
      };
      const activity = new StageActivity();
      const host = yield* openHost(alone, {
        warn: () => undefined,
        weightsOf: (needed) => Effect.sync(() => weights(needed)),
      });
      yield* host.start(alone.experiment, { [agent]: activity.counts });
      const nets = netNames(experiment.agents[agent]!);
      for (const net of new Set(nets)) yield* host.load(net, 0, weights(net));
      const seats = Array.from({ length: opened.game.players }, () => agent);
      const concurrency = gamesInFlight(opened, inFlight);
      const effort = searchEffort(opened, agent);
      // Short games of slow players, so that the time is spent in all parts of a game. In games with chance their plies are
      // not known beforehand.
      const short = effort.seconds > SLOW && opened.game.chance === undefined;
      const games = Stream.range(0, Number.MAX_SAFE_INTEGER).pipe(
        Stream.mapEffect(
          (index) => {
            const plies = Math.floor((0.9 * decisions * ((7 * index) % 16)) / 16);
            const task = withVersions(
              opened,
              {
                stage: agent,
                name: ["cost", agent, index],
                index,
                generation: 0,
                seats,
                ...(short ? { plies: plies + SHORT } : {}),
                ...(plies === 0 ? {} : { opening: { plies, name: ["cost", index, "opening"] } }),
              },
              () => 0,
            );
            return host.play(task, 0);
          },
          { concurrency, unordered: true },
        ),
        Stream.runDrain,
      );
      const counting = Effect.gen(function* () {
        const demand = workerThreads(experiment) + new Set(nets).size;
        const opening = new MachineClock(demand);
        const opened = performance.now();
        const wall = () => (performance.now() - opened) / 1000;
        const late = () => opening.seconds() > PATIENCE * seconds || wall() > MOST_WALL * seconds;
        let first = activity.read();
        while (first.decisions + first.evaluations === 0 && !late()) {
          yield* Effect.sleep(LOOK_MS);
          first = activity.read();
        }
        const clock = new MachineClock(demand);
        const passed = () => clock.seconds();
        const count = { decisions: 0, evaluations: 0 };
        const look = () => {
          const since = activity.read();
          count.decisions += since.decisions;
          count.evaluations += since.evaluations;
        };
        while (
          (passed() < seconds && wall() < MOST_WALL * seconds) ||
          (count.decisions + count.evaluations === 0 && !late())
        ) {
          yield* Effect.sleep(LOOK_MS);
          look();
        }
        return { ...count, took: clock.total(), opening: opening.total() };
      });
      const counted = yield* Effect.raceFirst(counting, Effect.andThen(games, Effect.never));
      const { decisions: made, evaluations: evaluated, opening, took } = counted;
      // The threads have worked on their first decisions all the time.
      if (made + evaluated === 0)
        return {
          seconds: opening.idle / workerThreads(experiment),
          evaluations: 0,
          least: true,
          took: opening,
        };
      const enough = PATIENCE * (evaluated > 0 ? concurrency : workerThreads(experiment));
      const each = made >= enough || evaluated === 0 ? 1 / made : effort.evaluations / evaluated;
      return { seconds: took.idle * each, evaluations: evaluated / took.idle, least: false, took };
    }),
  );
