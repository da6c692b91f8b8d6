import { randomBytes } from "node:crypto";

/**
 * A name that nothing else in the world has: 16 hexadecimal digits. Runs and processes tell each other apart by it; no
 * result depends on it.
 */
export function randomId(): string {
  return randomBytes(8).toString("hex");
}
