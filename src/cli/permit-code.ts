import { existsSync } from "node:fs";
import type { Command } from "commander";
import { askYes, canAsk } from "./ask.ts";
import { FileNotWritten } from "../formats/files/file-not-written.ts";
import type { Experiment } from "../operators/experiment/open-experiment.ts";
import { isOtherProgram } from "../operators/experiment/agent-kinds.ts";
import { allow, CodeNotAllowed, listOf, notAllowed, type Permit } from "../graph/code/permission.ts";

/** The flag of commands that start programs and load plug-ins. */
export interface AllowCodeFlag {
  readonly allowCode?: boolean;
}

/** Adds the flag that allows programs and plug-ins. */
export function allowCodeOption(command: Command): Command {
  return command.option(
    "--allow-code",
    "start the programs and load the plug-ins that the file names; without it you are asked once, on a terminal",
  );
}

/** What the user has allowed in this process though it cannot be remembered. */
const allowedNow = new Set<string>();

/**
 * Permits code by the flag or by an earlier permission, and asks on a terminal otherwise. The answer yes is remembered; the
 * flag holds for this command only.
 */
export function permitByUser({ allowCode }: AllowCodeFlag): Permit {
  return async (code) => {
    const pending =
      allowCode === true ? [] : notAllowed(code).filter(({ content }) => !allowedNow.has(content));
    if (pending.length === 0) return;
    if (!canAsk()) throw new CodeNotAllowed(pending);
    process.stderr.write(
      `${listOf(pending)}\nSuch code has your rights on this machine. The answer yes is remembered until something of it changes.\n`,
    );
    // Ctrl-C and the end of the input give no permission.
    if (!(await askYes("Allow it?")))
      throw new CodeNotAllowed(pending, "You have not allowed it: none of it was started or loaded.");
    try {
      allow(pending);
    } catch (error) {
      if (!(error instanceof FileNotWritten)) throw error;
      for (const { content } of pending) allowedNow.add(content);
      process.stderr.write(`this answer cannot be remembered: ${error.message}\n`);
    }
  };
}

/** Says on standard error which programs of a file a command does not start. */
export function warnNotStarted(file: string, { agents, compute }: Experiment): void {
  if (compute.python !== undefined)
    process.stderr.write(`${file}: not started here, this Python computes the nets: ${compute.python}\n`);
  const names = Object.entries(agents)
    .filter(([, agent]) => isOtherProgram(agent))
    .map(([name]) => name);
  if (names.length > 0)
    process.stderr.write(`${file}: not started here, these agents are other programs: ${names.join(", ")}\n`);
}

/** Says on standard error which plug-ins of a file or a run a command does not load. */
export function warnNotLoaded(where: string, { notLoaded }: { readonly notLoaded: readonly string[] }): void {
  for (const file of notLoaded)
    process.stderr.write(
      existsSync(file)
        ? `${where}: the plug-in ${file} was not loaded, because you have not allowed it: add --allow-code if you trust it\n`
        : `${where}: the plug-in ${file} was not loaded: there is no such file\n`,
    );
}
