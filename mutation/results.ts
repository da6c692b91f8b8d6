import { dirname } from "node:path";
import { encodeCsv } from "../src/formats/csv.ts";
import type { Mutant } from "./mutants.ts";

/** How one mutant fared. */
export interface Result {
  readonly mutant: Mutant;
  readonly end: "killed" | "timed-out" | "survived" | "no-coverage";
  /** The test that noticed it. */
  readonly by?: string;
  /** Test files that were run, and those that enter the mutant's region but were not. */
  readonly run: number;
  readonly left: readonly string[];
  readonly seconds: number;
}

/** What a mutant is called where results are kept; the same fault in the same place has the same name. */
export function idOf({ file, line, column, original, replacement }: Mutant): string {
  return JSON.stringify([file, line, column, original, replacement]);
}

/** A Markdown table of the rooms, with the share of mutants that were noticed. */
export function tableOf(results: readonly Result[]): string {
  const rooms = Map.groupBy(results, ({ mutant }) => dirname(mutant.file));
  const row = (room: string, of: readonly Result[]) => {
    const count = (end: Result["end"]) => of.filter((result) => result.end === end).length;
    const noticed = count("killed") + count("timed-out");
    const score = `${((100 * noticed) / Math.max(1, of.length)).toFixed(1)}%`;
    return [
      room,
      of.length,
      count("killed"),
      count("timed-out"),
      count("survived"),
      count("no-coverage"),
      score,
    ];
  };
  return [
    ["room", "mutants", "killed", "timed out", "survived", "no coverage", "score"],
    ["---", "---:", "---:", "---:", "---:", "---:", "---:"],
    ...[...rooms].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([room, of]) => row(room, of)),
    row("all", results),
  ]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

/** A table of all mutants as CSV, in the order of the sources. */
export function csvOf(results: readonly Result[]): string {
  const names = "file,line,column,fault,original,replacement,end,by,test files,not run".split(",");
  const rows = inOrder(results).map(({ by = "", end, left, mutant, run }) => {
    const { column, file, line, operator, original, replacement } = mutant;
    const change = [original, replacement].map(oneLine);
    return [file, line, column, operator, ...change, end, by.split("\n", 1)[0]!, run, left.length];
  });
  return encodeCsv({ columns: names.map((name) => ({ name, type: "text" }) as const), rows });
}

function inOrder(results: readonly Result[]): Result[] {
  return results.toSorted(
    (a, b) => a.mutant.file.localeCompare(b.mutant.file) || a.mutant.start - b.mutant.start,
  );
}

/** The mutants that no test noticed, each with its line before and after. */
export function survivorsOf(results: readonly Result[], textOf: (file: string) => string): string {
  return inOrder(results)
    .filter(({ end }) => end === "survived" || end === "no-coverage")
    .map(({ mutant, end, run, left }) => {
      const { file, line, column, start, end: stop, operator, replacement } = mutant;
      const text = textOf(file);
      const lineBegin = text.lastIndexOf("\n", start - 1) + 1;
      const lineEnd = text.indexOf("\n", stop) < 0 ? text.length : text.indexOf("\n", stop);
      const before = text.slice(lineBegin, lineEnd);
      const after = text.slice(lineBegin, start) + replacement + text.slice(stop, lineEnd);
      const tests = end === "no-coverage" ? "no test enters it" : `${run} test files`;
      const more = left.length > 0 ? `, ${left.length} more not run` : "";
      return `${file}:${line}:${column} ${operator} (${tests}${more})\n  - ${oneLine(before)}\n  + ${oneLine(after)}`;
    })
    .join("\n");
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s*\n\s*/g, " ");
}
