import { GameNotOpened } from "../games/registry.ts";
import { NetDoesNotFit } from "../models/definition.ts";
import { SearchNotOpened } from "../search/registry.ts";
import { UsageError } from "../messages/usage-error.ts";
import { GtpError } from "../protocols/gtp/error.ts";
import { AgentInvalid } from "../graph/agents/agent-invalid.ts";

/** The errors of games, agents and nets that cannot be opened. */
const kinds = [AgentInvalid, GtpError, SearchNotOpened, GameNotOpened, NetDoesNotFit];

/** Runs code that opens games, agents and nets. A failure is a mistake of the user: it is thrown as UsageError. */
export function mistakes<T>(open: () => T): T {
  try {
    return open();
  } catch (error) {
    if (kinds.some((kind) => error instanceof kind)) throw new UsageError((error as Error).message);
    throw error;
  }
}
