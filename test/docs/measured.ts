import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { decodeCsv } from "../../src/formats/csv.ts";
import { meanEstimate } from "../../src/stats/intervals.ts";
import { root } from "./pages.ts";

/** Rows of the tables of a page, as cells. */
export type Rows = readonly (readonly string[])[];

/** How a table of the notebook is compared with the data that it was made of. */
export interface Comparison {
  /** Columns with figures that are compared, from 0 on. The others are names, or were measured by hand. */
  readonly columns: readonly number[];
  /** Throws where a figure differs from the data by a unit of its last digit or more, or a row is missing. */
  readonly compare: (rows: Rows) => void;
}

const read = new Map<string, Record<string, string>[]>();

/** The rows of committed data, by column. */
export function data(file: string): Record<string, string>[] {
  let rows = read.get(file);
  if (rows === undefined) {
    const [head, ...lines] = decodeCsv(readFileSync(`${root}docs/${file}`, "utf8"));
    const names = head!.fields;
    rows = lines.map(({ fields }) => Object.fromEntries(fields.map((value, i) => [names[i]!, value])));
    read.set(file, rows);
  }
  return rows;
}

/** How often two agents of a pair, `AI1 - AI2`, took each place, the last place first. */
export const placesOf = (file: string, pair: string): number[][] =>
  pair.split(" - ").map((agent) => {
    const own = data(file).filter(
      (row) => row["stage"] === pair.replace(" - ", "-") && row["agent"] === agent,
    );
    expect(own.map((row) => row["place"])).toEqual([5, 4, 3, 2, 1].map((place) => `place ${place}`));
    return own.map((row) => Number(row["times"]));
  });

/** Columns of a row of data as numbers. */
export const of = (row: Readonly<Record<string, string>>, ...names: readonly string[]) =>
  names.map((name) => Number(row[name]));

/** Columns of a row of data that are shares, in per cent. */
export const percent = (row: Readonly<Record<string, string>>, ...names: readonly string[]) =>
  of(row, ...names).map((share) => 100 * share);

/** The share won in per cent, with its interval, of a row of a report's standings. */
export const wonOf = (row: Readonly<Record<string, string>>): number[] =>
  percent(row, "won", "won low", "won high");

/** A mean and its interval. */
export const meanOf = (values: readonly number[]): number[] => {
  const { value, interval } = meanEstimate(values);
  return [value, ...interval];
};

/** The numbers in a text as they are written, in order, without commas between thousands. */
const written = (text: string) =>
  [...text.replaceAll(/(?<=\d),(?=\d{3})/g, "").matchAll(/-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?/g)].map(
    ([number]) => number,
  );

/** The numbers in a text. */
export const numbers = (text: string) => written(text).map(Number);

/** Expects the numbers of a text to be the measured ones, to less than a unit of their last digits. */
export function expectMeasured(text: string, measured: readonly number[], where: string): void {
  expect(written(text).length, `${where}: ${text}`).toBe(measured.length);
  for (const [i, number] of written(text).entries()) {
    const [mantissa, exponent] = number.split("e");
    const unit = 10 ** (Number(exponent ?? 0) - (mantissa!.split(".")[1]?.length ?? 0));
    const difference = Math.abs(Number(number) - measured[i]!);
    expect(difference, `${where}: ${number} of ${text}, measured ${measured[i]}`).toBeLessThan(unit);
  }
}
