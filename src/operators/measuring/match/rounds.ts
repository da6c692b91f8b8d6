import * as Effect from "effect/Effect";
import * as Stream from "effect/Stream";
import { Type } from "../../../schema.ts";
import type { MatchRound, WeightsVersion } from "../../run/items.ts";
import type { StageEnv, StageView } from "../../operator.ts";
import type { RunError } from "../../run/run-error.ts";
import type { MeasuringRound } from "../../run/weights/rounds-under-way.ts";

/** The setting that says how often a stage measures. */
export const everySchema = (byDefault: number) =>
  Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    default: byDefault,
    description:
      "Number of trained versions of the weights from one round to the next. The last version is always measured; 0 measures only this one. Learning continues while a round is played, until the next round is due.",
  });

/** Number of rounds in a whole run, from the stage behind the port `after`. */
export function roundsOf(every: number, { inputs, offered }: StageView): number {
  const trainings = offered("after", "weights")?.trainings;
  if (inputs["after"] === undefined || every === 0 || trainings === undefined) return 1;
  return 1 + Math.ceil(trainings / every);
}

/** One round of measuring: its number, how much was learned before it, and the versions of the weights. */
export interface Round extends Omit<MeasuringRound, "stage"> {
  /** The version of each net that plays, for the whole round. */
  readonly versionOf: (net: string) => number;
}

/** A round that is due. Its version is held until `release` is called. */
interface DueRound extends Omit<MeasuringRound, "stage"> {
  /** True for the round with the last weights of the run. */
  readonly final: boolean;
  readonly release: () => void;
}

/**
 * Plays rounds of measuring. Learning continues while a round is played, and waits when the next one is due before it is
 * over. If no learner is followed, one round is played with final weights. Ends when the run is asked to stop.
 */
export function rounds(
  after: Stream.Stream<WeightsVersion, RunError> | undefined,
  every: number,
  {
    activity,
    board,
    clock,
    files,
    offered,
    stage,
    stop,
  }: Pick<StageEnv, "activity" | "board" | "clock" | "files" | "offered" | "stage" | "stop">,
  nets: readonly string[],
  play: (round: Round) => Effect.Effect<MatchRound, RunError>,
): Stream.Stream<MatchRound, RunError> {
  const followed = after === undefined ? undefined : offered("after", "weights")?.net;
  activity.waits(after === undefined ? "the last weights of all its nets" : weightsOf(every, 0));
  const hold = (round: MeasuringRound, final: boolean): Effect.Effect<DueRound, RunError> =>
    Effect.map(
      board.beginRound(followed!, round, () => files.sync()),
      (release) => ({ ...round, final, release }),
    );
  const measure = ({ release, final, ...round }: DueRound) =>
    Effect.gen(function* () {
      // The last round waits until the weights of all these nets are final, whichever learner is done first.
      yield* clock.waiting(nets, final ? board.settled(nets) : board.reached(nets, 0));
      const others = new Map(nets.map((net) => [net, board.version(net)]));
      const versionOf = (net: string) =>
        net === followed ? round.version : (others.get(net) ?? board.version(net));
      const result = yield* play({ ...round, versionOf });
      release();
      if (after !== undefined) activity.waits(weightsOf(every, every * round.number + 1));
      return result;
    });
  let begins = true;
  const due: Stream.Stream<DueRound, RunError> =
    after === undefined
      ? Stream.succeed({
          number: 0,
          version: 0,
          learned: 0,
          unit: "games",
          final: true,
          release: () => undefined,
        })
      : after.pipe(
          Stream.rechunk(1),
          Stream.flatMap(({ learned, state, trainings, unit, version }) => {
            const left = begins ? board.roundsLeft(followed!, stage, version) : [];
            begins = false;
            const isDue = state === "final" || (state === "whole" && trainings % every === 0);
            const number = every === 0 ? 0 : Math.ceil(trainings / every);
            const own = isDue ? [{ stage, number, version, learned, unit }] : [];
            return Stream.fromIterable([...left, ...own]).pipe(
              Stream.mapEffect((round) => hold(round, state === "final" && round.version === version)),
            );
          }),
          // One round is played, and the next one that is due waits: then the learner is not asked for further versions.
          Stream.rechunk(1),
          Stream.bufferArray({ capacity: 0 }),
        );
  return due.pipe(Stream.mapEffect(measure), Stream.interruptWhen(stop.wait));
}

/** The weights of the next round, in words. Versions of a buffer that is being filled are not trained, and do not count. */
function weightsOf(every: number, from: number): string {
  if (every === 0) return "the last weights";
  const next = Math.ceil(from / every) * every;
  return next === 0 ? "the first weights" : `trained version ${next} of the weights, or the last`;
}
