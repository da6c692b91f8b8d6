import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { bin } from "./run-cli.ts";

const SCRIPT = "/usr/bin/script";
/** Whether no pseudo terminal can be had here: tests that need one are then skipped. */
export const noTerminal = !existsSync(SCRIPT);
/** What is missing then. */
export const NO_TERMINAL = "no pseudo terminal: script of util-linux";

/** What a command on a terminal has shown, and its exit code. */
export interface Shown {
  readonly code: number | null;
  /** All that the terminal got, the answer's echo and control sequences too, with line feeds alone. */
  readonly text: string;
}

/** Runs `ludoflow` with these arguments on a pseudo terminal so many columns wide; types `answer` when `question` is shown. */
export function onTerminal(
  args: readonly string[],
  {
    answer,
    columns = 80,
    cwd,
    question,
  }: {
    readonly cwd: string;
    readonly columns?: number;
    readonly question?: string;
    readonly answer?: string;
  },
): Promise<Shown> {
  const quoted = [process.execPath, bin, ...args].map((arg) => `'${arg.replaceAll("'", `'\\''`)}'`);
  const command = `stty cols ${columns}; exec ${quoted.join(" ")}`;
  const child = spawn(SCRIPT, ["--quiet", "--return", "--command", command, "/dev/null"], {
    cwd,
    env: { ...process.env, SHELL: "/bin/sh", TERM: "xterm" },
    stdio: ["pipe", "pipe", "ignore"],
  });
  let text = "";
  let asked = false;
  child.stdout.setEncoding("utf8").on("data", (more: string) => {
    text += more;
    if (asked || question === undefined || !text.includes(question)) return;
    asked = true;
    child.stdin.write(answer!);
  });
  return new Promise((resolve) =>
    child.once("close", (code) => resolve({ code, text: text.replaceAll("\r\n", "\n") })),
  );
}
