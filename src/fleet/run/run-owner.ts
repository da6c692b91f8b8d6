import { hostname } from "node:os";
import type { NatsConnection, Subscription } from "@nats-io/transport-node";
import { FleetUnavailable } from "../fleet-unavailable.ts";
import { jsonMessage, readJson } from "../wire/json-message.ts";
import { ownerSubject } from "../wire/subjects.ts";

/** Milliseconds within which another process of the run would say that it is there. */
const OWNER_MS = 1000;

/** This process as people know it: its machine and its number. */
export function ownPlace(): string {
  return `${hostname()}:${process.pid}`;
}

/** What a process of a run says about itself to another one that asks. */
interface OwnerAnswer {
  /** Its machine and its number. */
  readonly process: string;
  /** A random name. */
  readonly id: string;
  /** Whether the run is its own; otherwise it is still asking itself. */
  readonly settled: boolean;
}

/**
 * The claim of a process to a run. Each process first answers the requests of others, then sends its own, so of two that start
 * at once at least one learns of the other. A settled process stays; of several that are asking, the one with the least name.
 */
export class RunOwner {
  readonly #connection: NatsConnection;
  readonly #run: string;
  readonly #id: string;
  readonly #subscription: Subscription;
  #settled = false;
  /** The process that asked meanwhile and stays. */
  #before: string | undefined;

  private constructor(connection: NatsConnection, run: string, id: string) {
    this.#connection = connection;
    this.#run = run;
    this.#id = id;
    this.#subscription = connection.subscribe(ownerSubject(run), {
      callback: (error, message) => {
        const asked = error === null ? readJson(message.data) : undefined;
        const other = asked?.["id"];
        // Its own request comes back, too.
        if (typeof other !== "string" || other === id) return;
        if (!this.#settled && other < id) this.#before ??= String(asked!["process"]);
        message.respond(jsonMessage(this.#said()));
      },
    });
  }

  /** Claims a run for a process with a random name. Throws FleetUnavailable if another process works on it. */
  static async claim(connection: NatsConnection, run: string, id: string): Promise<RunOwner> {
    const owner = new RunOwner(connection, run, id);
    await connection.flush();
    const others = await owner.#ask();
    const stronger = others.find((other) => other.settled || other.id < id);
    const first = stronger?.process ?? owner.#before;
    if (first === undefined) {
      owner.#settled = true;
      return owner;
    }
    owner.close();
    throw new FleetUnavailable(`another process works on this run already: ${first}; stop it first`);
  }

  /** Another process that works on the run, after the connection was away; undefined if there is none. */
  async other(): Promise<string | undefined> {
    return (await this.#ask())[0]?.process;
  }

  /** Gives the run up. */
  close(): void {
    this.#subscription.unsubscribe();
  }

  /** The other processes of the run that answer in time. */
  async #ask(): Promise<OwnerAnswer[]> {
    const question = jsonMessage(this.#said());
    const answers: OwnerAnswer[] = [];
    try {
      const options = { strategy: "timer", maxWait: OWNER_MS } as const;
      for await (const { data } of await this.#connection.requestMany(
        ownerSubject(this.#run),
        question,
        options,
      )) {
        const { id, process: place, settled } = readJson(data) ?? {};
        if (typeof id === "string") answers.push({ id, process: String(place), settled: settled !== false });
      }
    } catch {
      // Nobody is there, or the connection breaks again.
    }
    return answers;
  }

  #said(): OwnerAnswer {
    return { process: ownPlace(), id: this.#id, settled: this.#settled };
  }
}
