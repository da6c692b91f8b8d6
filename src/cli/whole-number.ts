import { InvalidArgumentError } from "commander";

/** Reads a flag's whole number. */
export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value))
    throw new InvalidArgumentError("expected a whole number from 0 on");
  return value;
}
