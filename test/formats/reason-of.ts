import { expect } from "vitest";

/** The message of the error of this kind that a step throws. Throws if the step throws nothing. */
export function reasonOf(kind: new (...given: never[]) => Error, step: () => unknown): string {
  try {
    step();
  } catch (error) {
    expect(error).toBeInstanceOf(kind);
    return (error as Error).message;
  }
  throw new Error(`no ${kind.name} was thrown`);
}
