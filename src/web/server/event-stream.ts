import type { ServerResponse } from "node:http";
import { RequestRefused, safetyHeaders } from "./responses.ts";

/** The most streams at a time: a browser opens one for each of its tabs. */
const MOST_STREAMS = 32;
/** A reader that leaves more than this unread is dropped; it comes back by itself and gets the newest state. In bytes. */
const MOST_UNREAD = 4 << 20;
/** A sign of life is sent after so long without an event: a page sees by it that there is contact. In milliseconds. */
const BEAT_MS = 2000;

let streams = 0;

/** An event as it is sent: made once for all pages that get it. */
export type Frame = Buffer;

/** An event with a value that is JSON already. */
export function frameOf(event: string, json: string): Frame {
  return Buffer.from(`event: ${event}\ndata: ${json}\n\n`);
}

const BEAT = frameOf("beat", "{}");

/** Server-sent events to one page. */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #beat: NodeJS.Timeout | undefined;

  /** Begins to answer with a stream; `onClose` is called once when it ends. Throws RequestRefused if there are too many. */
  constructor(response: ServerResponse, onClose: () => void) {
    if (streams >= MOST_STREAMS)
      throw new RequestRefused(503, `${MOST_STREAMS} pages are open already; close one of them.`);
    this.#response = response;
    // `close` has been emitted already if the page has left meanwhile.
    if (response.destroyed) {
      queueMicrotask(onClose);
      return;
    }
    streams++;
    response.writeHead(200, {
      "Content-Type": "text/event-stream; charset=utf-8",
      "Cache-Control": "no-store",
      ...safetyHeaders(),
    });
    response.write("retry: 1000\n\n");
    this.#beat = setInterval(() => this.sendFrames([BEAT]), BEAT_MS);
    response.on("close", () => {
      streams--;
      clearInterval(this.#beat);
      onClose();
    });
  }

  /** Sends an event with a value as JSON. */
  send(event: string, value: unknown): void {
    this.sendFrames([frameOf(event, JSON.stringify(value))]);
  }

  /** Sends events, all in one write. */
  sendFrames(frames: readonly Frame[]): void {
    if (this.#response.destroyed || frames.length === 0) return;
    this.#response.write(frames.length === 1 ? frames[0] : Buffer.concat(frames));
    this.#beat?.refresh();
    if (this.#response.writableLength > MOST_UNREAD) this.#response.destroy();
  }
}
