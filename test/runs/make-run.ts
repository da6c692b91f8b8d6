import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MatchResult, RunEvent } from "../../src/events/event.ts";
import { readExperiment } from "../../src/graph/experiment-file.ts";
import { createRunFolder } from "../../src/graph/folder/run-folder.ts";
import { meanEstimate } from "../../src/stats/intervals.ts";
import { scratchFolder } from "../formats/scratch-folder.ts";

/** An experiment of a learner on tables with its curve. */
export const LEARNER = `
name: toy
seed: 1
game: { rules: 2048, rows: 2, columns: 2 }
nets: { value: { use: n-tuple, tuples: board } }
agents: { greedy: { use: greedy, net: value } }
graph:
  learn: { use: td-learner, net: value, games: 400, every: 100, lambda: 0.5 }
  saved: { use: checkpoint, from: learn, keep: 0 }
  curve: { use: arena, after: learn, agents: [greedy], games: 4 }
`;

/** The folder of a run whose events are given, with the manifest and experiment of a real one; by default in a scratch folder. */
export function makeRun(
  events: readonly RunEvent[],
  { folder, set = [] }: { readonly folder?: string; readonly set?: readonly string[] } = {},
): string {
  const out = folder ?? join(scratchFolder(), "run");
  const file = `${out}.yaml`;
  writeFileSync(file, LEARNER);
  const { experiment } = readExperiment(file, set);
  const claimed = createRunFolder(experiment, { file, set }, out, new Date("2026-01-01T00:00:00Z"));
  claimed.release();
  mkdirSync(out, { recursive: true });
  const recorded = events.map((event, i) => ({
    seq: i + 1,
    time: "2026-01-01T00:00:00Z",
    elapsed: i,
    ...event,
  }));
  writeFileSync(join(out, "metrics.jsonl"), recorded.map((event) => `${JSON.stringify(event)}\n`).join(""));
  return out;
}

/** A match of the agent `greedy` after this much learning, with these scores. */
export function match(learned: number, returns: readonly number[]): MatchResult {
  const { value, interval } = meanEstimate(returns);
  return {
    type: "match",
    stage: "curve",
    learned,
    unit: "games",
    agents: [{ agent: "greedy", games: returns.length, mean: value, interval, returns, facts: {} }],
  };
}

/** The first event of a run. */
export const STARTED: RunEvent = {
  type: "run-started",
  name: "toy",
  seed: 1,
  workers: 1,
  resumed: false,
  compute: "",
};

/** The last event of a run that has finished. */
export const FINISHED: RunEvent = { type: "run-ended", outcome: "finished" };
