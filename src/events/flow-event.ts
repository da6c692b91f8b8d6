/**
 * Facts about what flows through a run: what its stages, threads and nets' evaluators did since the previous event of the
 * same kind.
 *
 * Observers that ask for them get them each second. `metrics.jsonl` holds one event a minute that sums them up: see
 * `FlowMeans`.
 */
export type FlowEvent = StageFlow | ThreadsFlow | EvaluatorFlow | BufferFlow | MachineFlow | FleetFlow;

interface Interval {
  /** Seconds of wall time that the event is about: those just before it. */
  readonly seconds: number;
}

/** What a stage did. `worked`, `waited` and `held` exclude one another; their sum is at most `seconds`. */
export interface StageFlow extends Interval {
  readonly type: "stage-flow";
  /** The stage's name in the experiment file. */
  readonly stage: string;
  /** Seconds in which the stage computed, or had games under way. */
  readonly worked: number;
  /** Seconds in which it did nothing because it waited for its input, or for weights to play with. */
  readonly waited: number;
  /** Seconds in which it did nothing because its readers had not asked, or because stages that play were too far behind. */
  readonly held: number;
  /** Number of items that it read, over all its ports, and that it handed to its readers. */
  readonly itemsIn: number;
  readonly itemsOut: number;
  /** Number of stages that read it. */
  readonly readers: number;
  /** Mean number of games under way, and the most that may be under way; absent if the stage has had no game played. */
  readonly holds?: number;
  readonly bound?: number;
}

/** What a group of threads did. In the rest of `threads` x `seconds` they had nothing to do. */
export interface ThreadsFlow extends Interval {
  readonly type: "threads-flow";
  /** The threads: `players` for those that play games for all stages, else the name of their stage. */
  readonly group: string;
  /** Number of threads. */
  readonly threads: number;
  /** Seconds in which they computed, summed over the threads. */
  readonly worked: number;
  /** Seconds in which they waited for evaluations of nets, summed over the threads. */
  readonly waited: number;
}

/** What the evaluator of a net did. */
export interface EvaluatorFlow extends Interval {
  readonly type: "evaluator-flow";
  /** Its name in the graph, or the name made for it if the file does not name it. */
  readonly evaluator: string;
  readonly net: string;
  /** Number of threads that compute. */
  readonly threads: number;
  /** Number of batches, and of rows in them; with symmetries, a position has several rows. */
  readonly batches: number;
  readonly rows: number;
  /** Seconds in which they computed, summed over the threads. */
  readonly busy: number;
  /** Number of batches by size: entry k counts those of 2^k to 2^(k+1) - 1 rows. */
  readonly sizes: readonly number[];
  /** Number of versions of the weights that are loaded. */
  readonly versions: number;
  /**
   * Number of rows that were computed again on the CPU to be compared, and their largest relative difference; absent if there were
   * none.
   */
  readonly checked?: { readonly rows: number; readonly largest: number };
}

/** What a buffer of examples holds at the end of the interval. */
export interface BufferFlow extends Interval {
  readonly type: "buffer-flow";
  readonly stage: string;
  readonly examples: number;
  /** Maximum number of examples; absent if the bound is in games. */
  readonly capacity?: number;
  /** Ages of the examples in generations: 0 for those of the newest generation in the buffer. */
  readonly ages: { readonly mean: number; readonly oldest: number };
}

/** What the whole process used. */
export interface MachineFlow extends Interval {
  readonly type: "machine-flow";
  /** Processor time of all threads, in core-seconds: at most `cores` x `seconds`. */
  readonly processor: number;
  /** Core-seconds in which no program computed. Other programs used `cores` x `seconds` - `idle` - `processor`. */
  readonly idle: number;
  /** Number of cores of this machine that the process may use. */
  readonly cores: number;
  /** Resident memory in bytes, and the part of it that is JavaScript's heap of the main thread. */
  readonly memory: number;
  readonly heap: number;
}

/** What the machines of a fleet did for the run; absent without a fleet. */
export interface FleetFlow extends Interval {
  readonly type: "fleet-flow";
  /** Number of machines that have joined, and of games that they can have under way. */
  readonly joiners: number;
  readonly places: number;
  /** Games that no machine plays yet. */
  readonly waiting: number;
  /** Games that were taken from joiners. */
  readonly games: number;
  /** The machines, those with the highest rates first; of very many not all. */
  readonly machines: readonly FleetMachine[];
  /** Names of machines that have left. */
  readonly left: readonly string[];
}

/** A machine that plays for a run. */
export interface FleetMachine {
  /** Its host and its process. */
  readonly name: string;
  /** Games that it can have under way, and that it has. */
  readonly places: number;
  readonly playing: number;
  /** Games that were taken from it since it has joined. */
  readonly games: number;
  /** Games a second in the last minute. */
  readonly rate: number;
}

const FLOWS: Readonly<Record<FlowEvent["type"], true>> = {
  "stage-flow": true,
  "threads-flow": true,
  "evaluator-flow": true,
  "buffer-flow": true,
  "machine-flow": true,
  "fleet-flow": true,
};

/** Whether an event is about flows. */
export function isFlow<E extends { readonly type: string }>(event: E): event is Extract<E, FlowEvent> {
  return Object.hasOwn(FLOWS, event.type);
}

/** Names what a flow is about: its kind, and the stage, group or evaluator. */
export function flowSubject(flow: FlowEvent): string {
  switch (flow.type) {
    case "stage-flow":
    case "buffer-flow":
      return JSON.stringify([flow.type, flow.stage]);
    case "threads-flow":
      return JSON.stringify([flow.type, flow.group]);
    case "evaluator-flow":
      return JSON.stringify([flow.type, flow.evaluator]);
    default:
      return flow.type;
  }
}
