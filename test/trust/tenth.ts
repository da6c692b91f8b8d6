import { it } from "vitest";

/**
 * The cases of a suite that belong to the tenth in `LUDOFLOW_TENTH` (0 to 9), which `npm run trust -- --tenth COMMIT` sets: every
 * tenth case. Without the variable all cases.
 */
export function ofThisTenth<T>(cases: readonly T[]): readonly T[] {
  const tenth = process.env["LUDOFLOW_TENTH"];
  return tenth === undefined ? cases : cases.filter((_, i) => i % 10 === Number(tenth));
}

/** Defines tests as vitest's `it` does: of those that are named one after another, the ones that belong to this tenth. */
export function itOfThisTenth(): typeof define {
  const tenth = process.env["LUDOFLOW_TENTH"];
  let number = 0;
  return (...test) => {
    const isChosen = tenth === undefined || number % 10 === Number(tenth);
    number++;
    (isChosen ? define : ignore)(...test);
  };
}

function define(name: string, body: () => Promise<void>): void {
  it(name, body);
}

function ignore(): void {}
