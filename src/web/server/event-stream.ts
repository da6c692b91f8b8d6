import type { ServerResponse } from "node:http";
import { RequestRefused, safetyHeaders } from "./responses.ts";

/** The most streams at a time: a browser opens one for all of its tabs. */
const MOST_STREAMS = 32;
/** A reader that leaves more than this unread is dropped; it comes back by itself and gets the newest state. In bytes. */
const MOST_UNREAD = 4 << 20;
/** A sign of life is sent after so long without an event: a page sees by it that there is contact. In milliseconds. */
const BEAT_MS = 2000;

let streams = 0;

/** An event without its topic: made once for all browsers that get it. */
export type Frame = Buffer;

/** An event with a value that is JSON already. */
export function frameOf(event: string, json: string): Frame {
  return Buffer.from(`${event} ${json}\n`);
}

/** An event of no topic: the sign of life. */
const BEAT = Buffer.from("- beat {}\n");

/**
 * Events to one browser, a line each: the topic, the name of the event and its value as JSON, with a space between them. Begins
 * with a sign of life.
 */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #beat: NodeJS.Timeout | undefined;

  /** Begins to answer with a stream; `onClose` is called once when it ends. Throws RequestRefused if there are too many. */
  constructor(response: ServerResponse, onClose: () => void) {
    if (streams >= MOST_STREAMS)
      throw new RequestRefused(503, `${MOST_STREAMS} browsers have a page open already; close one of them.`);
    this.#response = response;
    // `close` has been emitted already if the page has left meanwhile.
    if (response.destroyed) {
      queueMicrotask(onClose);
      return;
    }
    streams++;
    response.writeHead(200, {
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "no-store",
      ...safetyHeaders(),
    });
    response.write(BEAT);
    this.#beat = setInterval(() => this.#write([BEAT]), BEAT_MS);
    response.on("close", () => {
      streams--;
      clearInterval(this.#beat);
      onClose();
    });
  }

  /** Sends events of a topic, all in one write. The topic has no white space. */
  send(topic: string, frames: readonly Frame[]): void {
    const before = Buffer.from(`${topic} `);
    this.#write(frames.flatMap((frame) => [before, frame]));
  }

  /** Ends it after what was sent. */
  end(): void {
    this.#response.end();
  }

  #write(parts: readonly Buffer[]): void {
    if (this.#response.destroyed || parts.length === 0) return;
    this.#response.write(parts.length === 1 ? parts[0] : Buffer.concat(parts));
    this.#beat?.refresh();
    if (this.#response.writableLength > MOST_UNREAD) this.#response.destroy();
  }
}
