import { MessageChannel, type MessagePort } from "node:worker_threads";
import { Mailbox, newNotifier } from "./mailbox.ts";
import { startWorker, workerModule, type WorkerThread } from "./worker-thread.ts";

/** Most characters of a line: a program that writes more without an end is not speaking in lines. */
const LONGEST_LINE = 1 << 20;

/** What the thread that runs programs is told: to start one. */
export interface StartProgram {
  readonly command: readonly string[];
  readonly port: MessagePort;
  /** Rung for each message on the port. */
  readonly notifier: Int32Array;
}

/** What is said to a program, through its port. */
export type ToProgram =
  | { readonly type: "write"; readonly text: string }
  /** The last output has been taken in: the next may come. */
  | { readonly type: "more" }
  | { readonly type: "stop" };

/** What comes from a program. */
export type FromProgram =
  | { readonly type: "output"; readonly text: string }
  | { readonly type: "ended"; readonly reason: string };

/** What was heard when a line was waited for. */
export type Heard =
  | { readonly type: "line"; readonly line: string }
  /** Nothing came in time. */
  | { readonly type: "silence" }
  /** A line without an end. */
  | { readonly type: "flood" }
  /** The program is gone, or could not be started; the reason is for people. */
  | { readonly type: "ended"; readonly reason: string };

/**
 * Another program, spoken to in lines by plain code: the calling thread blocks while it waits.
 *
 * The process belongs to a thread of its own with a running event loop, one for all programs of the calling thread.
 * It never outlives that thread: on POSIX systems it is the leader of a process group that a small guard kills (SIGKILL)
 * as soon as a pipe held by the thread is closed, whether by `stop`, because the thread was ended, or because the whole
 * process was killed. What the program writes to standard output is taken one piece at a time, so one that floods
 * it is held up by its own pipe; standard error is read and dropped, but for its end, which explains a death.
 */
export class OutsideProgram {
  readonly #port: MessagePort;
  readonly #mailbox: Mailbox<FromProgram>;
  /** Output not yet handed out as lines. */
  #rest = "";
  #ended: string | undefined;

  /** Starts a program: its name or path, and its arguments. It is not known here yet whether there is such a one. */
  constructor(command: readonly string[]) {
    const { port1, port2 } = new MessageChannel();
    const notifier = newNotifier();
    this.#port = port1;
    this.#mailbox = new Mailbox(port1, notifier);
    const start: StartProgram = { command, port: port2, notifier };
    programThread().post(start, [port2]);
  }

  /** Writes text to the program's standard input; where it has gone, `readLine` says so. */
  write(text: string): void {
    this.#tell({ type: "write", text });
  }

  /** The next line of standard output without its end; blocks up to `milliseconds`. */
  readLine(milliseconds: number): Heard {
    const deadline = performance.now() + milliseconds;
    for (;;) {
      const end = this.#rest.indexOf("\n");
      if (end >= 0) {
        const line = this.#rest.slice(0, end);
        this.#rest = this.#rest.slice(end + 1);
        return { type: "line", line };
      }
      if (this.#ended !== undefined) return { type: "ended", reason: this.#ended };
      if (this.#rest.length > LONGEST_LINE) return { type: "flood" };
      const message = this.#mailbox.takeWithin(deadline - performance.now());
      if (message === undefined) return { type: "silence" };
      if (message.type === "ended") this.#ended = message.reason;
      else {
        this.#rest += message.text;
        this.#tell({ type: "more" });
      }
    }
  }

  /** Kills the program and all processes of its group, now. */
  stop(): void {
    this.#ended ??= "it was stopped";
    this.#rest = "";
    this.#tell({ type: "stop" });
  }

  #tell(message: ToProgram): void {
    this.#port.postMessage(message);
  }
}

let thread: WorkerThread<StartProgram, never> | undefined;

function programThread(): WorkerThread<StartProgram, never> {
  if (thread === undefined) {
    const module = workerModule("outside-program-thread", import.meta.url);
    thread = startWorker<StartProgram, never>({ name: "outside programs", module, data: undefined });
    thread.release();
  }
  return thread;
}
