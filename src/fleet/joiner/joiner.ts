import { hostname } from "node:os";
import type { NatsConnection, Subscription } from "@nats-io/transport-node";
import { FleetUnavailable } from "../fleet-unavailable.ts";
import { RunSilent } from "./ask-run.ts";
import type { JoinerEnv } from "./joiner-env.ts";
import { JoinerSession } from "./joiner-session.ts";
import { jsonMessage, readJson } from "../wire/json-message.ts";
import { isRunBeat, type JoinerBeat, type RunBeat } from "../wire/beats.ts";
import { describeError, serverMessage } from "../wire/server-message.ts";
import type { JoinerMeans } from "../shared-run.ts";
import { againSubject, BEAT_MS, joinerBeat, runBeat } from "../wire/subjects.ts";
import { decodeTask } from "../wire/task-message.ts";
import { WeightsCache, cacheFolder } from "./weights-cache.ts";
import { WeightsStore } from "../weights-store.ts";
import { randomId } from "../random-id.ts";

/** Milliseconds without a heartbeat after which a run counts as gone. Its tasks stay at the server meanwhile. */
const RUN_GONE_MS = 60_000;

/** Milliseconds until a run is asked again that did not answer. */
const LATER_MS = 3000;

/** Milliseconds that leaving may take. */
const CLOSE_MS = 3000;

/** A machine that plays games of the runs of a fleet: of all whose heartbeats it receives, until it is closed. */
export class Joiner {
  readonly #env: JoinerEnv;
  readonly #sessions = new Map<string, JoinerSession>();
  /** Runs that are being joined. */
  readonly #joining = new Set<string>();
  /** By run: the process of it that this joiner does not play for any more. */
  readonly #refused = new Map<string, string>();
  /** By run that did not answer: when it is asked again, in milliseconds of a monotonic clock. */
  readonly #later = new Map<string, number>();
  /** By run: the time of its last heartbeat, in milliseconds of a monotonic clock. */
  readonly #lastBeat = new Map<string, number>();
  readonly #subscriptions: Subscription[] = [];
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  private constructor(env: JoinerEnv) {
    this.#env = env;
  }

  /** Joins a fleet. `say` takes lines for people. Throws FleetUnavailable. */
  static async open(
    connection: NatsConnection,
    means: JoinerMeans,
    say: (message: string) => void,
    cache = cacheFolder(),
  ): Promise<Joiner> {
    const { jetstream } = await import("@nats-io/jetstream");
    // Without a question about the account, for which a joiner needs no right.
    const options = { checkAPI: false, timeout: 5000 };
    const js = jetstream(connection, options);
    const store = await WeightsStore.open(js, false).catch(async (error: unknown) => {
      await connection.close();
      throw new FleetUnavailable(`the fleet's server refuses joiners: ${serverMessage(error)}`);
    });
    const joiner = new Joiner({
      connection,
      js,
      store,
      cache: new WeightsCache(cache),
      means,
      joiner: randomId(),
      name: `${hostname()}:${process.pid}`,
      say,
    });
    joiner.#begin();
    return joiner;
  }

  /** Number of runs that it plays for now. */
  get runs(): number {
    return this.#sessions.size;
  }

  /** Leaves the fleet: games under way go back at once. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#timer);
    for (const subscription of this.#subscriptions) subscription.unsubscribe();
    const { connection } = this.#env;
    const sessions = [...this.#sessions.values()];
    this.#sessions.clear();
    const closing = sessions.map((session) => session.close());
    this.#beat({ leaves: true });
    const left = (async () => {
      await Promise.all(closing);
      await connection.flush();
      await connection.close();
    })();
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([
      left.catch(() => undefined),
      new Promise((resolve) => {
        timer = setTimeout(resolve, CLOSE_MS);
      }),
    ]);
    clearTimeout(timer);
    // Without its server a connection would be tried again for ever, and keep the process.
    void connection.close().catch(() => undefined);
  }

  #begin(): void {
    const { connection, joiner } = this.#env;
    this.#subscriptions.push(
      connection.subscribe(runBeat("*"), {
        callback: (error, { data }) => {
          const beat = error === null ? readJson(data) : undefined;
          if (isRunBeat(beat)) this.#onHeartbeat(beat);
        },
      }),
      connection.subscribe(againSubject(joiner), {
        callback: (error, message) => {
          if (error === null)
            this.#playAgain(message.data).then(
              (result) => message.respond(result),
              () => message.respond(),
            );
        },
      }),
    );
    this.#timer = setInterval(() => this.#tick(), BEAT_MS);
    void this.#watch();
  }

  #onHeartbeat(beat: RunBeat): void {
    if (this.#closed) return;
    const { ends, name, process: of, run } = beat;
    this.#lastBeat.set(run, performance.now());
    const dismissed = beat.leave?.[this.#env.joiner];
    if (dismissed !== undefined) this.#sessions.get(run)?.dismiss(dismissed);
    if (ends === true) return void this.#close(run, `${name} has ended or was interrupted`);
    if (this.#sessions.has(run) || this.#joining.has(run) || this.#refused.get(run) === of) return;
    if (performance.now() < (this.#later.get(run) ?? 0)) return;
    void this.#join(run, beat);
  }

  async #join(run: string, { name, process: of }: RunBeat): Promise<void> {
    const { say } = this.#env;
    this.#joining.add(run);
    try {
      const session = await JoinerSession.open(this.#env, run);
      if (this.#closed) return await session.close();
      this.#sessions.set(run, session);
      say(`plays for ${name}: up to ${session.work.places} games at once`);
      this.#beat();
      const reason = await session.ended;
      if (reason === undefined) return;
      say(`leaves ${name}: ${reason}`);
      this.#refused.set(run, of);
      this.#sessions.delete(run);
      await session.close();
    } catch (error) {
      if (error instanceof RunSilent) this.#later.set(run, performance.now() + LATER_MS);
      else this.#refused.set(run, of);
      say(`does not play for ${name}: ${describeError(error)}`);
    } finally {
      this.#joining.delete(run);
    }
  }

  async #close(run: string, why: string): Promise<void> {
    const session = this.#sessions.get(run);
    if (session === undefined) return;
    this.#sessions.delete(run);
    this.#env.say(why);
    await session.close();
  }

  #tick(): void {
    for (const run of this.#sessions.keys())
      if (performance.now() - (this.#lastBeat.get(run) ?? 0) > RUN_GONE_MS)
        void this.#close(run, "a run has been silent for a minute, and is left");
    this.#beat();
  }

  #beat(further: Partial<JoinerBeat> = {}): void {
    const { connection, joiner, name } = this.#env;
    const beat: JoinerBeat = {
      joiner,
      name,
      runs: Object.fromEntries([...this.#sessions].map(([run, session]) => [run, session.work])),
      ...further,
    };
    if (!connection.isClosed()) connection.publish(joinerBeat(joiner), jsonMessage(beat));
  }

  async #playAgain(bytes: Uint8Array): Promise<Uint8Array> {
    const { described } = decodeTask(bytes);
    for (const session of this.#sessions.values())
      if (session.described === described) return await session.playAgain(bytes);
    throw new FleetUnavailable("no run of this joiner has this game");
  }

  async #watch(): Promise<void> {
    for await (const { type } of this.#env.connection.status()) {
      if (type === "disconnect") this.#env.say("the connection to the server is lost; it is made again");
      if (type === "reconnect") this.#env.say("the connection to the server is back");
    }
  }
}
