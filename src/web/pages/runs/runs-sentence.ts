import { isAtWork } from "../../../runs/run-condition.ts";
import type { RunRow } from "../../views/run-views.ts";

const DAY_MS = 86_400_000;

/** The runs at work and those that failed, in one or two sentences: `2 runs are learning. 1 failed since yesterday.` */
export function runsSentence(rows: readonly RunRow[], now: Date): string {
  const of = (...conditions: readonly string[]) =>
    rows.filter(({ condition }) => conditions.includes(condition));
  const running = rows.filter(({ condition }) => isAtWork(condition)).length;
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  const recent = of("failed", "silent").filter(
    ({ seen }) => seen !== undefined && Date.parse(seen) >= midnight - DAY_MS,
  ).length;
  const finished = of("finished").length;
  const first =
    running > 0
      ? `${running} ${running === 1 ? "run is" : "runs are"} learning.`
      : `No run is at work; ${finished} of ${rows.length} ${finished === 1 ? "has" : "have"} finished.`;
  return recent === 0 ? first : `${first} ${recent} failed or died since yesterday.`;
}
