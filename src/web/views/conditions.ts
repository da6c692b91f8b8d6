import type { ShownCondition } from "./run-views.ts";

/** Whether a process is at work on a run. */
export function isAtWork(condition: ShownCondition): boolean {
  return condition === "running" || condition === "filling" || condition === "waiting";
}
