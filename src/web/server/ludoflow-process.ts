import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { howEnded } from "../../workers/how-ended.ts";
import { packageRoot } from "../../package-root.ts";

/** The most that is kept of what a command prints. In letters. */
const MOST_TEXT = 20_000;

/** A command of ludoflow in its own process. */
export interface LudoflowProcess {
  /** What it has printed so far, its end if it is long. */
  readonly text: () => string;
  /** Its exit code, once it has ended; 1 if it was ended by a signal. */
  readonly ended: Promise<number>;
  /** Ends it. */
  readonly stop: () => void;
}

/**
 * Starts a command. It has no terminal, so it asks nothing: code that the user has not allowed is refused. A command that is
 * `detached` continues when the page's server ends. `onLine` gets each line of its standard output.
 */
export function startLudoflow(
  args: readonly string[],
  detached = false,
  onLine?: (line: string) => void,
): LudoflowProcess {
  const child: ChildProcess = spawn(process.execPath, [join(packageRoot(), "bin", "ludoflow.js"), ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    detached,
    windowsHide: true,
  });
  let text = "";
  for (const output of [child.stdout, child.stderr])
    output?.setEncoding("utf8").on("data", (more: string) => (text = (text + more).slice(-MOST_TEXT)));
  let rest = "";
  if (onLine !== undefined)
    child.stdout?.on("data", (more: string) => {
      const lines = (rest + more).split("\n");
      rest = lines.pop()!;
      for (const line of lines) onLine(line);
    });
  const ended = new Promise<number>((resolve) => {
    child.once("exit", (code, signal) => {
      if (signal !== null) text += `\nits process was ended ${howEnded(code, signal, "remedy")}`;
      resolve(code ?? 1);
    });
    child.once("error", (error) => {
      text += error.message;
      resolve(1);
    });
  });
  if (detached) child.unref();
  return { text: () => text, ended, stop: () => void child.kill() };
}
