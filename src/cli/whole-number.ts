import { InvalidArgumentError } from "commander";

/** Reads the value of a flag that is a whole number. */
export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value))
    throw new InvalidArgumentError(
      `expected a whole number from 0 to ${Number.MAX_SAFE_INTEGER.toLocaleString("en-US")}`,
    );
  return value;
}

/** Reads the value of a flag that is a whole number from `least` to `most`; `called` is the word for it in the message. */
export function wholeNumberFrom(
  least: number,
  most: number,
  called = "whole number",
): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most)
      throw new InvalidArgumentError(`expected a ${called} from ${least} to ${most}`);
    return value;
  };
}

/** Reads the value of a flag that is a port, from `least` on. */
export function portNumber(least: number): (text: string) => number {
  return wholeNumberFrom(least, 65_535, "port");
}

/** Reads the value of a flag that is a number of worker threads, as `workers` in an experiment file. */
export const threads = wholeNumberFrom(1, 1024);
