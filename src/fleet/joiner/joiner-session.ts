import type { Consumer, ConsumerMessages, JsMsg } from "@nats-io/jetstream";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Scope from "effect/Scope";
import type { OpenExperiment } from "../../operators/experiment/open-experiment.ts";
import { openLocalThreads } from "../../operators/play/local-threads.ts";
import type { GameReport } from "../../operators/play/game-task.ts";
import type { PlayHost } from "../../operators/play/play-host.ts";
import { workerThreads } from "../../operators/run/parallelism.ts";
import { askRun, RefusedByRun, request, RunSilent } from "./ask-run.ts";
import { FleetUnavailable } from "../fleet-unavailable.ts";
import type { JoinerEnv } from "./joiner-env.ts";
import { Gathered } from "../wire/gathered.ts";
import { programDifferences, programIdentity } from "../program-code.ts";
import { SessionWeights } from "./session-weights.ts";
import { describedBy, openShared, type SharedRun } from "../shared-run.ts";
import type { JoinerWork } from "../wire/beats.ts";
import type { ResultVerdict } from "../wire/hello.ts";
import { PacketInvalid } from "../wire/packet.ts";
import { encodeResult, type ReportSource } from "../wire/report-message.ts";
import { describeError } from "../wire/server-message.ts";
import { resultSubject, TASKS } from "../wire/subjects.ts";
import { decodeTask, type SharedTask } from "../wire/task-message.ts";

/** Milliseconds between the reports to the server of the games still in play: a third of the lease of a task. */
const WORKING_MS = 10_000;
/** Milliseconds until a request is sent again. */
const AGAIN_MS = 1000;
/** Milliseconds after which a task that could not be played comes back. */
const BACK_MS = 2000;
/** Milliseconds for which a request for tasks holds: a joiner that is stopped still gets tasks until then. */
const PULL_MS = 5000;
/** Milliseconds for which a result waits for others to be sent with it. */
const GATHER_MS = 100;

/** A joiner's part in one run: it takes tasks, plays them on threads of this machine, and sends the reports. */
export class JoinerSession {
  readonly #env: JoinerEnv;
  readonly #run: string;
  readonly #opened: OpenExperiment;
  /** The hash by which the run knows its tasks: see `describedBy`. */
  readonly described: string;
  readonly #host: PlayHost;
  readonly #scope: Scope.Closeable;
  readonly #places: number;
  readonly #playing = new Map<string, JsMsg>();
  readonly #weights: SessionWeights;
  #consumer: Consumer | undefined;
  #messages: ConsumerMessages | undefined;
  #consuming: Promise<void> = Promise.resolve();
  /** The threads play the other half of the games meanwhile. */
  readonly #results = new Gathered(GATHER_MS, () => this.#playing.size / 2);
  readonly #acknowledged = new Gathered(0);
  #left = false;
  /** What the server is to give to others: the games that were under way, and those that were not begun. */
  readonly #returned: JsMsg[] = [];
  #givenBack: Promise<void> = Promise.resolve();
  readonly #working: NodeJS.Timeout;
  /** Ends with the reason why the joiner left the run; undefined if it was asked to. */
  readonly ended: Promise<string | undefined>;
  #end!: (reason: string | undefined) => void;

