import { isPlainMap } from "../../formats/plain-map.ts";

/** What a joiner tells with each heartbeat. */
export interface JoinerBeat {
  /** A random id, one for each process. */
  readonly joiner: string;
  /** The name of its machine and its process, for people. */
  readonly name: string;
  /** By run: what it does for it. */
  readonly runs: Readonly<Record<string, JoinerWork>>;
  /** True in its last beat. */
  readonly leaves?: true;
}

/** What a joiner does for a run. */
export interface JoinerWork {
  /** Games that it can have under way. */
  readonly places: number;
  /** Keys of the tasks that it plays. */
  readonly playing: readonly string[];
}

/** What a run tells with each heartbeat. */
export interface RunBeat {
  readonly run: string;
  /** The name of its experiment, its machine and its process, for people. */
  readonly name: string;
  /** Random: another process of the run has another one. */
  readonly process: string;
  readonly joiners: readonly ToldJoiner[];
  /** By joiner: why it is to leave. */
  readonly leave?: Readonly<Record<string, string>>;
  /** True in its last beat. */
  readonly ends?: true;
}

/** A joiner as a run tells of it. */
export interface ToldJoiner {
  readonly name: string;
  readonly places: number;
  /** Games that were taken from it. */
  readonly games: number;
  /** Games a second, in the last minute. */
  readonly rate: number;
}

/** Whether a message is the heartbeat of a joiner. */
export function isJoinerBeat(
  data: Readonly<Record<string, unknown>>,
): data is Readonly<Record<string, unknown>> & JoinerBeat {
  return (
    typeof data["joiner"] === "string" &&
    typeof data["name"] === "string" &&
    isPlainMap(data["runs"]) &&
    Object.values(data["runs"]).every(
      (work) => isPlainMap(work) && Number.isSafeInteger(work["places"]) && Array.isArray(work["playing"]),
    )
  );
}
