import { createHash } from "node:crypto";
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { moduleFilesOf } from "../../plugins/module-files.ts";
import { namedPython, type NamedProgram, programOf } from "../../operators/experiment/named-program.ts";
import type { Experiment } from "../../operators/experiment/open-experiment.ts";

/** Code from outside ludoflow that a file asks to be executed with the rights of the user. */
export interface OutsideCode {
  readonly kind: "program" | "plug-in";
  /** What names it: `agent "gnugo"`. */
  readonly where: string;
  /** What would be executed, for people: a command, a path. Printable ASCII. */
  readonly what: string;
  /** All that decides what is executed, as text. A permission holds for this text, and for no other. */
  readonly content: string;
}

/**
 * The programs that a run of an experiment would start in a folder. Throws ProgramMissing if one cannot be started here.
 *
 * The content of a program is its command with variables replaced and the program found, the folder, the lines that are
 * sent to it first, and the SHA-256 of each file that the command names by a path: an argument can be a script.
 */
export function outsideCodeOf({ agents, compute }: Experiment, folder = process.cwd()): OutsideCode[] {
  const python = namedPython(compute);
  return [
    ...(python === undefined ? [] : [programCode("compute", { command: [python], setUp: [] }, folder)]),
    ...Object.entries(agents).flatMap(([name, agent]) => {
      const program = programOf(name, agent);
      return program === undefined ? [] : [programCode(`agent ${printable(name)}`, program, folder)];
    }),
  ];
}

function programCode(where: string, { command, setUp }: NamedProgram, folder: string): OutsideCode {
  const files = command
    .map((word) => resolve(folder, word))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true)
    .map((path) => [path, sha256(path)]);
  const sent = setUp.length === 0 ? "" : `; sends it: ${setUp.map(printable).join(", ")}`;
  return {
    kind: "program",
    where,
    what: `${command.map(word).join(" ")}${sent}`,
    content: JSON.stringify({ command, folder, setUp, files }),
  };
}

/** A plug-in that `where` names. The content is its path, and all files and packages that can be loaded for it. */
export function pluginCode(path: string, where: string): OutsideCode {
  const { file, files, packages } = moduleFilesOf(path);
  const imported = [
    ...files.filter((each) => each.path !== file).map((each) => relative(dirname(file), each.path)),
    ...packages.map(({ name, version }) => `${name}@${version}`),
  ];
  return {
    kind: "plug-in",
    where: word(where),
    what: `${word(file)}${imported.length === 0 ? "" : `, which imports ${imported.map(word).join(", ")}`}`,
    content: JSON.stringify({
      file,
      files: files.map((each) => [each.path, each.sha256]),
      packages: packages.map(({ name, version, sha256: hash }) => [name, version, hash]),
    }),
  };
}

/** The SHA-256 of a file, read piece by piece: weights of programs can have gigabytes. */
function sha256(path: string): string {
  const hash = createHash("sha256");
  const buffer = new Uint8Array(1 << 20);
  const file = openSync(path, "r");
  try {
    for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer))
      hash.update(buffer.subarray(0, read));
  } finally {
    closeSync(file);
  }
  return hash.digest("hex");
}

/** A word of a command as it is; in quotes if it holds more than plain characters. */
function word(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : printable(text);
}

/** Text in quotes, in printable ASCII: control characters could hide a part of a command from the reader. */
function printable(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[^\u0020-\u007e]/g,
    (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
