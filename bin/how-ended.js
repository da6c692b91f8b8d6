// Says in words how the Node that the launcher has started was ended, and what to try.
import { readFileSync } from "node:fs";

/** Exit codes by which Windows, and Node that aborts there, report what signals report elsewhere. */
const codes = {
  134: "SIGABRT",
  3221225477: "SIGSEGV",
  3221225501: "SIGILL",
  3221226505: "SIGABRT",
};

/** Why a program was ended by a signal, or by an exit code that means one; undefined if that is not known. */
export function causeOfEnd(status, signal) {
  const name = signal ?? codes[status];
  // The program reads this table too, for the processes that it starts.
  const signals = JSON.parse(readFileSync(new URL("./signals.json", import.meta.url), "utf8"));
  const found = signals[name];
  return found === undefined ? undefined : { name, cause: found.cause, remedy: found.remedy };
}
