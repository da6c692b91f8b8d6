/** The stream that holds the tasks of all runs of a fleet. */
export const TASKS = "TASKS";

/** The bucket of the object store that holds weights, each named by its SHA-256. */
export const BLOBS = "BLOBS";

/** A task, and all tasks of a run. The key is a hash of the task. */
export const taskSubject = (run: string, key: string): string => `lf.task.${run}.${key}`;
export const allTasks = "lf.task.>";

/** Requests of joiners to a run: the result of a task, and what a joiner asks before it plays. */
export const resultSubject = (run: string, key: string): string => `lf.result.${run}.${key}`;
export const helloSubject = (run: string): string => `lf.hello.${run}`;

/** A request that the process which works on a run answers. */
export const ownerSubject = (run: string): string => `lf.owner.${run}`;

/** A request of a run to a joiner: to play a game again. */
export const againSubject = (joiner: string): string => `lf.again.${joiner}`;

/** Heartbeats of joiners and of runs. */
export const joinerBeat = (joiner: string): string => `lf.beat.${joiner}`;
export const runBeat = (run: string): string => `lf.run.${run}`;

/** Milliseconds from one heartbeat to the next, and those after which who is silent has gone. */
export const BEAT_MS = 1000;
export const GONE_MS = 8000;
