import { moduleBeside } from "../../../module-beside.ts";
import * as Effect from "effect/Effect";
import type { PolicyScore } from "../../../events/event.ts";
import { Random } from "../../../random.ts";
import { Requests } from "../../../workers/requests.ts";
import { END } from "../../../workers/serve.ts";
import { spawnWorker } from "../../../workers/spawn-worker.ts";
import { CollectedPositions } from "../../learning/collection/collected-positions.ts";
import type { Round } from "../match/rounds.ts";
import type { StageEnv } from "../../operator.ts";
import { BusyThreads } from "../../run/busy-threads.ts";
import type { GameCollection, MatchRound } from "../../run/items.ts";
import { type RunError, RunFailed } from "../../run/run-error.ts";
import type { NetVersion } from "../../run/weights/weights-board.ts";
import type { AccuracySettings } from "./accuracy-settings.ts";
import { scoreOfPolicy } from "./accuracy-tally.ts";
import type { AccuracyData, FromAccuracy, ToAccuracy } from "./accuracy-worker.ts";
import { joined, type JudgedMoves } from "./judged-moves.ts";

/** Positions of a request: an interruption waits for its end. */
const POSITIONS_AT_ONCE = 2048;

/** Measures policies on positions of a collection, one round after another. */
export class AccuracyRounds {
  readonly #settings: AccuracySettings;
  readonly #collection: GameCollection;
  readonly #env: StageEnv;
  readonly #requests: Requests<ToAccuracy, FromAccuracy>;
  readonly #thread: BusyThreads;
  /** In increasing order. */
  readonly #positions: Uint32Array;

  private constructor(
    settings: AccuracySettings,
    collection: GameCollection,
    env: StageEnv,
    requests: Requests<ToAccuracy, FromAccuracy>,
    positions: Uint32Array,
  ) {
    this.#settings = settings;
    this.#collection = collection;
    this.#env = env;
    this.#requests = requests;
    this.#positions = positions;
    this.#thread = new BusyThreads(env.stage, 1);
    env.addFlowSource((seconds) => this.#thread.flow(seconds));
  }

  /** Opens the thread that judges moves; it ends with the scope. Fails if the part has no decisions. */
  static readonly open = (settings: AccuracySettings, collection: GameCollection, env: StageEnv) =>
    Effect.gen(function* () {
      const { opened, stage } = env;
      const { part } = settings;
      const positions = new CollectedPositions(opened.game, collection, part);
      if (!positions.hasDecisions)
        return yield* new RunFailed({
          stage,
          reason: `${collection.source} has no ${part} games with a decision between two moves; give them a share there, or measure another part`,
        });
      const random = Random.named(opened.experiment.seed, stage, "positions");
      const data: AccuracyData = { experiment: opened.experiment, collection, part };
      const thread = yield* spawnWorker<never, never>({
        name: `accuracy ${stage}`,
        module: moduleBeside("accuracy-worker", import.meta.url),
        data,
        device: opened.experiment.compute.device,
        dismiss: (worker) => worker.postMessage(END),
      });
      return new AccuracyRounds(
        settings,
        collection,
        env,
        new Requests<ToAccuracy, FromAccuracy>(thread),
        drawnNumbers(positions.count, settings.positions ?? Infinity, random),
      );
    });

  /** Measures all policies with the weights of the round, emits their scores and returns the shares of likeliest moves. */
  round({ learned, unit, versionOf }: Round): Effect.Effect<MatchRound, RunError> {
    return Effect.gen({ self: this }, function* () {
      const { emit, offered, stage } = this.#env;
      const { part, policies, width } = this.#settings;
      const scores: PolicyScore[] = [];
      for (const [i, { net, symmetries }] of policies.entries()) {
        const moves = yield* this.#judge({ net, version: versionOf(net) }, symmetries === "ensemble", i);
        scores.push({ net, symmetries, ...scoreOfPolicy(moves, this.#collection, width) });
      }
      const aStep = offered("after", "weights")?.positions;
      const seen = aStep === undefined ? {} : { seen: aStep * learned };
      emit({ type: "accuracy", stage, learned, unit, ...seen, part, policies: scores });
      const means = scores.map(({ net, symmetries, top1 }) => [
        symmetries === "none" ? net : `${net} (${symmetries})`,
        top1.value,
      ]);
      return { learned, means: Object.fromEntries(means) as Record<string, number> };
    });
  }

  /** Judges the moves of all positions by policy number `index`. */
  #judge(
    { net, version }: NetVersion,
    ensemble: boolean,
    index: number,
  ): Effect.Effect<JudgedMoves, RunError> {
    return Effect.scoped(
      Effect.gen({ self: this }, function* () {
        const { activity, board, emit, opened, stage } = this.#env;
        yield* Effect.acquireRelease(board.hold([{ net, version }]), (release) => Effect.sync(release));
        const weights = yield* board.weightsOf(net, version);
        const images = ensemble ? opened.game.symmetry!.count : 1;
        yield* activity.during(this.#submit({ type: "load", net, weights, images }));
        const all: JudgedMoves[] = [];
        const { length } = this.#positions;
        const total = length * this.#settings.policies.length;
        for (let at = 0; at < length; at += POSITIONS_AT_ONCE) {
          const positions = this.#positions.slice(at, at + POSITIONS_AT_ONCE);
          const reply = yield* activity.during(this.#submit({ type: "judge", positions }));
          if (reply.type !== "judged") throw new Error("the thread responded to another request");
          all.push(reply.moves);
          const done = index * length + at + positions.length;
          emit({ type: "progress", stage, done, total, unit: "positions" });
        }
        return joined(all);
      }),
    );
  }

  #submit(request: ToAccuracy) {
    return this.#thread.request(
      this.#requests.submit(request, {
        onError: (reason) => new RunFailed({ stage: this.#env.stage, reason }),
      }),
    );
  }
}

/** At most `wanted` different numbers from 0 to count - 1, drawn uniformly, in increasing order; all if there are no more. */
export function drawnNumbers(count: number, wanted: number, random: Random): Uint32Array {
  if (wanted >= count) return Uint32Array.from({ length: count }, (_, i) => i);
  // Floyd's method (Bentley and Floyd 1987): each set of numbers is equally likely.
  const drawn = new Set<number>();
  for (let next = count - wanted; next < count; next++) {
    const number = random.below(next + 1);
    drawn.add(drawn.has(number) ? next : number);
  }
  return Uint32Array.from(drawn).sort();
}
