import * as Effect from "effect/Effect";
import * as Stream from "effect/Stream";
import type { SuiteShare } from "../../../events/event.ts";
import { ByteReader, ByteWriter } from "../../../formats/byte-stream.ts";
import { decodeGameAnalysis } from "../../../formats/game-analyses.ts";
import { decodeGameRecord } from "../../../formats/game-records.ts";
import { Random } from "../../../random.ts";
import { meanEstimate, proportionEstimate } from "../../../stats/intervals.ts";
import { drawnNumbers } from "../accuracy/accuracy-rounds.ts";
import { netNames } from "../../experiment/agent-net.ts";
import type { Round } from "../match/rounds.ts";
import type { StageEnv } from "../../operator.ts";
import { gameOf } from "../../experiment/open-experiment.ts";
import { usualAnalysis } from "../../play/analysed-search.ts";
import type { GameReport, PlannedGame } from "../../play/game-task.ts";
import type { MatchRound } from "../../run/items.ts";
import { gamesInFlight } from "../../run/parallelism.ts";
import { type RunError, RunFailed } from "../../run/run-error.ts";
import { readSuite, type SuitePosition } from "./suite-file.ts";
import type { SuiteSettings } from "./suite-settings.ts";

/**
 * Tests agents on the positions of a file, one round after another. An agent without a net decides the same in every round
 * and is tested in the first one only. A resumed run does not repeat decisions that are recorded.
 */
export class SuiteRounds {
  readonly #settings: SuiteSettings;
  readonly #env: StageEnv;
  readonly #positions: readonly SuitePosition[];
  /** What was decided, by round, agent and position: recorded by an earlier part of the run, or by this one. */
  readonly #known = new Map<string, Decided>();
  /** The nets of the agents. */
  readonly nets: readonly string[];

  /** Reads the positions, and what an earlier part of the run has recorded. Throws SuiteUnusable. */
  constructor(settings: SuiteSettings, env: StageEnv) {
    this.#settings = settings;
    this.#env = env;
    const { files, opened, stage } = env;
    const all = readSuite(opened.game, settings.file, settings);
    const random = Random.named(opened.experiment.seed, stage, "positions");
    const drawn = drawnNumbers(all.length, settings.positions ?? Infinity, random);
    this.#positions = Array.from(drawn, (number) => all[number]!);
    this.nets = settings.agents.flatMap((agent) => this.#netsOf(agent));
    for (const bytes of files.recordedMeasurements(stage)) {
      const reader = new ByteReader(bytes, stage);
      const key = keyOf(reader.varint(), reader.varint(), reader.varint());
      const right = reader.varint() === 1;
      this.#known.set(key, reader.ended ? { right } : { right, value: reader.float64() });
    }
  }

  /** Tests all agents with the weights of the round, emits and returns their shares of right moves. */
  round({ number: round, learned, unit, versionOf }: Round): Effect.Effect<MatchRound, RunError> {
    return Effect.gen({ self: this }, function* () {
      const { emit, stage } = this.#env;
      const { agents } = this.#settings;
      const shares: SuiteShare[] = [];
      const tested = agents.filter((agent) => round === 0 || this.#netsOf(agent).length > 0);
      for (const [index, agent] of agents.entries()) {
        const number = this.#netsOf(agent).length === 0 ? 0 : round;
        yield* this.#test(number, index, tested, versionOf);
        shares.push({
          agent,
          ...this.#share(number, index, () => true),
          ...this.#groups(number, index),
          ...this.#valueErrors(number, index),
        });
      }
      const uniform = this.#positions.reduce((sum, { legal, right }) => sum + right.length / legal, 0);
      emit({
        type: "suite",
        stage,
        learned,
        unit,
        positions: this.#positions.length,
        uniform: uniform / this.#positions.length,
        agents: shares,
      });
      return { learned, means: Object.fromEntries(shares.map(({ agent, share }) => [agent, share.value])) };
    });
  }

  /** What the agent with this number decided in a round in the positions of a kind. */
  #decided(round: number, index: number, isOf: (position: SuitePosition) => boolean): Decided[] {
    return this.#positions.flatMap((position, number) =>
      isOf(position) ? [this.#known.get(keyOf(round, index, number))!] : [],
    );
  }

  #share(round: number, index: number, isOf: (position: SuitePosition) => boolean) {
    const decided = this.#decided(round, index, isOf);
    const right = decided.filter((each) => each.right).length;
    return { right, share: proportionEstimate(right, decided.length) };
  }

