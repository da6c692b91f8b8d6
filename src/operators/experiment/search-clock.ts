import type { OpenNet } from "../../models/registry.ts";
import { threadSeconds } from "../../workers/thread-seconds.ts";
import { type AgentNets, netNames } from "./agent-net.ts";

/**
 * What reads the processor time for the time limits of an agent's search, in the stages of an experiment. undefined for an agent
 * that waits for a net, computed elsewhere: its thread plays other games meanwhile, so its limits count wall time. Tables are
 * looked up by the searching thread itself.
 */
export function searchClock(
  agent: AgentNets,
  nets: ReadonlyMap<string, OpenNet>,
): (() => number) | undefined {
  return netNames(agent).every((net) => nets.get(net)?.kind === "tables") ? threadSeconds : undefined;
}
