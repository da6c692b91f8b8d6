import { availableParallelism, cpus } from "node:os";
import { processorSeconds } from "../../../workers/processor-time.ts";

/** What a machine has done by a moment, in seconds since any fixed moments. */
export interface MachineReading {
  /** On the wall clock. */
  readonly wall: number;
  /** Processor time of this process and its children. */
  readonly processor: number;
  /** Time in which cores had nothing to do, summed over the cores; 0 on a system that does not count it. */
  readonly idle: number;
}

/** A reading takes some tenths of a millisecond: between two of them the last ratio counts. In seconds. */
const BETWEEN = 0.1;

/**
 * Counts the seconds that an idle machine would have taken, for measurements of speed. Work that keeps `demand` cores busy gets less
 * of them while other programs compute. The clock counts only the share of the time that the work got: the cores that it lacked, and
 * that were not idle, were taken from it.
 */
export class MachineClock {
  readonly #demand: number;
  readonly #cores: number;
  readonly #read: () => MachineReading;
  readonly #begun: MachineReading;
  #last: MachineReading;
  #ratio = 1;

  constructor(demand: number, cores = availableParallelism(), read: () => MachineReading = readMachine) {
    this.#demand = Math.min(demand, cores);
    this.#cores = cores;
    this.#read = read;
    this.#begun = this.#last = read();
  }

  /** Seconds of an idle machine since the begin. */
  seconds(): number {
    const wall = performance.now() / 1000;
    if (wall - this.#last.wall >= BETWEEN) {
      this.#last = this.#read();
      this.#ratio = this.#share();
    }
    return this.#ratio * (wall - this.#begun.wall);
  }

  /** The whole time so far: on the wall, of an idle machine, and the processor seconds. */
  total(): MachineTime {
    const now = this.#read();
    this.#last = now;
    this.#ratio = this.#share();
    const wall = now.wall - this.#begun.wall;
    return { wall, idle: this.#ratio * wall, processor: now.processor - this.#begun.processor };
  }

  /** The share of an idle machine's speed up to the last reading. */
  #share(): number {
    const wall = this.#last.wall - this.#begun.wall;
    const processor = this.#last.processor - this.#begun.processor;
    if (wall <= 0 || processor <= 0) return 1;
    const left = this.#cores * wall - processor;
    // Counted in ticks, and maybe with cores that this process must not use.
    const idle = this.#last.idle === 0 ? left : this.#last.idle - this.#begun.idle;
    const lacked = this.#demand * wall - processor - idle;
    const taken = Math.max(0, Math.min(lacked, left - idle));
    return processor / (processor + taken);
  }
}

/** How long something took. */
export interface MachineTime {
  /** Seconds on the wall clock. */
  readonly wall: number;
  /** Seconds that an idle machine would have taken. */
  readonly idle: number;
  /** Processor seconds. */
  readonly processor: number;
}

function readMachine(): MachineReading {
  const { system, user } = process.cpuUsage();
  return {
    wall: performance.now() / 1000,
    processor: processorSeconds(process.pid) ?? (system + user) / 1e6,
    idle: cpus().reduce((sum, { times }) => sum + times.idle, 0) / 1000,
  };
}
