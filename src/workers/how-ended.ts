import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../package-root.ts";

/** The likely cause of a signal that no user has sent, and what to try. */
interface SignalMeaning {
  readonly cause: string;
  readonly remedy: string;
}

/**
 * How a process was ended: `with exit code 3`, `by SIGKILL (the system does so when memory runs out)`. For a process of ludoflow,
 * `remedy` adds what to try.
 */
export function howEnded(code: number | null, signal: string | null, remedy?: "remedy"): string {
  if (signal === null) return `with exit code ${code}`;
  // The launcher reads this table too; it cannot import this file.
  const path = join(packageRoot(), "bin", "signals.json");
  const meanings = JSON.parse(readFileSync(path, "utf8")) as Readonly<Record<string, SignalMeaning>>;
  const meaning = meanings[signal];
  if (meaning === undefined) return `by ${signal}`;
  return `by ${signal} (${meaning.cause}${remedy === undefined ? "" : `: ${meaning.remedy}`})`;
}
