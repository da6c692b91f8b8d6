import { ProgramMissing, startedCommand } from "../../protocols/gtp/program.ts";
import type { AgentConfig } from "./open-experiment.ts";

/**
 * Throws ProgramMissing if an agent of kind `gtp` names a program that cannot be started here. Whether the program speaks
 * GTP is only known when it plays.
 */
export function demandProgram(name: string, { use, command }: AgentConfig): void {
  if (use !== "gtp") return;
  try {
    startedCommand(command as readonly string[]);
  } catch (error) {
    if (!(error instanceof ProgramMissing)) throw error;
    throw new ProgramMissing(`agent "${name}": ${error.message}`);
  }
}