  #groups(round: number, index: number): Pick<SuiteShare, "groups"> {
    if (this.#settings.by.length === 0) return {};
    const names = [...new Set(this.#positions.map(({ group }) => group!))].toSorted();
    return {
      groups: names.map((name) => {
        const isOf = ({ group }: SuitePosition) => group === name;
        return {
          group: name,
          positions: this.#positions.filter(isOf).length,
          ...this.#share(round, index, isOf),
        };
      }),
    };
  }

  #valueErrors(round: number, index: number): Pick<SuiteShare, "valueErrors"> {
    if (!this.#settings.values) return {};
    return {
      valueErrors: [1, 0, -1].flatMap((outcome) => {
        const errors = this.#decided(round, index, (position) => position.outcome === outcome).flatMap(
          ({ value }) => (value === undefined || Number.isNaN(value) ? [] : [(value - outcome) ** 2]),
        );
        return errors.length === 0 ? [] : [{ outcome, positions: errors.length, ...meanEstimate(errors) }];
      }),
    };
  }

  /** Has the agent with this number decide in all positions in a round, in which these agents are tested. */
  #test(
    round: number,
    index: number,
    tested: readonly string[],
    versionOf: Round["versionOf"],
  ): Effect.Effect<void, RunError> {
    const { emit, opened, play, stage } = this.#env;
    const { agents, inFlight, retries } = this.#settings;
    const agent = agents[index]!;
    const count = this.#positions.length;
    const open = Array.from(this.#positions.keys()).filter(
      (number) => !this.#known.has(keyOf(round, index, number)),
    );
    let done = count - open.length;
    return Stream.fromIterable(open).pipe(
      Stream.mapEffect(
        (number) =>
          Effect.map(play(this.#task(agent, number), retries, versionOf), (report) => ({ number, report })),
        { concurrency: gamesInFlight(opened, inFlight) },
      ),
      Stream.runForEach(({ number, report }) =>
        Effect.suspend(() => {
          if (report.failure !== undefined) {
            const reason = `"${agent}" could not decide in position ${number + 1}: ${report.failure.message}`;
            return Effect.fail(new RunFailed({ stage, reason }));
          }
          this.#keep([round, index, number], this.#decisionOf(agent, number, report));
          emit({
            type: "progress",
            stage,
            done: tested.indexOf(agent) * count + ++done,
            total: tested.length * count,
            unit: "positions",
            latest: agent,
          });
          return Effect.void;
        }),
      ),
    );
  }

  /** The game of one decision: all seats are the agent's, and it begins in the position. */
  #task(agent: string, number: number): PlannedGame {
    const { opened, stage } = this.#env;
    return {
      stage,
      name: [stage, agent, number],
      index: number,
      generation: 0,
      seats: Array.from({ length: opened.game.players }, () => agent),
      plies: 1,
      opening: { actions: [], start: this.#positions[number]!.position },
      ...(this.#settings.values ? { analyse: usualAnalysis } : {}),
    };
  }

  #decisionOf(agent: string, number: number, { analysis, record }: GameReport): Decided {
    const { opened, stage } = this.#env;
    const [action] = decodeGameRecord(record, stage).actions;
    const right = action !== undefined && this.#positions[number]!.right.includes(action);
    if (!this.#settings.values) return { right };
    const [decision] = analysis === undefined ? [] : decodeGameAnalysis(analysis, stage).decisions;
    if (decision === undefined) return { right, value: NaN };
    const { seat, values } = decision;
    const [least, most] = gameOf(opened, opened.experiment.agents[agent]!).returnBounds;
    // Of both seats, because a draw may be worth as much as a win (`values: win-loss`), to both of them.
    const ahead = (values[seat]! - values[1 - seat]!) / (most - least);
    return { right, value: Math.max(-1, Math.min(1, ahead)) };
  }

  #keep(place: readonly number[], decided: Decided): void {
    const out = new ByteWriter();
    for (const number of [...place, decided.right ? 1 : 0]) out.varint(number);
    if (decided.value !== undefined) out.float64(decided.value);
    this.#env.files.appendMeasurement(this.#env.stage, out.bytes());
    this.#known.set(place.join(" "), decided);
  }

  #netsOf(agent: string): readonly string[] {
    return netNames(this.#env.opened.experiment.agents[agent]!);
  }
}

/** A decision of an agent in a position. */
interface Decided {
  readonly right: boolean;
  /** Its value for the seat to move less that for the other seat, -1 to 1; NaN for an agent that has none; absent if values are not compared. */
  readonly value?: number;
}

function keyOf(round: number, agent: number, position: number): string {
  return [round, agent, position].join(" ");
}
