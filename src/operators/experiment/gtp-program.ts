import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { AgentConfig } from "./open-experiment.ts";

/** A program that an agent needs is not on this machine. */
export class ProgramMissing extends Error {
  readonly _tag = "ProgramMissing";

  constructor(message: string) {
    super(message);
    this.name = "ProgramMissing";
  }
}

/**
 * Throws ProgramMissing if an agent of kind `gtp` names a program that cannot be started here. Whether the program speaks
 * GTP is only known when it plays. Nothing is checked on Windows, which completes program names by its own rules.
 */
export function demandProgram(name: string, { use, command }: AgentConfig): void {
  if (use !== "gtp" || process.platform === "win32") return;
  const [program] = command as readonly [string, ...string[]];
  const remedy = "install it, or name another one in the agent's command";
  if (program.includes("/")) {
    if (!executable(program))
      throw new ProgramMissing(`agent "${name}": "${program}" is not an executable file; ${remedy}`);
    return;
  }
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  if (!folders.some((folder) => executable(join(folder, program))))
    throw new ProgramMissing(`agent "${name}": there is no program "${program}" on the PATH; ${remedy}`);
}

function executable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
