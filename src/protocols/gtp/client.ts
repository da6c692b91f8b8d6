import { parseGtpResponse, plain } from "./text.ts";
import { ProgramMissing, startedCommand } from "./program.ts";
import { PlayerFailed } from "../../search/player-failed.ts";
import { type LineResult, OutsideProgram } from "../../workers/outside-program.ts";
import { ResponseWait } from "../../workers/response-wait.ts";

/** Most characters of a response, its line ends counted. */
const LONGEST_RESPONSE = 1 << 20;

const silence: LineResult = { type: "silence" };

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
  readonly #program: OutsideProgram;
  #known: ReadonlySet<string> | undefined;
  #sent = 0;

  /**
   * Starts the program of a command (see `startedCommand`); `timeoutMs` bounds the wait for each response (see
   * `ResponseWait`), the start included in the first. Throws PlayerFailed if there is no such program.
   */
  constructor(command: readonly string[], timeoutMs: number) {
    this.#command = command;
    this.#timeoutMs = timeoutMs;
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
    // Empty lines between responses are skipped: some programs end a response with more than one.
    let line = "";
    while (line.trim() === "") line = this.#line(command, wait);
    const start = parseGtpResponse(line);
    if (start === undefined || start.id !== id)
      throw this.failed(`responded to "${command}" with ${shown(line)}, which is no GTP response to it`);
    const lines = [start.text];
    let length = line.length;
    for (line = this.#line(command, wait); line !== ""; line = this.#line(command, wait)) {
      lines.push(line);
      length += line.length + 1;
      if (length > LONGEST_RESPONSE) throw this.failed(`responds to "${command}" without an end`);
    }
    const text = lines.join("\n").trim();
    if (!start.ok) throw this.failed(`refused "${command}": ${shown(text)}`);
    return text;
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

  #line(command: string, wait: ResponseWait): string {
    const read = this.#within(wait);
    if (read.type === "line") return plain(read.line);
    if (read.type === "silence") throw this.failed(`gave no response to "${command}" within ${wait.text}`);
    if (read.type === "flood") throw this.failed(`responds to "${command}" without an end`);
    throw this.failed(`gone at "${command}": ${read.reason}`);
  }
}

function shown(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 77)}...` : text);
}
