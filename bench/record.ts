import { availableParallelism, cpus, loadavg } from "node:os";
import type { BenchReport } from "./report.ts";

/** The report of a bench as it is kept in `docs/results/bench`: with what was measured where and when. */
export interface BenchRecord extends BenchReport {
  /** The command line that measured it. */
  readonly command: string;
  /** The day in UTC: 2026-11-23. */
  readonly date: string;
  readonly machine: {
    /** The model as the system tells it. */
    readonly processor: string;
    readonly cores: number;
    /** The version of Node. */
    readonly node: string;
    /** The mean number of processes that wanted to run in the minute before the measurement: about 0 on an idle machine. */
    readonly load: number;
  };
}

/** Notes time, machine and load; what it returns makes the record of the report measured after that. */
export function recordOf(command: string): (report: BenchReport) => BenchRecord {
  const date = new Date().toISOString().slice(0, 10);
  const machine = {
    processor: (cpus()[0]?.model ?? "unknown processor").trim(),
    cores: availableParallelism(),
    node: process.versions.node,
    load: Number(loadavg()[0]!.toFixed(2)),
  };
  return ({ bench, rows }) => ({ bench, command, date, machine, rows });
}
