import { placedMessage } from "../messages/outside-place.ts";
import { endThread } from "./worker-thread.ts";

/** A request to a thread; `ticket` is repeated in the response. */
export interface Envelope<M> {
  readonly ticket: number;
  readonly body: M;
}

/** A message in place of a request: the thread ends, even if requests are open. */
export const END = "end";

/** A message from the thread about the request with this ticket: its response, an error, or a note. */
export type Reply<R> =
  | { readonly ticket: number; readonly body: R }
  | { readonly ticket: number; readonly error: string }
  | { readonly ticket: number; readonly note: unknown };

/** The thread's side: responds to requests one after another, with the value that `handle` returns or the error it throws. */
export function serve<M, R>(
  port: {
    on(event: "message", listen: (message: Envelope<M> | typeof END) => void): void;
    postMessage(message: Reply<R>): void;
  },
  handle: (body: M, note: (note: unknown) => void) => R | Promise<R>,
): void {
  let last: Promise<void> = Promise.resolve();
  const respond = async ({ ticket, body }: Envelope<M>): Promise<void> => {
    try {
      port.postMessage({ ticket, body: await handle(body, (note) => port.postMessage({ ticket, note })) });
    } catch (error) {
      port.postMessage({ ticket, error: placedMessage(error) });
    }
  };
  port.on("message", (message) => {
    // Messages arrive between native calls, so the thread can end here; the rest of a request is not awaited.
    if (message === END) endThread();
    last = last.then(() => respond(message));
  });
}
