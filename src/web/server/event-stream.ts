import type { ServerResponse } from "node:http";
import { RequestRefused, safetyHeaders } from "./responses.ts";

/** The most streams at a time: a browser opens one for each of its tabs. */
const MOST_STREAMS = 32;
/** A reader that leaves more than this unread is dropped; it comes back by itself and gets what is newest then. In bytes. */
const MOST_UNREAD = 4 << 20;
/** Interval of signs of life, by which a page sees that there is contact. In milliseconds. */
const BEAT_MS = 2000;

let streams = 0;

/** Server-sent events to one page. */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #beat: NodeJS.Timeout;

  /** Begins to answer with a stream; `onClose` is called once when it ends. Throws RequestRefused where there are too many. */
  constructor(response: ServerResponse, onClose: () => void) {
    if (streams >= MOST_STREAMS)
      throw new RequestRefused(503, `${MOST_STREAMS} pages are open already; close one of them.`);
    streams++;
    this.#response = response;
    response.writeHead(200, {
      "Content-Type": "text/event-stream; charset=utf-8",
      "Cache-Control": "no-store",
      ...safetyHeaders(),
    });
    response.write("retry: 1000\n\n");
    this.#beat = setInterval(() => this.send("beat", {}), BEAT_MS);
    response.on("close", () => {
      streams--;
      clearInterval(this.#beat);
      onClose();
    });
  }

  /** Sends an event with a value as JSON. */
  send(event: string, value: unknown): void {
    this.sendText(event, JSON.stringify(value));
  }

  /** Sends an event with a value that is JSON already. */
  sendText(event: string, json: string): void {
    if (this.#response.destroyed) return;
    this.#response.write(`event: ${event}\ndata: ${json}\n\n`);
    if (this.#response.writableLength > MOST_UNREAD) this.#response.destroy();
  }
}
