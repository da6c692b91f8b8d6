import { createServer, type Server, type Socket } from "node:net";
import { readHello, UECDA_PROTOCOL } from "./table.ts";
import { UecdaConnection } from "./connection.ts";
import { RemoteSeat } from "./seat.ts";

/** Where and how clients are waited for. */
export interface UecdaLobbyOptions {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** How many clients are waited for. */
  readonly clients: number;
  /** The longest wait for a client's first table and for each of its responses. */
  readonly milliseconds: number;
  /** Receives a line for each client that comes, leaves, responds late or is refused. */
  readonly report?: (what: string) => void;
}

/** A lobby that is open. */
export interface UecdaLobby {
  readonly port: number;
  /** All clients, by number, as soon as they are there. No client is admitted later. */
  readonly seats: Promise<readonly RemoteSeat[]>;
  /** Ends the connections; what has been sent is written. */
  end(): void;
}

/**
 * Waits for clients of the UECda protocol and gives them numbers from 0 on, in the order of their first tables. A client
 * that leaves before all are there leaves its number to the next one. Rejects if the port cannot be listened on.
 */
export async function openUecdaLobby(options: UecdaLobbyOptions): Promise<UecdaLobby> {
  const lobby = new Lobby(options);
  const port = await lobby.listen();
  return { port, seats: lobby.seats, end: () => lobby.end() };
}

interface Guest {
  readonly seat: RemoteSeat;
  readonly connection: UecdaConnection;
}

class Lobby {
  readonly seats: Promise<readonly RemoteSeat[]>;
  readonly #options: UecdaLobbyOptions;
  readonly #report: (what: string) => void;
  readonly #server: Server;
  readonly #guests: (Guest | undefined)[];
  #begin!: (seats: readonly RemoteSeat[]) => void;
  #begun = false;
  #over = false;

  constructor(options: UecdaLobbyOptions) {
    this.#options = options;
    this.#report = options.report ?? (() => undefined);
    this.#guests = Array.from({ length: options.clients }, () => undefined);
    this.seats = new Promise((resolve) => (this.#begin = resolve));
    this.#server = createServer((socket) => void this.#receive(socket));
  }

  listen(): Promise<number> {
    const { host, port } = this.#options;
    return new Promise((resolve, reject) => {
      this.#server.on("error", reject);
      this.#server.listen(port, host, () => {
        const address = this.#server.address();
        resolve(typeof address === "object" && address !== null ? address.port : port);
      });
    });
  }

  end(): void {
    this.#over = true;
    for (const guest of this.#guests) guest?.connection.end();
  }

  async #receive(socket: Socket): Promise<void> {
    const connection = new UecdaConnection(socket);
    const table = await connection.readTable(this.#options.milliseconds);
    const hello = typeof table === "string" ? undefined : readHello(table);
    const number = this.#guests.indexOf(undefined);
    if (hello?.protocol !== UECDA_PROTOCOL || this.#begun || number < 0) {
      const why =
        hello === undefined
          ? `it is ${String(table)}`
          : hello.protocol === UECDA_PROTOCOL
            ? "all places are taken"
            : `it speaks protocol ${hello.protocol}, not ${UECDA_PROTOCOL}`;
      this.#report(`a client is refused: ${why}`);
      connection.destroy();
      return;
    }
    const say = (what: string) => this.#report(`player ${number} (${hello.name}) ${what}`);
    const seat = new RemoteSeat(hello.name, connection, this.#options.milliseconds, say);
    this.#guests[number] = { seat, connection };
    say("is here");
    connection.sendNumber(number);
    connection.onClose(() => {
      if (!this.#over) say("has left");
      if (!this.#begun) this.#guests[number] = undefined;
    });
    const seats = this.#guests.map((guest) => guest?.seat);
    if (this.#begun || !seats.every((each) => each !== undefined)) return;
    this.#begun = true;
    this.#server.close();
    this.#begin(seats);
  }
}
