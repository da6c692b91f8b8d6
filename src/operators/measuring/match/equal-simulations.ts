import * as Effect from "effect/Effect";
import type { MeasuredDecisions, TimedAgent } from "../../../events/event.ts";
import type { EqualTimeAgents, SimulationRange } from "./equal-time-settings.ts";

/**
 * Most measurements: the first with the numbers of the file, the others with numbers that follow from those before. The first one
 * is short, and threads that have just begun compute slowly, so it is only a guide to the second one.
 */
const MOST_MEASUREMENTS = 4;
/** A number that would change by no more than this share is kept as it was measured. */
const CLOSE = 0.03;
/** Two numbers tell the time of a simulation apart from that of the rest of a decision if they differ by this factor. */
const APART = 1.5;

/** By agent: a number of simulations. */
export type SimulationsByAgent = Readonly<Record<string, number>>;

/** What decisions of each agent took in one measurement. Of the reference and of agents that are scaled it has to be known. */
export type MeasuredAgents = ReadonlyMap<string, Omit<MeasuredDecisions, "simulations">>;

/**
 * Finds the numbers of simulations with which decisions of all agents take as long as those of the reference. `measure` plays
 * with some numbers and returns what decisions took. Returns the agents in the order of the first measurement.
 */
export const equalSimulations = <E>(
  { reference, scaled }: Pick<EqualTimeAgents, "reference" | "scaled">,
  measure: (simulations: SimulationsByAgent, measurement: number) => Effect.Effect<MeasuredAgents, E>,
): Effect.Effect<TimedAgent[], E> =>
  Effect.gen(function* () {
    const measured = new Map<string, MeasuredDecisions[]>();
    let numbers = new Map([...scaled].map(([agent, { simulations }]) => [agent, simulations]));
    for (let measurement = 0; measurement < MOST_MEASUREMENTS; measurement++) {
      const took = yield* measure(Object.fromEntries(numbers), measurement);
      for (const [agent, decisions] of took) {
        const simulations = numbers.get(agent);
        const own = { ...(simulations === undefined ? {} : { simulations }), ...decisions };
        measured.set(agent, [...(measured.get(agent) ?? []), own]);
      }
      const target = took.get(reference)!.milliseconds;
      const next = new Map(
        [...scaled].map(([agent, range]) => [agent, simulationsFor(target, measured.get(agent)!, range)]),
      );
      const isClose = [...next].every(([agent, number]) => {
        const now = numbers.get(agent)!;
        return Math.abs(number - now) <= CLOSE * now;
      });
      if (measurement > 0 && isClose) break;
      numbers = next;
    }
    return [...measured].map(([agent, own]) => {
      const simulations = numbers.get(agent);
      return { agent, ...(simulations === undefined ? {} : { simulations }), measured: own };
    });
  });

/**
 * The number of simulations with which a decision takes these milliseconds, from what was measured, the newest last. The time
 * of a decision is taken to be that of its simulations and a constant, if two measurements after the first tell these apart; else
 * it is taken to be proportional to the simulations.
 */
export function simulationsFor(
  target: number,
  measured: readonly MeasuredDecisions[],
  { maximum, minimum }: Omit<SimulationRange, "simulations">,
): number {
  const last = measured.at(-1)!;
  const [simulations, took] = [last.simulations!, last.milliseconds];
  let wanted = (simulations * target) / took;
  const other = measured.slice(1).findLast((each) => {
    const ratio = each.simulations! / simulations;
    return ratio >= APART || ratio <= 1 / APART;
  });
  if (other !== undefined) {
    const each = (took - other.milliseconds) / (simulations - other.simulations!);
    const constant = took - each * simulations;
    if (each > 0 && constant > 0 && target > constant) wanted = (target - constant) / each;
  }
  return Math.min(maximum, Math.max(minimum, Math.round(wanted)));
}
