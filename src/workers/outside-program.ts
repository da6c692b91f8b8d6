import { moduleBeside } from "../module-beside.ts";
import { MessageChannel, type MessagePort } from "node:worker_threads";
import { Mailbox, newNotifier } from "./mailbox.ts";
import { processorSeconds, wantsProcessor } from "./processor-time.ts";
import { startWorker, type WorkerThread } from "./worker-thread.ts";

/** Maximum length of a line in characters; a program that writes more without a line end does not write lines. */
const LONGEST_LINE = 1 << 20;

/** The message to the thread that runs programs: start one. */
export interface StartProgram {
  readonly command: readonly string[];
  readonly port: MessagePort;
  /** Notified for each message on the port. */
  readonly notifier: Int32Array;
}

/** A message to a program, through its port. */
export type ToProgram =
  | { readonly type: "write"; readonly text: string }
  /** The last output has been read; the next may follow. */
  | { readonly type: "more" }
  | { readonly type: "stop" };

/** A message from a program. */
export type FromProgram =
  | { readonly type: "started"; readonly pid: number }
  | { readonly type: "output"; readonly text: string }
  | { readonly type: "ended"; readonly reason: string };

/** The result of waiting for a line. */
export type LineResult =
  | { readonly type: "line"; readonly line: string }
  /** No line arrived in time. */
  | { readonly type: "silence" }
  /** The line is longer than the maximum. */
  | { readonly type: "flood" }
  /** The program has ended, or could not be started; the reason is text for people. */
  | { readonly type: "ended"; readonly reason: string };

/**
 * Another program that plain code talks to in lines. The calling thread blocks while it waits for a line.
 *
 * A separate thread with a running event loop owns the process; all programs of the calling thread share it. The
 * process never outlives that thread. On POSIX systems it leads a process group, and a small guard kills the group
 * (SIGKILL) as soon as the thread closes a pipe: by `stop`, at the end of the thread, or when the whole process is
 * killed. Standard output is read one piece at a time, so the pipe holds up a program that writes too much. Standard
 * error is read and dropped, except for its last characters, which explain why a program ended.
 */
export class OutsideProgram {
  readonly #port: MessagePort;
  readonly #mailbox: Mailbox<FromProgram>;
  /** Output that has not been returned as lines yet. */
  #rest = "";
  #ended: string | undefined;
  /** The number of its process; known before its first output is read. */
  #pid: number | undefined;

  /** Starts a program, given by name or path and arguments. Whether it exists is known only when `readLine` returns. */
  constructor(command: readonly string[]) {
    const { port1, port2 } = new MessageChannel();
    const notifier = newNotifier();
    this.#port = port1;
    this.#mailbox = new Mailbox(port1, notifier);
    const start: StartProgram = { command, port: port2, notifier };
    programThread().post(start, [port2]);
  }

  /** Writes text to the standard input of the program. If the program has ended, `readLine` reports it. */
  write(text: string): void {
    this.#post({ type: "write", text });
  }

  /** The next line of standard output without its line end; blocks for at most `milliseconds`. */
  readLine(milliseconds: number): LineResult {
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
      else if (message.type === "started") this.#pid = message.pid;
      else {
        this.#rest += message.text;
        this.#post({ type: "more" });
      }
    }
  }

  /**
   * Processor seconds of the program and its children since its start; undefined if they are not known, as before its first
   * line, after its end, and on systems other than Linux.
   */
  processorSeconds(): number | undefined {
    return this.#pid === undefined || this.#ended !== undefined ? undefined : processorSeconds(this.#pid);
  }

  /** Whether the program or a child of it computes now, or waits for a processor; undefined if it is not known, as above. */
  wantsProcessor(): boolean | undefined {
    return this.#pid === undefined || this.#ended !== undefined ? undefined : wantsProcessor(this.#pid);
  }

  /** Kills the program and all processes of its group, now. */
  stop(): void {
    this.#ended ??= "it was stopped";
    this.#rest = "";
    this.#post({ type: "stop" });
  }

  #post(message: ToProgram): void {
    this.#port.postMessage(message);
  }
}

let thread: WorkerThread<StartProgram, never> | undefined;

function programThread(): WorkerThread<StartProgram, never> {
  if (thread === undefined) {
    const module = moduleBeside("outside-program-thread", import.meta.url);
    thread = startWorker<StartProgram, never>({ name: "outside programs", module, data: undefined });
    thread.release();
  }
  return thread;
}
