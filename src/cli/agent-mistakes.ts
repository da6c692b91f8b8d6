import { SearchNotOpened } from "../search/registry.ts";
import { UsageError } from "./complaint.ts";
import { GtpError } from "../protocols/gtp/error.ts";
import { AgentInvalid } from "./open-agent.ts";

/** What is thrown where a game, an agent or a net cannot be opened. */
const kinds = [AgentInvalid, GtpError, SearchNotOpened, RangeError];

/** Runs code that opens games, agents and nets. A failure is a mistake of the user's: it is thrown as UsageError. */
export function mistakes<T>(open: () => T): T {
  try {
    return open();
  } catch (error) {
    if (kinds.some((kind) => error instanceof kind)) throw new UsageError((error as Error).message);
    throw error;
  }
}
