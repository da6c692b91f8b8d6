import { counted } from "../messages/counted.ts";

/** One mistake in an experiment file, with its place and remedy. */
export interface Problem {
  readonly file: string;
  /** 1-based; 0 if the problem has no place in the file. */
  readonly line: number;
  readonly column: number;
  /** Dotted path of the key or value: `graph.weights.batch`. */
  readonly path: string;
  readonly message: string;
}

/** The most characters of a problem that are shown from its start and from its end: a name may have any length. */
const MOST_CHARACTERS = 1000;

/** `file:line:column: path: message`, the form editors and terminals make clickable. */
export function formatProblem({ column, file, line, message, path }: Problem): string {
  const place = line > 0 ? `${file}:${line}:${column}` : file;
  const text = [place, ...(path === "" ? [] : [path]), message].join(": ");
  return text.length > 2 * MOST_CHARACTERS
    ? `${text.slice(0, MOST_CHARACTERS)}...${text.slice(-MOST_CHARACTERS)}`
    : text;
}

/** The most problems that a message lists: a file that is not an experiment has thousands, and one mistake can cause many. */
const MOST_LISTED = 20;

/** The problems of an experiment, in reading order. Nothing has been started or written. */
export class ExperimentInvalid extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const ordered = problems.toSorted(
      (a, b) => a.file.localeCompare(b.file) || a.line - b.line || a.column - b.column,
    );
    const more = ordered.length - MOST_LISTED;
    super(
      [
        ...ordered.slice(0, MOST_LISTED).map(formatProblem),
        ...(more > 0 ? [`and ${counted(more, "more mistake")}`] : []),
      ].join("\n"),
    );
    this.name = "ExperimentInvalid";
    this.problems = ordered;
  }
}
