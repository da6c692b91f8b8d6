import * as Effect from "effect/Effect";
import * as Stream from "effect/Stream";
import type { SuiteShare } from "../../events/event.ts";
import { ByteReader, ByteWriter } from "../../formats/byte-stream.ts";
import { decodeGameRecord } from "../../formats/game-records.ts";
import { Random } from "../../random.ts";
import { proportionEstimate } from "../../stats/intervals.ts";
import { drawnNumbers } from "../accuracy/accuracy-rounds.ts";
import { netNames } from "../experiment/agent-net.ts";
import type { Round } from "../match/rounds.ts";
import type { StageEnv } from "../operator.ts";
import type { GameReport, PlannedGame } from "../play/game-task.ts";
import type { MatchRound } from "../run/items.ts";
import { gamesInFlight } from "../run/parallelism.ts";
import { type RunError, RunFailed } from "../run/run-error.ts";
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
  /** Whether a decision was right, by round, agent and position: recorded by an earlier part of the run, or by this one. */
  readonly #known = new Map<string, boolean>();
  /** The nets of the agents. */
  readonly nets: readonly string[];

  /** Reads the positions, and what an earlier part of the run has recorded. Throws SuiteUnusable. */
  constructor(settings: SuiteSettings, env: StageEnv) {
    this.#settings = settings;
    this.#env = env;
    const { files, opened, stage } = env;
    const all = readSuite(opened.game, settings.file);
    const random = Random.named(opened.experiment.seed, stage, "positions");
    const drawn = drawnNumbers(all.length, settings.positions ?? Infinity, random);
    this.#positions = Array.from(drawn, (number) => all[number]!);
    this.nets = settings.agents.flatMap((agent) => this.#netsOf(agent));
    for (const bytes of files.recordedMeasurements(stage)) {
      const reader = new ByteReader(bytes, stage);
      const key = keyOf(reader.varint(), reader.varint(), reader.varint());
      this.#known.set(key, reader.varint() === 1);
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
        const right = yield* this.#test(number, index, tested, versionOf);
        shares.push({ agent, right, share: proportionEstimate(right, this.#positions.length) });
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

  /** How many of the positions the agent with this number decides rightly in a round, in which these agents are tested. */
  #test(
    round: number,
    index: number,
    tested: readonly string[],
    versionOf: Round["versionOf"],
  ): Effect.Effect<number, RunError> {
    const { emit, opened, play, stage } = this.#env;
    const { agents, inFlight, retries } = this.#settings;
    const agent = agents[index]!;
    const count = this.#positions.length;
    const right = (number: number) => this.#known.get(keyOf(round, index, number));
    const open = Array.from(this.#positions.keys()).filter((number) => right(number) === undefined);
    let done = count - open.length;
    const sum = () => Array.from(this.#positions.keys()).filter((number) => right(number) === true).length;
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
          this.#keep(round, index, number, this.#isRight(number, report));
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
      Effect.map(sum),
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
    };
  }

  #isRight(number: number, { record }: GameReport): boolean {
    const { actions } = decodeGameRecord(record, this.#env.stage);
    return actions.length > 0 && this.#positions[number]!.right.includes(actions[0]!);
  }

  #keep(round: number, index: number, number: number, right: boolean): void {
    const out = new ByteWriter();
    for (const value of [round, index, number, right ? 1 : 0]) out.varint(value);
    this.#env.files.appendMeasurement(this.#env.stage, out.bytes());
    this.#known.set(keyOf(round, index, number), right);
  }

  #netsOf(agent: string): readonly string[] {
    return netNames(this.#env.opened.experiment.agents[agent]!);
  }
}

function keyOf(round: number, agent: number, position: number): string {
  return `${round} ${agent} ${position}`;
}