  private constructor(
    env: JoinerEnv,
    run: string,
    opened: OpenExperiment,
    described: string,
    parts: { readonly host: PlayHost; readonly scope: Scope.Closeable; readonly weights: SessionWeights },
  ) {
    this.#env = env;
    this.#run = run;
    this.#opened = opened;
    this.described = described;
    this.#host = parts.host;
    this.#scope = parts.scope;
    this.#weights = parts.weights;
    const { experiment } = opened;
    this.#places =
      workerThreads(experiment) *
      Math.max(
        ...Object.values(experiment.graph).map((stage) => (stage["inFlight"] as number | undefined) ?? 1),
      );
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#working = setInterval(() => {
      for (const message of this.#playing.values()) message.working();
    }, WORKING_MS);
  }

  /**
   * Joins a run. Throws FleetUnavailable and what `openShared` throws if it may not or cannot join. It sends the reason to the
   * run, so that the user of the run knows why no games are played.
   */
  static async open(env: JoinerEnv, run: string): Promise<JoinerSession> {
    try {
      return await JoinerSession.#open(env, run);
    } catch (error) {
      // A run that refuses knows the reason; one that is silent receives nothing.
      if (!(error instanceof RefusedByRun || error instanceof RunSilent))
        await askRun(env, run, { asks: "leave", why: describeError(error) }).catch(() => undefined);
      throw error;
    }
  }

  static async #open(env: JoinerEnv, run: string): Promise<JoinerSession> {
    const { run: shared, weights: newest = [] } = await askRun(env, run, { asks: "run" });
    if (shared === undefined) throw new FleetUnavailable("the run does not say what it is");
    const differences = programDifferences(shared.program, programIdentity());
    if (differences.length > 0)
      throw new FleetUnavailable(
        `this program is not that of the run: ${differences.join(", ")}. Install the same package of ludoflow, and the same Node, on both`,
      );
    const opened = openShared(shared, env.means);
    const described = describedBy(sharedAsHere(shared, opened));
    const weights = new SessionWeights(env, run, opened);
    const bits = await weights.bits(newest);
    await askRun(env, run, { asks: "entry", described, bits });
    const scope = Scope.makeUnsafe();
    try {
      const host = await Effect.runPromise(
        Effect.gen(function* () {
          const local = yield* openLocalThreads(opened, {
            warn: env.say,
            outlivesCrashes: true,
            weightsOf: (net, version) => weights.of(net, version),
          });
          yield* local.start(opened.experiment);
          return local;
        }).pipe(Scope.provide(scope)),
      );
      const session = new JoinerSession(env, run, opened, described, { host, scope, weights });
      Effect.runPromise(host.lost).catch((error: unknown) => session.#leave((error as Error).message));
      session.#consuming = session.#consume();
      return session;
    } catch (error) {
      await Effect.runPromise(Scope.close(scope, Exit.void));
      throw error;
    }
  }

  /** What it does now. */
  get work(): JoinerWork {
    return { places: this.#places, playing: [...this.#playing.keys()] };
  }

  /** The name of the experiment. */
  get experiment(): string {
    return this.#opened.experiment.name;
  }

  /** Plays a game of the run for comparison; returns the bytes of its result. */
  async playAgain(bytes: Uint8Array): Promise<Uint8Array> {
    return await this.#play(decodeTask(bytes));
  }

  /** Leaves the run because it asks for that. */
  dismiss(reason: string): void {
    this.#leave(reason);
  }

  /** Leaves the run: gives its games back at once, and ends its threads. */
  async close(): Promise<void> {
    this.#leave(undefined);
    await this.ended;
    await Promise.all([this.#givenBack, Effect.runPromise(Scope.close(this.#scope, Exit.void))]);
  }

  #leave(reason: string | undefined): void {
    if (this.#left) return;
    this.#left = true;
    // A game under way never ends once its thread is gone, so nothing of it may keep the process.
    clearInterval(this.#working);
    this.#returned.push(...this.#playing.values());
    this.#playing.clear();
    this.#freed?.();
    this.#messages?.stop();
    this.#givenBack = this.#giveBack();
    this.#end(reason);
  }

  /**
   * Gives the games back when the server has no request of this joiner left. nats-server 2.9 keeps requests to which nobody listens
   * any more, and while it has no others, it takes one returned task from its queue, finds nobody to give it to, and has it again
   * only when its lease ends. It forgets such requests when it counts them, which it does when it is asked about the consumer.
   */
  async #giveBack(): Promise<void> {
    // The client sends its last requests while the messages end.
    await this.#consuming;
    await this.#consumer?.info().catch(() => undefined);
    for (const message of this.#returned) message.nak();
  }

  /** Takes tasks as long as there are places, also when the connection or the consumer was away. */
  async #consume(): Promise<void> {
    while (!this.#left) {
      try {
        this.#consumer = await this.#env.js.consumers.get(TASKS, this.#run);
        if (this.#left) return;
        this.#messages = await this.#consumer.consume({
          max_messages: this.#places,
          expires: PULL_MS,
          abort_on_missing_resource: true,
        });
        if (this.#left) this.#messages.stop();
        for await (const message of this.#messages) {
          if (this.#left) {
            this.#returned.push(message);
            continue;
          }
          void this.#take(message);
          // Places are the bound: what comes meanwhile waits at the server, not here.
          while (!this.#left && this.#playing.size >= this.#places) await this.#placeFreed();
        }
      } catch {
        // The run makes its consumer again, and the client its connection.
      }
      if (!this.#left) await pause(AGAIN_MS);
    }
  }

  #freed: (() => void) | undefined;

  #placeFreed(): Promise<void> {
    return new Promise((resolve) => {
      this.#freed = resolve;
    });
  }

  async #take(message: JsMsg): Promise<void> {
    const key = message.subject.split(".").at(-1)!;
    // Delivered again although it is being played: its lease was lost, and continues with this delivery.
    if (this.#playing.has(key)) {
      this.#playing.set(key, message);
      return;
    }
    this.#playing.set(key, message);
    try {
      const task = decodeTask(message.data);
      if (task.described !== this.described)
        throw new PacketInvalid("it belongs to another state of the run");
      const result = await this.#play(task);
      await this.#deliver(key, result);
    } catch (error) {
      if (!this.#left) {
        this.#playing.get(key)?.nak(BACK_MS);
        if (!(error instanceof PacketInvalid))
          this.#env.say(`a game is given back: ${(error as Error).message}`);
      }
    } finally {
      this.#playing.delete(key);
      this.#freed?.();
    }
  }

  async #play({ task, weights }: SharedTask): Promise<Uint8Array> {
    this.#weights.name(weights);
    const source: ReportSource = { joiner: this.#env.joiner, bits: await this.#weights.bits(weights) };
    let report: GameReport;
    try {
      report = await Effect.runPromise(this.#host.play(task, 0));
    } catch (error) {
      return encodeResult({ ...source, failed: (error as Error).message });
    }
    const bytes = encodeResult({ ...source, report });
    const most = this.#env.connection.info?.max_payload ?? Infinity;
    if (bytes.length <= most) return bytes;
    return encodeResult({
      ...source,
      failed: `its result has ${bytes.length} bytes, and the server takes ${most}: set max_payload: 8MB there`,
    });
  }

  /** Sends a result until the run has answered. */
  async #deliver(key: string, result: Uint8Array): Promise<void> {
    for (;;) {
      await this.#results.turn();
      if (this.#left) return;
      const answer = await request(this.#env, resultSubject(this.#run, this.#env.joiner, key), result);
      if (answer === undefined) {
        await pause(AGAIN_MS);
        continue;
      }
      const { message, verdict } = answer as unknown as ResultVerdict;
      if (verdict === "leave") return this.#leave(message ?? "the run asks it to");
      await this.#acknowledged.turn();
      if (verdict === "bad") {
        this.#env.say(message ?? "a result was refused");
        this.#playing.get(key)?.nak(BACK_MS);
      } else this.#playing.get(key)?.ack();
      return;
    }
  }
}

/** The run as this machine sees it: its own program, its own plug-ins, and the experiment as it fills it in. */
function sharedAsHere(shared: SharedRun, { experiment }: OpenExperiment): SharedRun {
  const { plugins: _plugins, workers: _workers, ...own } = experiment;
  return { ...shared, experiment: own, program: programIdentity() };
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
