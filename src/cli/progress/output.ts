import { write } from "node:fs";
import { setTimeout } from "node:timers/promises";

/** A stream of text for people. */
export interface Output {
  /** Whether it is a terminal, whose lines can be written again. */
  readonly isTTY: boolean;
  /** Width of the terminal in characters; absent if there is none. */
  readonly columns?: number;
  /**
   * Writes text after all that has been written before. It returns at once; the promise is settled when the system has taken
   * the text, or nobody reads it any more.
   */
  write(text: string): Promise<void>;
}

/** The time until a terminal that takes nothing now is tried again. In milliseconds. */
const RETRY_MS = 10;

/**
 * An output that does not hold up the program, however slowly it is read.
 *
 * Node writes to terminals synchronously: a terminal that is stopped (Ctrl-S), or whose connection is slow, would stop the
 * program. Here a thread of Node's pool waits for it. To pipes Node writes asynchronously.
 */
export function outputTo(
  stream: Omit<NodeJS.WriteStream, "isTTY"> & { readonly fd: number; readonly isTTY?: boolean },
): Output {
  let last = Promise.resolve();
  return {
    isTTY: stream.isTTY === true,
    get columns() {
      return stream.columns;
    },
    write: (text) =>
      stream.isTTY
        ? (last = last.then(() => writeAll(stream.fd, Buffer.from(text))))
        : new Promise((resolve) => {
            // An error is an event of the stream too, and answered there.
            stream.write(text, () => resolve());
          }),
  };
}

async function writeAll(file: number, bytes: Buffer): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { error, count } = await writeSome(file, bytes, done);
    if (error === undefined) done += count;
    else if (error.code === "EAGAIN") await setTimeout(RETRY_MS);
    // The terminal is gone: nobody reads.
    else return;
  }
}

function writeSome(file: number, bytes: Buffer, from: number) {
  return new Promise<{ error: NodeJS.ErrnoException | undefined; count: number }>((resolve) =>
    write(file, bytes, from, bytes.length - from, null, (error, count) =>
      resolve({ error: error ?? undefined, count }),
    ),
  );
}
