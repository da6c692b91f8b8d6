import type { AgentEffort, LimitedEffort } from "./event.ts";

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

/** A time limit that gave less than this share of its time is reported. */
const ENOUGH = 0.9;

/** The time limits that have ended an agent's decisions, by clock: `20 ms processor`; undefined if there are none. */
export function limitText({ limited = [] }: AgentEffort): string | undefined {
  if (limited.length === 0) return undefined;
  return limited.map((each) => `${meanText(each.allowed, each)} ms ${each.clock}`).join(", ");
}

/**
 * What an agent got of its time limits if it is less than 90%: `fast got 3.5 ms of processor time of the 20 ms of wall time that ended its searches (18%)`; undefined
 * where it got more, or where it is not known.
 */
export function shortageText({ agent, limited = [] }: AgentEffort): string | undefined {
  const short = limited.filter(({ allowed, seconds = Infinity }) => seconds < ENOUGH * allowed);
  if (short.length === 0) return undefined;
  return short
    .map((each) => {
      const percent = ((100 * each.seconds!) / each.allowed).toFixed(0);
      return `${agent} got ${meanText(each.seconds!, each)} ms of processor time of the ${meanText(each.allowed, each)} ms of ${each.clock} time that ended its searches (${percent}%)`;
    })
    .join("; ");
}

function meanText(seconds: number, { decisions }: LimitedEffort): string {
  return String(Number(((1000 * seconds) / decisions).toPrecision(3)));
}
