import { randomBytes, randomInt } from "node:crypto";

// Names and seeds of games that people begin: a game's record holds all that was drawn, so no result depends on more than that.

/** The name of a game in progress: 12 hexadecimal digits. */
export function newGameId(): string {
  return randomBytes(6).toString("hex");
}

/** The secret name of a browser, by which its seats are its own: 192 bits. */
export function newVisitor(): string {
  return randomBytes(24).toString("base64url");
}

/** The seed of a game that was begun without one. */
export function newSeed(): number {
  return randomInt(2 ** 31);
}
