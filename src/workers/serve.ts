import { endThread } from "./worker-thread.ts";

/** A question to a thread, and the thread's part of the answer. */
export interface Envelope<M> {
  readonly ticket: number;
  readonly body: M;
}

/** In place of a question: the thread is to end, whatever it has been asked. */
export const END = "end";

/** What the thread sends back for a ticket. */
export type Reply<R> =
  | { readonly ticket: number; readonly body: R }
  | { readonly ticket: number; readonly error: string }
  | { readonly ticket: number; readonly note: unknown };

/** The thread's side: answers each question in turn with what `handle` returns or throws. */
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
      port.postMessage({ ticket, error: error instanceof Error ? error.message : String(error) });
    }
  };
  port.on("message", (message) => {
    // Messages come between native calls: what is left of a question is not waited for.
    if (message === END) endThread();
    last = last.then(() => respond(message));
  });
}
