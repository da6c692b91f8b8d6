import { availableParallelism, cpus } from "node:os";
import { setTimeout } from "node:timers/promises";
import type { BenchReport } from "./report.ts";

/** The report of a bench as it is kept in `docs/results/bench`: with what was measured where and when. */
export interface BenchRecord extends BenchReport {
  /** The command line that measured it. */
  readonly command: string;
  /** The day in UTC: 2026-11-23. */
  readonly date: string;
  readonly machine: {
    /** The model as the system reports it. */
    readonly processor: string;
    readonly cores: number;
    /** The version of Node. */
    readonly node: string;
    /** The share of all processors' time that other work took in the seconds before the measurement, 0 to 1. */
    readonly busy: number;
  };
}

/** How long other work is watched before a measurement. */
const WATCH_MS = 3000;

/** Notes day and machine, and watches its other work; what it returns makes the record of the report measured after that. */
export async function recordOf(command: string): Promise<(report: BenchReport) => BenchRecord> {
  const date = new Date().toISOString().slice(0, 10);
  const machine = {
    processor: (cpus()[0]?.model ?? "unknown processor").trim(),
    cores: availableParallelism(),
    node: process.versions.node,
    busy: Number((await busyShare()).toFixed(3)),
  };
  return ({ bench, rows }) => ({ bench, command, date, machine, rows });
}

/** The share of the processors' time that is not idle while this process waits. */
async function busyShare(): Promise<number> {
  const begun = processorTimes();
  await setTimeout(WATCH_MS);
  const ended = processorTimes();
  const all = ended.all - begun.all;
  return all === 0 ? 0 : 1 - (ended.idle - begun.idle) / all;
}

/** Milliseconds since the machine started, of all its processors together. */
function processorTimes(): { readonly all: number; readonly idle: number } {
  let [all, idle] = [0, 0];
  for (const { times } of cpus()) {
    all += Object.values(times).reduce((sum, time) => sum + time, 0);
    idle += times.idle;
  }
  return { all, idle };
}
