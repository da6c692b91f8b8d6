import { isPlainMap } from "../../formats/plain-map.ts";

/** The heartbeat of a joiner. */
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

/** The heartbeat of a run. */
export interface RunBeat {
  readonly run: string;
  /** The name of its experiment, its machine and its process, for people. */
  readonly name: string;
  /** Random: another process of the run has another one. */
  readonly process: string;
  readonly joiners: readonly ReportedJoiner[];
  /** By joiner: why it is to leave. */
  readonly leave?: Readonly<Record<string, string>>;
  /** True in its last beat. */
  readonly ends?: true;
}

/** A joiner in the heartbeat of a run. */
export interface ReportedJoiner {
  readonly name: string;
  readonly places: number;
  /** Games that were taken from it. */
  readonly games: number;
  /** Games a second, in the last minute. */
  readonly rate: number;
}

type Message = Readonly<Record<string, unknown>>;

/** Whether a message is the heartbeat of a joiner. */
export function isJoinerBeat(data: Message | undefined): data is Message & JoinerBeat {
  return (
    data !== undefined &&
    typeof data["joiner"] === "string" &&
    isName(data["name"]) &&
    isPlainMap(data["runs"]) &&
    Object.values(data["runs"]).every(
      (work) =>
        isPlainMap(work) &&
        isCount(work["places"]) &&
        Array.isArray(work["playing"]) &&
        work["playing"].every((key) => typeof key === "string"),
    ) &&
    isTrueOrAbsent(data["leaves"])
  );
}

/** Whether a message is the heartbeat of a run. */
export function isRunBeat(data: Message | undefined): data is Message & RunBeat {
  return (
    data !== undefined &&
    [data["run"], data["name"], data["process"]].every((text) => typeof text === "string") &&
    Array.isArray(data["joiners"]) &&
    data["joiners"].every(isReportedJoiner) &&
    (data["leave"] === undefined ||
      (isPlainMap(data["leave"]) && Object.values(data["leave"]).every((why) => typeof why === "string"))) &&
    isTrueOrAbsent(data["ends"])
  );
}

function isReportedJoiner(each: unknown): boolean {
  return (
    isPlainMap(each) &&
    isName(each["name"]) &&
    isCount(each["places"]) &&
    isCount(each["games"]) &&
    typeof each["rate"] === "number" &&
    each["rate"] >= 0
  );
}

/** Names of machines are shown on terminals, which obey control characters. */
function isName(value: unknown): boolean {
  return typeof value === "string" && !/\p{Cc}/u.test(value);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isTrueOrAbsent(value: unknown): boolean {
  return value === undefined || value === true;
}
