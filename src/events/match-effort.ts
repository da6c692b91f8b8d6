import type { AgentEffort, LimitedEffort } from "./event.ts";

/**
 * Milliseconds of processor time that an agent has taken for a decision: the mean over all decisions of its games with known
 * times; NaN if there are none.
 */
export function millisecondsADecision({
  decisions,
  seconds,
}: Pick<AgentEffort, "decisions" | "seconds">): number {
  let made = 0;
  let took = 0;
  for (const [i, time] of seconds.entries())
    if (time >= 0) {
      made += decisions[i]!;
      took += time;
    }
  return (1000 * took) / made;
}

/**
 * The parts of these milliseconds, if evaluators compute nets of the agent in other threads: that of its search, and that of the
 * evaluators. All is that of the search otherwise.
 */
export function millisecondsByPart({ decisions, evaluatorSeconds, seconds }: AgentEffort): {
  readonly search: number;
  readonly evaluators: number;
} {
  const of = (time: readonly number[]) => millisecondsADecision({ decisions, seconds: time });
  if (evaluatorSeconds === undefined) return { search: of(seconds), evaluators: 0 };
  const own = seconds.map((time, i) => time - evaluatorSeconds[i]!);
  return { search: of(own), evaluators: of(evaluatorSeconds) };
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
 * if it got more, or if it is not known.
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
