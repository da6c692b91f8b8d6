import { columnsOf } from "../text-columns.ts";

/** Between the parts of a line of progress. */
export const BETWEEN_PARTS = "  ";

/**
 * The parts of a line that fit into so many columns, one behind the other: a part that does not fit is left out whole, since a
 * number that is cut short would be another number. The first part gives up the blanks at its end for the second one, and is
 * cut if it does not fit alone.
 */
export function fittedParts(parts: readonly string[], width: number, between = BETWEEN_PARTS): string {
  const [first = "", second, ...rest] = parts;
  const name = second !== undefined && columnsOf(first + between + second) > width ? first.trimEnd() : first;
  let line = cutTo(name, width);
  for (const part of second === undefined ? [] : [second, ...rest])
    if (columnsOf(line + between + part) <= width) line += between + part;
  return line;
}

/** The beginning of a text that takes at most so many columns. */
function cutTo(text: string, width: number): string {
  let cut = text;
  while (columnsOf(cut) > width) cut = cut.slice(0, -1);
  return cut;
}
