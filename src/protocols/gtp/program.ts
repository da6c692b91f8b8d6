import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Where Debian puts games. Its superuser's PATH lacks these folders. */
const GAMES = ["/usr/games", "/usr/local/games"];

/** A program that a command names cannot be started on this machine. The message says why, and what to do. */
export class ProgramMissing extends Error {
  readonly _tag = "ProgramMissing";

  constructor(message: string) {
    super(message);
    this.name = "ProgramMissing";
  }
}

/**
 * The words of a command as they are started. An element `$NAME` is replaced by the words of the environment variable NAME,
 * split at blanks. A program without a path is looked for in the folders of PATH, then in those where Debian puts games.
 *
 * Throws ProgramMissing if a variable is not set, or if there is no such program. On Windows, which completes program
 * names by its own rules, programs are not looked for.
 */
export function startedCommand(
  command: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string[] {
  const [program, ...rest] = command.flatMap((element) => wordsOf(element, environment)) as [
    string,
    ...string[],
  ];
  return [
    programPath(program, "install it, or name another one in the agent's command", environment),
    ...rest,
  ];
}

/**
 * The path of a program that is named without arguments, found as `startedCommand` does. Throws ProgramMissing, whose message ends
 * with `remedy`.
 */
export function programPath(
  program: string,
  remedy: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string {
  if (process.platform === "win32") return program;
  if (program.includes("/")) {
    if (!executable(program)) throw new ProgramMissing(`"${program}" is not an executable file; ${remedy}`);
    return program;
  }
  const folders = [...(environment["PATH"] ?? "").split(delimiter), ...GAMES];
  const folder = folders.find((each) => executable(join(each, program)));
  if (folder === undefined)
    throw new ProgramMissing(
      `there is no program "${program}" on the PATH or in ${GAMES.join(", ")}; ${remedy}`,
    );
  return join(folder, program);
}

/** The words of an element of a command. */
function wordsOf(element: string, environment: Readonly<Record<string, string | undefined>>): string[] {
  const name = /^\$([A-Za-z_]\w*)$/.exec(element)?.[1];
  if (name === undefined) return [element];
  const words = (environment[name] ?? "").split(/\s+/).filter((word) => word !== "");
  if (words.length === 0)
    throw new ProgramMissing(
      `its command needs the environment variable ${name}, which is not set; set it to the program and its arguments`,
    );
  return words;
}

function executable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
