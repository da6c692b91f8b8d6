import type { UecdaTable } from "./table.ts";
import type { UecdaConnection } from "./connection.ts";
import type { UecdaPlayer } from "./player.ts";

/** A player as the server of a series sees it. */
export interface UecdaSeat {
  readonly name: string;
  sendTable(table: UecdaTable): void;
  sendNumber(number: number): void;
  /** The table that the player responds with; undefined if none arrives in time. */
  response(): Promise<UecdaTable | undefined>;
}

/** A player with this number of late responses in a row counts as dead. */
export const MOST_LATE = 5;

/** A player behind a connection, with a limited time for each response. */
export class RemoteSeat implements UecdaSeat {
  readonly name: string;
  readonly #connection: UecdaConnection;
  readonly #milliseconds: number;
  readonly #report: (what: string) => void;
  /** The number of late responses that have not arrived yet: they belong to earlier requests. */
  #owed = 0;
  #late = 0;

  /** `report` receives a line for each late response. */
  constructor(
    name: string,
    connection: UecdaConnection,
    milliseconds: number,
    report: (what: string) => void = () => undefined,
  ) {
    this.name = name;
    this.#connection = connection;
    this.#milliseconds = milliseconds;
    this.#report = report;
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
    this.#report(
      `has sent no response in ${this.#milliseconds} ms${dead ? `, ${MOST_LATE} times in a row: closed` : ""}`,
    );
    if (dead) this.#connection.destroy();
  }
}

/** A player in this process: it gets the messages that a client would get, and nothing else. */
export class LocalSeat implements UecdaSeat {
  readonly name: string;
  readonly #player: UecdaPlayer;
  /** Messages that the player has not read yet. It reads them when its response is due, so that only then others wait. */
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
