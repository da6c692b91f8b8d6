/** A question to a thread, and the thread's part of the answer. */
export interface Envelope<M> {
  readonly ticket: number;
  readonly body: M;
}

/** What the thread sends back for a ticket. */
export type Reply<R> =
  | { readonly ticket: number; readonly body: R }
  | { readonly ticket: number; readonly error: string }
  | { readonly ticket: number; readonly note: unknown };

/** The thread's side: answers each question in turn with what `handle` returns or throws. */
export function serve<M, R>(
  port: {
    on(event: "message", listen: (message: Envelope<M>) => void): void;
    postMessage(message: Reply<R>): void;
  },
  handle: (body: M, note: (note: unknown) => void) => R | Promise<R>,
): void {
  let last: Promise<void> = Promise.resolve();
  const answer = async ({ ticket, body }: Envelope<M>): Promise<void> => {
    try {
      port.postMessage({ ticket, body: await handle(body, (note) => port.postMessage({ ticket, note })) });
    } catch (error) {
      port.postMessage({ ticket, error: error instanceof Error ? error.message : String(error) });
    }
  };
  port.on("message", (message) => {
    last = last.then(() => answer(message));
  });
}
