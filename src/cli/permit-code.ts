import { createInterface } from "node:readline/promises";
import type { Command } from "commander";
import { FileNotWritten } from "../formats/files/file-not-written.ts";
import type { Experiment } from "../operators/experiment/open-experiment.ts";
import { isOtherProgram } from "../operators/experiment/agent-kinds.ts";
import { allow, CodeNotAllowed, listOf, notAllowed, type Permit } from "../graph/code/permission.ts";

/** The flag of commands that start programs. */
export interface AllowCodeFlag {
  readonly allowCode?: boolean;
}

/** Adds the flag that allows programs. */
export function allowCodeOption(command: Command): Command {
  return command.option(
    "--allow-code",
    "start the programs that the file names; without it you are asked once, on a terminal",
  );
}

/**
 * Permits code by the flag or by an earlier permission, and asks on a terminal otherwise. The answer yes is remembered; the
 * flag holds for this command only.
 */
export function permitByUser({ allowCode }: AllowCodeFlag): Permit {
  return async (code) => {
    const pending = allowCode === true ? [] : notAllowed(code);
    if (pending.length === 0) return;
    if (!process.stdin.isTTY || !process.stderr.isTTY) throw new CodeNotAllowed(pending);
    process.stderr.write(
      `${listOf(pending)}\nSuch code has your rights on this machine. The answer yes is remembered until something of it changes.\n`,
    );
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    // Ctrl-C and the end of the input are no permission. The question never ends at the end of the input.
    const closed = new Promise<string>((resolve) => terminal.once("close", () => resolve("")));
    const answer = await Promise.race([terminal.question("Allow it? [y/N] ").catch(() => ""), closed]);
    terminal.close();
    if (!/^y(?:es)?$/i.test(answer.trim())) throw new CodeNotAllowed(pending);
    try {
      allow(pending);
    } catch (error) {
      if (!(error instanceof FileNotWritten)) throw error;
      process.stderr.write(`this answer cannot be remembered: ${error.message}\n`);
    }
  };
}

/** Tells on standard error which programs of a file a command does not start. */
export function tellNotStarted(file: string, { agents }: Experiment): void {
  const names = Object.entries(agents)
    .filter(([, agent]) => isOtherProgram(agent))
    .map(([name]) => name);
  if (names.length > 0)
    process.stderr.write(`${file}: not started here, these agents are other programs: ${names.join(", ")}\n`);
}
