import * as Effect from "effect/Effect";
import * as Stream from "effect/Stream";
import type { MeasuredErrors } from "../../../events/event.ts";
import { ByteReader, ByteWriter } from "../../../formats/byte-stream.ts";
import { startOfGame } from "../../../games/position-text.ts";
import { netNames } from "../../experiment/agent-net.ts";
import { PositionValues } from "../../play/evaluation/position-values.ts";
import type { StageEnv } from "../../operator.ts";
import type { PlannedGame } from "../../play/game-task.ts";
import type { MatchRound } from "../../run/items.ts";
import { gamesInFlight } from "../../run/parallelism.ts";
import { type RunError, RunFailed } from "../../run/run-error.ts";
import { errorsOf } from "./error-tally.ts";
import { resultsOf, type TestedPosition } from "./tested-positions.ts";
import type { ValueErrorSettings } from "./value-error-settings.ts";

/** Positions of one part: those that nets learned from, or others. */
export interface TestedPart {
  readonly part: MeasuredErrors["part"];
  readonly positions: readonly TestedPosition[];
}

/** Rollouts by one agent. */
type Rollouts = ValueErrorSettings["rollouts"][number];

/**
 * Measures the error of values on positions whose results are known: of nets on all parts, of rollouts on the last one. A
 * resumed run does not repeat the rollouts of positions that are done.
 */
export class ValueErrorMeasure {
  readonly #settings: ValueErrorSettings;
  readonly #env: StageEnv;
  /** The values by rollouts that an earlier part of the run has found, in order. */
  readonly #known: readonly number[];

  constructor(settings: ValueErrorSettings, env: StageEnv) {
    this.#settings = settings;
    this.#env = env;
    this.#known = env.files
      .recordedMeasurements(env.stage)
      .map((bytes) => new ByteReader(bytes, env.stage).float64());
  }

  /** The nets that are measured, and those of the agents. */
  get nets(): readonly string[] {
    const { agents } = this.#env.opened.experiment;
    return [
      ...this.#settings.nets,
      ...this.#settings.rollouts.flatMap(({ agent }) => netNames(agents[agent]!)),
    ];
  }

  /** Measures, emits the errors and returns those of the last part by name. */
  measure(parts: readonly TestedPart[]): Effect.Effect<MatchRound, RunError> {
    return Effect.gen({ self: this }, function* () {
      const { activity, emit, stage } = this.#env;
      activity.waits("");
      const { nets, rollouts, values, width } = this.#settings;
      for (const { part, positions } of parts)
        if (positions.length === 0)
          yield* Effect.fail(new RunFailed({ stage, reason: `there are no ${part} positions to measure` }));
      const measures: MeasuredErrors[] = [];
      for (const net of nets) {
        const valued = yield* this.#byNet(net, parts);
        for (const [i, { part, positions }] of parts.entries())
          measures.push({ of: net, part, ...errorsOf(positions, valued[i]!, width) });
      }
      const { part, positions } = parts.at(-1)!;
      for (const [number, { agent, count }] of rollouts.entries()) {
        const valued = yield* this.#byRollouts(positions, number);
        measures.push({ of: agent, rollouts: count, part, ...errorsOf(positions, valued, width) });
      }
      emit({ type: "value-errors", stage, values, width, measures });
      const last = measures.filter((measure) => measure.part === part);
      return { learned: 0, means: Object.fromEntries(last.map(({ of, error }) => [of, error.value])) };
    });
  }

  /** The values of the positions of each part by a net, for the seats that decide. */
  #byNet(net: string, parts: readonly TestedPart[]): Effect.Effect<number[][], RunError> {
    const { activity, board, opened } = this.#env;
    const { game } = opened;
    return Effect.flatMap(board.weightsOf(net, board.version(net)), (weights) =>
      activity.during(
        Effect.promise(async () => {
          if (weights.kind !== "network") throw new Error(`"${net}" is on tables`);
          const open = await PositionValues.open(opened, net, weights.tensors);
          const valued: number[][] = [];
          for (const { positions } of parts) {
            const bySeat = await open.of(this.#states(positions));
            valued.push(positions.map(({ seat }, i) => bySeat[i * game.players + seat]!));
          }
          await open.dispose();
          return valued;
        }),
      ),
    );
  }

  /** The mean results of rollouts from positions, by the agent with this number. */
  #byRollouts(positions: readonly TestedPosition[], number: number): Effect.Effect<number[], RunError> {
    const { files, emit, opened, play, stage } = this.#env;
    const { inFlight, retries, values } = this.#settings;
    const rollouts = this.#settings.rollouts[number]!;
    const { count } = rollouts;
    const first = number * positions.length;
    const means = this.#known.slice(first, first + positions.length);
    const emitProgress = () =>
      emit({
        type: "progress",
        stage,
        done: count * means.length,
        total: count * positions.length,
        unit: "games",
        latest: rollouts.agent,
      });
    emitProgress();
    if (means.length === positions.length) return Effect.succeed(means);
    let [sum, done] = [0, 0];
    return Stream.range(count * means.length, count * positions.length - 1).pipe(
      Stream.mapEffect(
        (index) => play(rolloutGame(rollouts, opened.game.players, stage, positions, index), retries),
        { concurrency: gamesInFlight(opened, inFlight) },
      ),
      Stream.runForEach(({ failure, returns }) =>
        Effect.suspend(() => {
          if (failure !== undefined) {
            const reason = `"${rollouts.agent}" could not continue in a rollout: ${failure.message}`;
            return Effect.fail(new RunFailed({ stage, reason }));
          }
          const position = positions[means.length]!;
          sum += resultsOf(opened.game, values, returns)(this.#stateAt(position), position.seat);
          if (++done < count) return Effect.void;
          const out = new ByteWriter();
          out.float64(sum / count);
          files.appendMeasurement(stage, out.bytes());
          means.push(sum / count);
          [sum, done] = [0, 0];
          emitProgress();
          return Effect.void;
        }),
      ),
      Effect.as(means),
    );
  }

  *#states(positions: readonly TestedPosition[]): Generator {
    for (const position of positions) yield this.#stateAt(position);
  }

  #stateAt({ actions, start }: TestedPosition): unknown {
    const { game } = this.#env.opened;
    const state = startOfGame(game, start);
    for (const action of actions) game.play(state, action);
    return state;
  }
}

/** Rollout `index` of the positions, `count` of each: a game that begins with the moves to its position. */
function rolloutGame(
  { agent, count }: Rollouts,
  players: number,
  stage: string,
  positions: readonly TestedPosition[],
  index: number,
): PlannedGame {
  const position = Math.floor(index / count);
  const { actions, start } = positions[position]!;
  return {
    stage,
    name: [stage, agent, position, index % count],
    index,
    generation: 0,
    seats: Array.from({ length: players }, () => agent),
    opening: { actions: [...actions], ...(start === undefined ? {} : { start }) },
  };
}
