import { it } from "vitest";

/** The tenth, 0 to 9, that `npm run trust -- --tenth COMMIT` sets in `LUDOFLOW_TENTH`; undefined for all. */
const tenth = process.env["LUDOFLOW_TENTH"];

/** Whether a case belongs to this tenth, by its number: every tenth one does. */
const isChosen = (number: number) => tenth === undefined || number % 10 === Number(tenth);

/** The cases of a suite that belong to this tenth. */
export function ofThisTenth<T>(cases: readonly T[]): readonly T[] {
  return cases.filter((_, i) => isChosen(i));
}

/** Defines tests as vitest's `it` does: of those that are named one after another, the ones that belong to this tenth. */
export function itOfThisTenth(): typeof define {
  let number = 0;
  return (...test) => (isChosen(number++) ? define : ignore)(...test);
}

function define(name: string, body: () => Promise<void>): void {
  it(name, body);
}

function ignore(): void {}
