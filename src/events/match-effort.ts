import type { AgentEffort } from "./event.ts";

/**
 * Milliseconds of processor time that an agent has taken for a decision: the mean over all decisions of its games with known
 * times; NaN where there are none.
 */
export function millisecondsADecision({ decisions, seconds }: AgentEffort): number {
  let made = 0;
  let took = 0;
  for (const [i, time] of seconds.entries())
    if (time >= 0) {
      made += decisions[i]!;
      took += time;
    }
  return (1000 * took) / made;
}
