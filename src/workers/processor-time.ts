import { readdirSync, readFileSync } from "node:fs";

/** Ticks a second in `/proc`: Linux counts there in hundredths of a second on every machine that Node runs on. */
const TICKS = 100;

/** Reads the processor seconds of this process since now, of all its threads. */
export function processorSecondsFrom(): () => number {
  const begun = process.cpuUsage();
  return () => {
    const { system, user } = process.cpuUsage(begun);
    return (system + user) / 1e6;
  };
}

/**
 * Processor seconds of a process and of all its children since its start, in user and system mode: those of living
 * children, and of ended ones that their parents have waited for. Exact to about 0.01 s a process.
 *
 * undefined if it is not known: on systems without Linux' `/proc`, and after the end of the process.
 */
export function processorSeconds(pid: number): number | undefined {
  try {
    return ticks(pid) / TICKS;
  } catch {
    // No such file, or it went away while it was read.
    return undefined;
  }
}

/**
 * Whether a thread of a process or of its children computes now, or waits for a processor. undefined if it is not known, as for
 * `processorSeconds`.
 */
export function wantsProcessor(pid: number): boolean | undefined {
  try {
    const folder = `/proc/${pid}`;
    return (
      readdirSync(`${folder}/task`).some((thread) => stateOf(`${folder}/task/${thread}/stat`) === "R") ||
      children(folder).some((child) => wantsProcessor(child) === true)
    );
  } catch {
    return undefined;
  }
}

/** The state of a thread; undefined if it has ended meanwhile. */
function stateOf(path: string): string | undefined {
  try {
    return fieldsOf(path)[0];
  } catch {
    return undefined;
  }
}

/** The fields of a `stat` file from the third on: the second is the name in brackets, and may hold anything (proc(5)). */
function fieldsOf(path: string): string[] {
  const stat = readFileSync(path, "latin1");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

function ticks(pid: number): number {
  const folder = `/proc/${pid}`;
  const times = fieldsOf(`${folder}/stat`).slice(11, 15).map(Number);
  const [user, system, childrenUser, childrenSystem] = times;
  let sum = user! + system! + childrenUser! + childrenSystem!;
  for (const child of children(folder)) sum += processorSeconds(child)! * TICKS || 0;
  return sum;
}

/** The living children of a process; none if the kernel does not list them. */
function children(folder: string): number[] {
  return readdirSync(`${folder}/task`).flatMap((thread) => {
    try {
      const listed = readFileSync(`${folder}/task/${thread}/children`, "latin1");
      return listed
        .split(" ")
        .filter((word) => word !== "")
        .map(Number);
    } catch {
      return [];
    }
  });
}
