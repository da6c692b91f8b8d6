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

/** `file:line:column: path: message`, the form editors and terminals make clickable. */
export function formatProblem(problem: Problem): string {
  const place = problem.line > 0 ? `${problem.file}:${problem.line}:${problem.column}` : problem.file;
  return problem.path === ""
    ? `${place}: ${problem.message}`
    : `${place}: ${problem.path}: ${problem.message}`;
}

/** The problems of an experiment, in reading order. Nothing has been started or written. */
export class ExperimentInvalid extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const ordered = problems.toSorted(
      (a, b) => a.file.localeCompare(b.file) || a.line - b.line || a.column - b.column,
    );
    super(ordered.map(formatProblem).join("\n"));
    this.name = "ExperimentInvalid";
    this.problems = ordered;
  }
}
