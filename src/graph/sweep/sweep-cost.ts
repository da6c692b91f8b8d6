import { availableParallelism } from "node:os";
import type { CheckedGraph } from "../check-graph.ts";
import { checkInputs } from "../check-inputs.ts";
import { measureCost } from "../cost/measure-cost.ts";

/** What a sweep costs. */
export interface SweepCost {
  /** Seconds of all runs, side by side on all cores. */
  readonly seconds: number;
  readonly runs: number;
  readonly combinations: number;
  /** Number of combinations that were measured; the others are taken to cost as much as these on the mean. */
  readonly measured: number;
  /** Stages that `seconds` leaves out in some combination. */
  readonly unknown: readonly string[];
  /** Stages of which some combination has only a lower bound. */
  readonly least: readonly string[];
  readonly cores: number;
  /** Mean number of cores that the measurements got, and that they would have got on an idle machine. */
  readonly gotCores: number;
  readonly idleCores: number;
}

/** No more combinations are measured: less than two seconds for each would show nothing. */
const MOST_MEASURED = 5;

/**
 * Measures for about `seconds` what a sweep of these combinations with so many seeds costs on this machine. If there are many
 * combinations, some are measured, evenly spread. Throws as `measureCost` does.
 */
export async function measureSweepCost(
  graphs: readonly CheckedGraph[],
  seeds: number,
  seconds: number,
): Promise<SweepCost> {
  const count = Math.min(MOST_MEASURED, graphs.length);
  const chosen = Array.from({ length: count }, (_, i) => graphs[Math.floor((i * graphs.length) / count)]!);
  const cores = availableParallelism();
  let coreSeconds = 0;
  let longest = 0;
  const unknown = new Set<string>();
  const least = new Set<string>();
  let [got, idle] = [0, 0];
  for (const graph of chosen) {
    const { cost, gotCores, idleCores } = await measureCost(graph, await checkInputs(graph), seconds / count);
    coreSeconds += cost.coreSeconds;
    longest = Math.max(longest, cost.seconds);
    for (const stage of cost.unknown) unknown.add(stage);
    for (const stage of cost.least) least.add(stage);
    got += gotCores / count;
    idle += idleCores / count;
  }
  const runs = graphs.length * seeds;
  return {
    seconds: Math.max(longest, ((coreSeconds / count) * runs) / cores),
    runs,
    combinations: graphs.length,
    measured: count,
    unknown: [...unknown],
    least: [...least],
    cores,
    gotCores: got,
    idleCores: idle,
  };
}
