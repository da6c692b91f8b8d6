import { SearchNotOpened } from "../search/registry.ts";
import { UsageError } from "./complaint.ts";
import { RefereeError } from "./referee-agent.ts";

/** Runs what opens games, agents and nets; what is wrong with them is the user's mistake. */
export function mistakes<T>(open: () => T): T {
  try {
    return open();
  } catch (error) {
    if (error instanceof RefereeError || error instanceof SearchNotOpened || error instanceof RangeError)
      throw new UsageError(error.message);
    throw error;
  }
}
