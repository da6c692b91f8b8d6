import { InvalidArgumentError } from "commander";

/** Where servers listen and clients look where nobody says otherwise: on this machine alone. */
export const LOOPBACK = "127.0.0.1";

/** Reads a flag's port, from `least` on. */
export function portNumber(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d{1,5}$/.test(text) || value < least || value > 65_535)
      throw new InvalidArgumentError(`expected a port from ${least} to 65535`);
    return value;
  };
}
