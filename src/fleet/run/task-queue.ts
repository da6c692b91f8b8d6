import type { ConsumerInfo, JetStreamClient, JetStreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import type { EncodedTask } from "./fleet-games.ts";
import { FleetUnavailable } from "../fleet-unavailable.ts";
import { Gathered } from "../wire/gathered.ts";
import { serverMessage } from "../wire/server-message.ts";
import { allTasks, TASKS, taskSubject } from "../wire/subjects.ts";

/** Nanoseconds after which a task whose joiner is silent goes to another one. */
const LEASE_NS = 30_000_000_000;
/** Nanoseconds after which a task that nobody wants any more leaves the server. The run publishes the others again. */
const OLDEST_NS = 24 * 3600 * 1e9;
/** Bound of all tasks of a fleet: only a guard, a run's window is far below. */
const MOST_TASKS = 100_000;
/** Milliseconds from one look at the queue to the next. */
const RECONCILE_MS = 5000;
/** Milliseconds after which a task that is queued, and that no joiner plays though places are free, is taken for lost. */
const STUCK_MS = 60_000;
/** Times that a task may go without a result, with its joiner or from the queue, before the run plays it itself. */
const MOST_LOST = 2;
/** The server's code for a task that is there already. */
const SUBJECT_FULL = 10077;

interface Wanted {
  readonly bytes: Uint8Array;
  /** When it was published last, in milliseconds of a monotonic clock. */
  published: number;
  /** How often it has gone without a result. */
  lost: number;
}

/** What a queue asks of the rest of a run. */
export interface QueueEnv {
  /** What is sent by the run in one piece. */
  readonly sent: Gathered;
  /** Whether a joiner plays a task now. */
  readonly isPlayed: (key: string) => boolean;
  /** Whether joiners have free places. */
  readonly hasRoom: () => boolean;
  /** Warns the user: one message for each disturbance. */
  readonly warn: (message: string) => void;
  /** Says that a task vanishes again and again, without a result: someone acknowledges it and does not play. */
  readonly giveUp: (key: string) => void;
}

/**
 * The tasks of a run on the server of its fleet. This queue keeps all wanted tasks: every few seconds, and after each break of
 * the connection, it publishes again those that the server lacks.
 */
export class TaskQueue {
  readonly #connection: NatsConnection;
  readonly #js: JetStreamClient;
  readonly #jsm: JetStreamManager;
  readonly #run: string;
  readonly #env: QueueEnv;
  readonly #wanted = new Map<string, Wanted>();
  /** Keys that were there and not wanted at the last look. */
  #strange = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #busy: Promise<void> = Promise.resolve();
  /** Tasks that the consumer had delivered at the last look, and the looks since it seems to be broken. */
  #deliveredBefore = -1;
  #looksBroken = 0;
  #disturbed = false;
  #closed = false;

  constructor(
    connection: NatsConnection,
    js: JetStreamClient,
    jsm: JetStreamManager,
    run: string,
    env: QueueEnv,
  ) {
    this.#connection = connection;
    this.#js = js;
    this.#jsm = jsm;
    this.#run = run;
    this.#env = env;
  }

  /** Makes the stream and the run's consumer if they are missing. Throws FleetUnavailable. */
  async open(): Promise<void> {
    try {
      await this.#ensure();
    } catch (error) {
      throw new FleetUnavailable(`the fleet's server cannot hold tasks: ${serverMessage(error)}`);
    }
    this.#timer = setInterval(() => this.reconcile(), RECONCILE_MS);
  }

  /** Adds a task. */
  put({ key, bytes }: EncodedTask): void {
    const wanted = { bytes, published: performance.now(), lost: 0 };
    this.#wanted.set(key, wanted);
    void this.#env.sent.turn().then(() => {
      if (this.#wanted.get(key) === wanted) void this.#publish(key, wanted);
    });
  }

  /** Takes a task back. With `unplayed` it leaves the server too; otherwise its joiner acknowledges it. */
  remove(key: string, unplayed: boolean): void {
    this.#wanted.delete(key);
    if (unplayed) void this.#purge(taskSubject(this.#run, key));
  }

  /** Counts that a joiner has gone that played a task; whether that has happened too often. */
  hasLost(key: string): boolean {
    const wanted = this.#wanted.get(key);
    return wanted !== undefined && ++wanted.lost >= MOST_LOST;
  }

  /** Looks at the queue, and publishes what is missing there; one look at a time. */
  reconcile(): void {
    this.#busy = this.#busy.then(() => this.#reconcileNow()).catch((error: unknown) => this.#warn(error));
  }

  /** Takes everything of the run from the server. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    this.#wanted.clear();
    await this.#busy;
    await this.#purge(taskSubject(this.#run, ">"));
    await this.#jsm.consumers.delete(TASKS, this.#run).catch(() => undefined);
  }

  async #ensure(): Promise<ConsumerInfo> {
    const { AckPolicy, DiscardPolicy, RetentionPolicy, StorageType } = await import("@nats-io/jetstream");
    // In memory: file queues of nats-server 2.9 bring acknowledged tasks back after a kill. Nothing is lost with it.
    await this.#jsm.streams
      .add({
        name: TASKS,
        subjects: [allTasks],
        retention: RetentionPolicy.Workqueue,
        storage: StorageType.Memory,
        discard: DiscardPolicy.New,
        discard_new_per_subject: true,
        max_msgs_per_subject: 1,
        max_msgs: MOST_TASKS,
        max_age: OLDEST_NS,
      })
      .catch(async (error: unknown) => {
        // Another version may have made it with other settings: those that matter are compared.
        const { config } = await this.#jsm.streams.info(TASKS).catch(() => {
          throw error;
        });
        if (config.retention !== RetentionPolicy.Workqueue || config.max_msgs_per_subject !== 1)
          throw new Error(
            `the stream ${TASKS} there is not one of ludoflow: remove it, or give the fleet an account of its own`,
          );
      });
    return await this.#jsm.consumers.add(TASKS, {
      durable_name: this.#run,
      filter_subject: taskSubject(this.#run, ">"),
      ack_policy: AckPolicy.Explicit,
      ack_wait: LEASE_NS,
      max_deliver: -1,
      max_ack_pending: -1,
      max_waiting: 20_000,
      inactive_threshold: OLDEST_NS,
    });
  }

  async #publish(key: string, wanted: Wanted): Promise<void> {
    wanted.published = performance.now();
    try {
      await this.#js.publish(taskSubject(this.#run, key), wanted.bytes, { timeout: RECONCILE_MS });
    } catch (error) {
      // A task that is there already needs nothing. What could not be sent is published by the next look at the queue.
      if ((error as { readonly code?: unknown }).code !== SUBJECT_FULL) this.#warn(error);
    }
  }

  async #reconcileNow(): Promise<void> {
    if (this.#closed || this.#connection.isClosed()) return;
    const consumer = await this.#ensure();
    const filter = taskSubject(this.#run, ">");
    const { state } = await this.#jsm.streams.info(TASKS, { subjects_filter: filter });
    const prefix = filter.length - 1;
    const there = new Set(Object.keys(state.subjects ?? {}).map((subject) => subject.slice(prefix)));
    if (this.#isBroken(consumer, there.size)) return await this.#renew();
    const now = performance.now();
    const sent: Promise<void>[] = [];
    for (const [key, wanted] of this.#wanted) {
      // What was published a moment ago may not be listed yet.
      if (!there.has(key) && now - wanted.published > RECONCILE_MS / 2) {
        if (this.hasLost(key)) this.#env.giveUp(key);
        else sent.push(this.#publish(key, wanted));
      } else if (
        there.has(key) &&
        now - wanted.published > STUCK_MS &&
        !this.#env.isPlayed(key) &&
        this.#env.hasRoom()
      )
        sent.push(this.#purge(taskSubject(this.#run, key)).then(() => this.#publish(key, wanted)));
    }
    const strange = new Set([...there].filter((key) => !this.#wanted.has(key)));
    for (const key of strange)
      if (this.#strange.has(key)) sent.push(this.#purge(taskSubject(this.#run, key)));
    this.#strange = strange;
    await Promise.all(sent);
    this.#disturbed = false;
  }

  /**
   * Whether the server has lost count of the consumer, as nats-server 2.9 does: the stream holds tasks that count neither as
   * waiting nor as delivered, and nothing was delivered between two checks.
   */
  #isBroken(
    { delivered, num_ack_pending: away, num_pending: waiting }: ConsumerInfo,
    there: number,
  ): boolean {
    const isStuck = there > away + waiting && delivered.consumer_seq === this.#deliveredBefore;
    this.#deliveredBefore = delivered.consumer_seq;
    this.#looksBroken = isStuck ? this.#looksBroken + 1 : 0;
    return this.#looksBroken >= 2;
  }

  /** Makes the consumer anew, and publishes all tasks again. */
  async #renew(): Promise<void> {
    this.#looksBroken = 0;
    await this.#jsm.consumers.delete(TASKS, this.#run).catch(() => undefined);
    await this.#purge(taskSubject(this.#run, ">"));
    await this.#ensure();
    await Promise.all([...this.#wanted].map(([key, wanted]) => this.#publish(key, wanted)));
  }

  async #purge(filter: string): Promise<void> {
    await this.#jsm.streams.purge(TASKS, { filter }).catch(() => undefined);
  }

  #warn(error: unknown): void {
    if (this.#disturbed || this.#closed) return;
    this.#disturbed = true;
    this.#env.warn(
      `the fleet's queue is disturbed: ${serverMessage(error)}; the run continues, and tries again`,
    );
  }
}
