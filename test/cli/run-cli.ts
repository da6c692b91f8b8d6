import { type ChildProcessByStdio, spawn } from "node:child_process";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import type { RunEvent } from "../../src/events/event.ts";

/** The program. */
export const bin = join(import.meta.dirname, "../../bin/ludoflow.js");

/** How a command has ended, and what it said. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

/** A command under way. */
export interface Command {
  readonly process: ChildProcessByStdio<null, Readable, Readable>;
  /** Resolves at the first event of `--json` that is the one wanted; rejects if the command ends before. */
  event(wanted: (event: RunEvent) => boolean): Promise<RunEvent>;
  /** Resolves when standard error has said this. */
  said(text: string): Promise<void>;
  readonly ended: Promise<Ended>;
}

/** Starts `ludoflow` with these arguments, in a process of its own; `env` is added to the environment. */
export function ludoflow(
  args: readonly string[],
  cwd?: string,
  env?: Readonly<Record<string, string>>,
): Command {
  const child = spawn(process.execPath, [bin, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    ...(cwd === undefined ? {} : { cwd }),
    env: { ...process.env, ...env },
  });
  let out = "";
  let err = "";
  const onData = new Set<() => void>();
  child.stdout.on("data", (bytes: Buffer) => {
    out += bytes.toString();
    for (const look of onData) look();
  });
  child.stderr.on("data", (bytes: Buffer) => {
    err += bytes.toString();
    for (const look of onData) look();
  });
  const ended = new Promise<Ended>((resolve) =>
    child.on("close", (code, signal) => resolve({ code, signal, out, err })),
  );
  const until = <T>(what: string, find: () => T | undefined) =>
    new Promise<T>((resolve, reject) => {
      const look = () => {
        const found = find();
        if (found === undefined) return;
        onData.delete(look);
        resolve(found);
      };
      onData.add(look);
      look();
      void ended.then(() => reject(new Error(`the command ended before ${what}: ${err}`)));
    });
  return {
    process: child,
    ended,
    event: (wanted) =>
      until("the event", () => eventsIn(out.slice(0, out.lastIndexOf("\n") + 1)).find(wanted)),
    said: (text) =>
      until(`it said ${text}`, () => (err.includes(text) ? true : undefined)).then(() => undefined),
  };
}

/**
 * Runs `ludoflow` in a process that ends itself by SIGKILL right after so many writes to a file of the run, which is named by the end
 * of its path. A kill from outside at an event may come after the end of a run of seconds, for observers get events later; this
 * one always comes at the same state of the run.
 */
export async function ludoflowKilled(
  args: readonly string[],
  cwd: string,
  { file, writes }: { readonly file: string; readonly writes: number },
): Promise<void> {
  const preload = pathToFileURL(join(import.meta.dirname, "end-at-write.ts")).href;
  const { err, signal } = await ludoflow(args, cwd, {
    NODE_OPTIONS: `${process.env["NODE_OPTIONS"] ?? ""} --import=${preload}`,
    LUDOFLOW_END_AT_WRITE: `${file}:${writes}`,
  }).ended;
  if (signal !== "SIGKILL") throw new Error(`the command ended before write ${writes} to ${file}: ${err}`);
}

/** The events of whole lines of `--json`; throws if a line is not JSON. */
export function eventsIn(out: string): RunEvent[] {
  return out
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as RunEvent);
}
