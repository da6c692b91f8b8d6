import type { UecdaTable } from "./table.ts";
import type { UecdaConnection } from "./connection.ts";
import type { UecdaPlayer } from "./player.ts";

/** A player as the server of a series sees it. */
export interface UecdaSeat {
  readonly name: string;
  sendTable(table: UecdaTable): void;
  sendNumber(number: number): void;
  /** The table that the player answers with; undefined where none comes, or none in time. */
  response(): Promise<UecdaTable | undefined>;
}

/** After so many answers in a row that were late the player is taken for dead. */
export const MOST_LATE = 5;

/** A player behind a connection, that has time for each answer. */
export class RemoteSeat implements UecdaSeat {
  readonly name: string;
  readonly #connection: UecdaConnection;
  readonly #milliseconds: number;
  readonly #tell: (what: string) => void;
  /** Answers that were late and have not come yet: they are not the answer to a later question. */
  #owed = 0;
  #late = 0;

  /** `tell` is told of answers that are late. */
  constructor(
    name: string,
    connection: UecdaConnection,
    milliseconds: number,
    tell: (what: string) => void = () => undefined,
  ) {
    this.name = name;
    this.#connection = connection;
    this.#milliseconds = milliseconds;
    this.#tell = tell;
  }

  sendTable(table: UecdaTable): void {
    this.#connection.sendTable(table);
  }

  sendNumber(number: number): void {
    this.#connection.sendNumber(number);
  }

  async response(): Promise<UecdaTable | undefined> {
    const deadline = performance.now() + this.#milliseconds;
    for (;;) {
      const table = await this.#connection.readTable(Math.max(0, deadline - performance.now()));
      if (table === "closed") return undefined;
      if (table === "late") {
        this.#owed++;
        this.#beLate();
        return undefined;
      }
      if (this.#owed === 0) {
        this.#late = 0;
        return table;
      }
      this.#owed--;
    }
  }

  #beLate(): void {
    this.#late++;
    const dead = this.#late === MOST_LATE;
    this.#tell(
      `has not answered in ${this.#milliseconds} ms${dead ? `, ${MOST_LATE} times in a row: closed` : ""}`,
    );
    if (dead) this.#connection.destroy();
  }
}

/** A player in this process: it is told what a client would be told, and nothing else. */
export class LocalSeat implements UecdaSeat {
  readonly name: string;
  readonly #player: UecdaPlayer;
  /** What it has been sent and not looked at: nobody else waits while it thinks, but who waits for its answer. */
  #waiting: (UecdaTable | number)[] = [];

  constructor(name: string, player: UecdaPlayer) {
    this.name = name;
    this.#player = player;
  }

  sendTable(table: UecdaTable): void {
    this.#waiting.push(table);
  }

  sendNumber(number: number): void {
    this.#waiting.push(number);
  }

  response(): Promise<UecdaTable | undefined> {
    const waiting = this.#waiting;
    this.#waiting = [];
    let response: UecdaTable | undefined;
    for (const message of waiting)
      if (typeof message === "number") this.#player.takeNumber(message);
      else response = this.#player.take(message);
    return Promise.resolve(response);
  }
}
