/** The stream that holds the tasks of all runs of a fleet. */
export const TASKS = "TASKS";

/** The bucket of the object store that holds weights, each named by its SHA-256. */
export const BLOBS = "BLOBS";

/** A task. The key is a hash of the task. */
export const taskSubject = (run: string, key: string): string => `lf.task.${run}.${key}`;
/** The tasks of all runs. */
export const allTasks = "lf.task.>";

/** A request of a joiner to a run: the result of a task. It names the joiner, also if the result cannot be read. */
export const resultSubject = (run: string, joiner: string, key: string): string =>
  `lf.result.${run}.${joiner}.${key}`;
/** A request of a joiner to a run, before it plays. */
export const helloSubject = (run: string): string => `lf.hello.${run}`;

/** A request that the process which works on a run answers. */
export const ownerSubject = (run: string): string => `lf.owner.${run}`;

/** A request of a run to a joiner: to play a game again. */
export const againSubject = (joiner: string): string => `lf.again.${joiner}`;

/** The heartbeat of a joiner. */
export const joinerBeat = (joiner: string): string => `lf.beat.${joiner}`;
/** The heartbeat of a run. */
export const runBeat = (run: string): string => `lf.run.${run}`;

/** Milliseconds from one heartbeat to the next. */
export const BEAT_MS = 1000;
/** Milliseconds of silence after which a joiner counts as gone. */
export const GONE_MS = 8000;
