import { type GtpResponseHead, parseGtpResponse, plain } from "./text.ts";
import { ProgramMissing, startedCommand } from "./program.ts";
import { PlayerFailed } from "../../search/player-failed.ts";
import { type LineResult, OutsideProgram } from "../../workers/outside-program.ts";
import { ResponseWait } from "../../workers/response-wait.ts";

/** Most characters of a response, its line ends counted. */
const LONGEST_RESPONSE = 1 << 20;

const silence: LineResult = { type: "silence" };

/** How a program is spoken to. */
export interface GtpClientOptions {
  /** Bounds the wait for each response (see `ResponseWait`), the start included in the first. */
  readonly timeoutMs: number;
  /** Whether lines before a response that are no response are skipped. Otherwise they are a failure. */
  readonly skipsChatter: boolean;
}

/** How long a program may take to end after `quit`, in milliseconds. */
const GRACE_MS = 1000;

/**
 * The controller's side of GTP over a program that it starts, for code that blocks.
 *
 * `send` throws PlayerFailed if the program refuses a command, gives no response in time, writes text that is no
 * response, or ends. The caller then stops the program.
 */
export class GtpClient {
  readonly #command: readonly string[];
  readonly #timeoutMs: number;
  readonly #skipsChatter: boolean;
  readonly #program: OutsideProgram;
  #known: ReadonlySet<string> | undefined;
  #sent = 0;

  /** Starts the program of a command (see `startedCommand`). Throws PlayerFailed if there is no such program. */
  constructor(command: readonly string[], { skipsChatter, timeoutMs }: GtpClientOptions) {
    this.#command = command;
    this.#timeoutMs = timeoutMs;
    this.#skipsChatter = skipsChatter;
    let started: readonly string[];
    try {
      started = startedCommand(command);
    } catch (error) {
      if (!(error instanceof ProgramMissing)) throw error;
      throw this.failed(error.message);
    }
    this.#program = new OutsideProgram(started);
  }

  /** Sends a command; returns the text of its response, with its line ends. */
  send(command: string): string {
    return this.#send(command, this.#timeoutMs);
  }

  /** Whether the program lists a command as known. */
  knows(command: string): boolean {
    this.#known ??= new Set(this.send("list_commands").split(/\s+/));
    return this.#known.has(command);
  }

  /** Processor seconds of the program and its children; undefined if they are not known. */
  processorSeconds(): number | undefined {
    return this.#program.processorSeconds();
  }

  /** Sends `quit`, then ends the program. */
  quit(): void {
    try {
      this.#send("quit", GRACE_MS);
    } catch (error) {
      if (!(error instanceof PlayerFailed)) throw error;
    }
    this.stop();
  }

  /** Ends the program at once. */
  stop(): void {
    this.#program.stop();
  }

  #send(command: string, timeoutMs: number): string {
    const wait = new ResponseWait(this.#program, timeoutMs);
    const id = String(++this.#sent);
    this.#program.write(`${id} ${command}\n`);
    const { line: first, start } = this.#responseStart(command, id, wait);
    const lines = [start.text];
    let length = first.length;
    for (let line = this.#line(command, wait); line !== ""; line = this.#line(command, wait)) {
      lines.push(line);
      length += line.length + 1;
      if (length > LONGEST_RESPONSE) throw this.failed(`responds to "${command}" without an end`);
    }
    const text = lines.join("\n").trim();
    if (!start.ok) throw this.failed(`refused "${command}": ${shown(text)}`);
    return text;
  }

  /** The first line of the response with this number. */
  #responseStart(
    command: string,
    id: string,
    wait: ResponseWait,
  ): { readonly line: string; readonly start: GtpResponseHead } {
    let skipped = 0;
    for (let before: string | undefined; ;) {
      const line = this.#line(command, wait, before);
      // Empty lines between responses are skipped: some programs end a response with more than one.
      if (line.trim() === "") continue;
      const start = parseGtpResponse(line);
      if (start?.id === id) return { line, start };
      if (!this.#skipsChatter)
        throw this.failed(
          `responded to "${command}" with ${shown(line)}, which is no GTP response to it${start === undefined ? "; an agent with chatter: skip skips such lines" : ""}`,
        );
      before = line;
      skipped += line.length + 1;
      if (skipped > LONGEST_RESPONSE) throw this.failed(`chatters without a response to "${command}"`);
    }
  }

  /** The error of this program's failure. */
  failed(why: string): PlayerFailed {
    return new PlayerFailed(`${this.#command.join(" ")}: ${why}`);
  }

  /** What the program writes before the wait is over. */
  #within(wait: ResponseWait): LineResult {
    for (let left = wait.next(); left > 0; left = wait.next()) {
      const read = this.#program.readLine(left);
      if (read.type !== "silence") return read;
    }
    return silence;
  }

  /** The next line; `skipped` is the last one that was skipped before it. */
  #line(command: string, wait: ResponseWait, skipped?: string): string {
    const read = this.#within(wait);
    if (read.type === "line") return plain(read.line);
    if (read.type === "silence")
      throw this.failed(
        `gave no response to "${command}" within ${wait.text}${skipped === undefined ? "" : `; the last line that was skipped is ${shown(skipped)}`}`,
      );
    if (read.type === "flood") throw this.failed(`responds to "${command}" without an end`);
    throw this.failed(`gone at "${command}": ${read.reason}`);
  }
}

function shown(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 77)}...` : text);
}
