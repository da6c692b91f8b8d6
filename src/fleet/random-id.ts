import { randomBytes } from "node:crypto";

/**
 * A unique random name of 16 hexadecimal digits. Runs and processes are identified by it; no result depends on it.
 */
export function randomId(): string {
  return randomBytes(8).toString("hex");
}
