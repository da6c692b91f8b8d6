import type { SearchDefinition } from "../search/definition.ts";
import { searches } from "../search/registry.ts";
import { gtp } from "./gtp-player.ts";

/** Everything that can play in an experiment, in the order of the catalogue: our searches, and other programs. */
export const agentKinds: readonly SearchDefinition[] = [...searches, gtp] as readonly SearchDefinition[];
