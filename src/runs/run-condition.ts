/**
 * What has become of a run. `filling`: it plays the games that it will first learn from. `waiting`: it has emitted nothing yet, or
 * waits for machines. `silent`: its process has ended without a word, as after `kill -9`. `damaged`: its files cannot be used.
 */
export type RunCondition =
  | "running"
  | "filling"
  | "waiting"
  | "finished"
  | "interrupted"
  | "failed"
  | "silent"
  | "damaged";

/** Whether a process is at work on a run. */
export function isAtWork(condition: RunCondition): boolean {
  return condition === "running" || condition === "filling" || condition === "waiting";
}

/**
 * The conditions of commands: `running` (a process of this machine works on it), `stopped` (interrupted or killed, `resume`
 * continues), `finished`, `failed` (with a message; `resume` tries again), `damaged`.
 */
export type ListedCondition = "running" | "stopped" | "finished" | "failed" | "damaged";

/** A condition as commands list it. */
export function listedCondition(condition: RunCondition): ListedCondition {
  if (isAtWork(condition)) return "running";
  return condition === "interrupted" || condition === "silent" ? "stopped" : (condition as ListedCondition);
}
