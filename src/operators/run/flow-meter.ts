import { availableParallelism, cpus } from "node:os";
import { getHeapStatistics } from "node:v8";
import type { FlowEvent, MachineFlow } from "../../events/flow-event.ts";
import { type Now, type StageAbout, StageClock } from "./stage-clock.ts";

/** Returns what flowed since its last call, which was this number of seconds ago. */
export type FlowSource = (seconds: number) => readonly FlowEvent[];

/** Collects what flows through a run: from the clocks of its stages, its threads and evaluators, and the process. */
export class FlowMeter {
  readonly #now: Now;
  readonly #sources: FlowSource[] = [];
  #last: number;

  constructor(now: Now = () => performance.now()) {
    this.#now = now;
    this.#last = now();
    this.add(machine());
  }

  /** Adds a source. */
  add(source: FlowSource): void {
    this.#sources.push(source);
  }

  /** The clock of a stage, which begins now. */
  clock(stage: string, about: StageAbout): StageClock {
    const clock = new StageClock(stage, about, this.#now);
    this.add(() => [clock.flow()]);
    return clock;
  }

  /** What flowed since the last call; nothing if no time has passed. */
  take(): readonly FlowEvent[] {
    const now = this.#now();
    const seconds = (now - this.#last) / 1000;
    if (seconds <= 0) return [];
    this.#last = now;
    return this.#sources.flatMap((source) => source(seconds));
  }
}

/** Processor time and memory of this process. */
function machine(): FlowSource {
  const cores = availableParallelism();
  let before = process.cpuUsage();
  let idleBefore = idleSeconds();
  let memory = 0;
  return (seconds): readonly MachineFlow[] => {
    const now = process.cpuUsage();
    const processor = (now.user - before.user + now.system - before.system) / 1e6;
    before = now;
    const idleNow = idleSeconds();
    // The system counts in ticks of a hundredth of a second, and maybe cores that this process must not use.
    const left = cores * seconds - processor;
    // A system that counts no idle time, as some sandboxes, shows no other programs: none are assumed then.
    const idle = Math.max(0, idleNow === 0 ? left : Math.min(idleNow - idleBefore, left));
    idleBefore = idleNow;
    memory = residentMemory() ?? memory;
    const heap = getHeapStatistics().used_heap_size;
    return [{ type: "machine-flow", seconds, processor, idle, cores, memory, heap }];
  };
}

/** In bytes; undefined if this process may open no further file, because the system reports the memory in a file. */
function residentMemory(): number | undefined {
  try {
    return process.memoryUsage.rss();
  } catch {
    return undefined;
  }
}

/** Seconds in which the cores of the machine had nothing to do since it was started, summed over the cores. */
function idleSeconds(): number {
  return cpus().reduce((sum, { times }) => sum + times.idle, 0) / 1000;
}
