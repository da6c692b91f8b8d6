import type { Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import {
  NUMBER_BYTES,
  numberBytes,
  numberOfBytes,
  TABLE_BYTES,
  tableBytes,
  tableOfBytes,
  type UecdaTable,
} from "./table.ts";

/** Most bytes that are kept unread. Beyond, the sender has to wait. */
const MOST_UNREAD = 16 * TABLE_BYTES;
/** Most bytes that wait for a receiver that does not read. Beyond, the connection is closed. */
const MOST_UNSENT = 1 << 20;

/** How long the other side may take to close its end of a connection that we have closed. */
const FAREWELL_MS = 1000;

/** The longest time that a timer can wait, in milliseconds. */
export const LONGEST_WAIT = 2 ** 31 - 1;

/** Why a read ended without a message. */
export type Missing = "late" | "closed";

/**
 * Tables and numbers over a TCP connection. Each message is one write. Messages are read whole, even if TCP cuts or joins
 * them. Only one read may wait at a time.
 */
export class UecdaConnection {
  readonly #socket: Socket;
  #unread: Buffer = Buffer.alloc(0);
  #closed = false;
  #wake: (() => void) | undefined;
  readonly #onClose: (() => void)[] = [];

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on("data", (bytes) => {
      this.#unread = Buffer.concat([this.#unread, bytes]);
      if (this.#unread.length > MOST_UNREAD) socket.pause();
      this.#wake?.();
    });
    socket.on("end", () => this.#close());
    socket.on("error", () => this.#close());
    socket.on("close", () => this.#close());
  }

  /** Whether nothing more can be sent. What came before may still be read. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Calls back once, when either side has closed the connection. */
  onClose(listener: () => void): void {
    if (this.#closed) listener();
    else this.#onClose.push(listener);
  }

  /** Sends a table; to a closed connection nothing is sent. */
  sendTable(table: UecdaTable): void {
    this.#send(tableBytes(table));
  }

  /** Sends a number; to a closed connection nothing is sent. */
  sendNumber(number: number): void {
    this.#send(numberBytes(number));
  }

  /** The next table; "late" if it is not complete after this time in milliseconds, "closed" if none can arrive any more. */
  async readTable(milliseconds = Infinity): Promise<UecdaTable | Missing> {
    const bytes = await this.#read(TABLE_BYTES, milliseconds);
    return typeof bytes === "string" ? bytes : tableOfBytes(bytes);
  }

  /** The next number; otherwise as `readTable`. */
  async readNumber(milliseconds = Infinity): Promise<number | Missing> {
    const bytes = await this.#read(NUMBER_BYTES, milliseconds);
    return typeof bytes === "string" ? bytes : numberOfBytes(bytes);
  }

  /** A table that has arrived completely, without waiting. */
  tableAtHand(): UecdaTable | undefined {
    return this.#unread.length < TABLE_BYTES ? undefined : tableOfBytes(this.#cut(TABLE_BYTES));
  }

  /** Closes the connection when everything that was sent is written; after a while in any case. */
  end(): void {
    this.#socket.end();
    const timer = setTimeout(() => this.#socket.destroy(), FAREWELL_MS);
    this.#socket.once("close", () => clearTimeout(timer));
  }

  /** Closes the connection at once. */
  destroy(): void {
    this.#socket.destroy();
    this.#close();
  }

  #send(bytes: Uint8Array): void {
    if (this.#closed) return;
    this.#socket.write(bytes);
    if (this.#socket.writableLength > MOST_UNSENT) this.destroy();
  }

  async #read(length: number, milliseconds: number): Promise<Buffer | Missing> {
    const deadline = performance.now() + milliseconds;
    let over = false;
    while (this.#unread.length < length) {
      if (this.#closed) return "closed";
      if (over) return "late";
      const left = deadline - performance.now();
      over = left <= 0;
      // Timers run before sockets: if this thread was busy, the message may have arrived unread.
      if (over) await setImmediate();
      else await this.#woken(left);
    }
    return this.#cut(length);
  }

  /** Resolves when something has arrived, the connection has closed, or the time is over. */
  #woken(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = Number.isFinite(milliseconds)
        ? setTimeout(() => this.#wake?.(), milliseconds)
        : undefined;
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve();
      };
    });
  }

  #cut(length: number): Buffer {
    const bytes = this.#unread.subarray(0, length);
    this.#unread = this.#unread.subarray(length);
    if (this.#unread.length <= MOST_UNREAD) this.#socket.resume();
    return bytes;
  }

  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#wake?.();
    for (const listener of this.#onClose) listener();
  }
}
