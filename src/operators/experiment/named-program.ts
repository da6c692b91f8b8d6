import { ProgramMissing, startedCommand } from "../../protocols/gtp/program.ts";
import type { AgentConfig } from "./open-experiment.ts";

/** A program that plays for an agent. */
export interface NamedProgram {
  /** The words of its command as they are started. */
  readonly command: readonly string[];
  /** The lines that are sent to it after each start. */
  readonly setUp: readonly string[];
}

/**
 * The program that plays for an agent of kind `gtp`; undefined for other agents. Throws ProgramMissing if it cannot be
 * started here. Whether the program speaks GTP is only known when it plays.
 */
export function programOf(name: string, { use, command, setUp }: AgentConfig): NamedProgram | undefined {
  if (use !== "gtp") return undefined;
  try {
    return {
      command: startedCommand(command as readonly string[]),
      setUp: (setUp as readonly string[] | undefined) ?? [],
    };
  } catch (error) {
    if (!(error instanceof ProgramMissing)) throw error;
    throw new ProgramMissing(`agent "${name}": ${error.message}`);
  }
}
