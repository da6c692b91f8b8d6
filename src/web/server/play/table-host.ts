import { moduleBeside } from "../../../module-beside.ts";
import { type ChildProcess, fork } from "node:child_process";
import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { howEnded } from "../../../workers/how-ended.ts";
import type { TableAnswers, TableReply, TableRequest } from "./table-process.ts";
import type { TableGame, TableSetup } from "./table.ts";

/** What a table is asked, without its ticket. */
type Asked<K extends keyof TableAnswers> = Omit<Extract<TableRequest, { readonly do: K }>, "ticket" | "do">;

/** The process of a table was ended. */
export class TableStopped extends Error {
  override readonly name = "TableStopped";
}

/** A process that waits for a table to be set up: to load all that a player may need takes a second. */
let spare: ChildProcess | undefined;

/** Starts a process for the next table, unless one waits already: somebody is about to play. */
export function prepareTable(): void {
  if (spare?.connected !== true) spare = startProcess();
}

/** Ends the process that waits. */
export function endPrepared(): void {
  spare?.kill("SIGKILL");
  spare = undefined;
}

function startProcess(): ChildProcess {
  const program = fileURLToPath(moduleBeside("table-process", import.meta.url));
  const cache = getCompileCacheDir();
  return fork(program, [], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    serialization: "advanced",
    ...(cache === undefined ? {} : { env: { ...process.env, NODE_COMPILE_CACHE: dirname(cache) } }),
  });
}

interface Waiter {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
}

/** A table in its own process, which starts when it is needed. Each request carries all that the table must know. */
export class TableHost {
  readonly #setup: TableSetup;
  readonly #waiting = new Map<number, Waiter>();
  #child: ChildProcess | undefined;
  #opened: Promise<TableGame> | undefined;
  #tickets = 0;

  constructor(setup: TableSetup) {
    this.#setup = setup;
  }

  /** Whether its process runs. */
  get awake(): boolean {
    return this.#child !== undefined;
  }

  /** Whether a request is open. */
  get busy(): boolean {
    return this.#waiting.size > 0;
  }

  /** What the game is. Throws an error whose message says why it cannot be opened. */
  async open(): Promise<TableGame> {
    this.#opened ??= this.#start();
    return await this.#opened;
  }

  /** Asks the table. Throws TableStopped, and an error whose message says what went wrong. */
  async ask<K extends "show" | "move" | "decide" | "advise">(
    what: K,
    asked: Asked<K>,
  ): Promise<TableAnswers[K]> {
    await this.open();
    return await this.#send(what, asked);
  }

  /** Ends its process; requests that are open throw TableStopped. The next request starts another one. */
  stop(): void {
    const child = this.#child;
    this.#forget(new TableStopped("the table was stopped"));
    child?.kill("SIGKILL");
  }

  #start(): Promise<TableGame> {
    const child = spare?.connected === true ? spare : startProcess();
    spare = undefined;
    this.#child = child;
    child.on("message", (reply: TableReply) => {
      const waiter = this.#waiting.get(reply.ticket);
      this.#waiting.delete(reply.ticket);
      if ("error" in reply) waiter?.reject(new Error(reply.error));
      else waiter?.resolve(reply.answer as never);
    });
    const gone = (why: string) => {
      if (this.#child === child) this.#forget(new Error(why));
    };
    child.on("error", ({ message }) => gone(message));
    child.on("exit", (code, signal) => gone(`its process was ended ${howEnded(code, signal, "remedy")}`));
    return this.#send("open", { setup: this.#setup });
  }

  #send<K extends keyof TableAnswers>(what: K, asked: Asked<K>): Promise<TableAnswers[K]> {
    const ticket = this.#tickets++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(ticket, { resolve, reject });
      this.#child!.send({ ticket, do: what, ...asked }, (error) => {
        if (error !== null) reject(error);
      });
    });
  }

  #forget(error: Error): void {
    this.#child = undefined;
    this.#opened = undefined;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
