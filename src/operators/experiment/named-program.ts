import { ProgramMissing, programPath, startedCommand } from "../../protocols/gtp/program.ts";
import type { AgentConfig, ComputeConfig, Experiment } from "./open-experiment.ts";

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

/**
 * The path of the Python that computes nets, if an experiment names one; the one that is started otherwise is ludoflow's choice.
 * Throws ProgramMissing if it cannot be started here.
 */
export function namedPython({ engine, python }: ComputeConfig): string | undefined {
  if (engine !== "torch" || python === undefined) return undefined;
  try {
    return programPath(python, "name a Python that has PyTorch, or leave python out to take python3");
  } catch (error) {
    if (!(error instanceof ProgramMissing)) throw error;
    throw new ProgramMissing(`compute: ${error.message}`);
  }
}

/** Checks that the programs that an experiment names can be started here. Throws ProgramMissing. */
export function assertPrograms({ agents, compute }: Pick<Experiment, "agents" | "compute">): void {
  for (const [name, agent] of Object.entries(agents)) programOf(name, agent);
  namedPython(compute);
}
