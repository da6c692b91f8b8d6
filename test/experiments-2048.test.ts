import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RunEvent } from "../src/events/event.ts";
import { readExperiment } from "../src/graph/experiment-file.ts";
import { scratchFolder } from "./formats/scratch-folder.ts";
import { startRun } from "./graph/tiny-run.ts";

const file = (name: string) => new URL(`../experiments/${name}.yaml`, import.meta.url).pathname;

/** The settings that make an experiment small: tables of all positions of 2x3, few games. */
function small(name: string, learn: Readonly<Record<string, unknown>>): string[] {
  const { experiment } = readExperiment(file(name));
  const sets = ["game.rows=2", "game.columns=3", "workers=1"];
  for (const net of Object.keys(experiment.nets)) sets.push(`nets.${net}.tuples=board`);
  for (const [agent, { simulations }] of Object.entries(experiment.agents))
    if (simulations !== undefined) sets.push(`agents.${agent}.simulations=8`);
  for (const [stage, { use }] of Object.entries(experiment.graph)) {
    if (use === "arena") sets.push(`graph.${stage}.games=4`);
    if (use === "td-learner")
      for (const [key, value] of Object.entries(learn)) sets.push(`graph.${stage}.${key}=${String(value)}`);
  }
  return sets;
}

describe("the experiments with 2048", () => {
  it("2048-mcsoftmax-chance-3x3 learns eight ways, tells V(start) against scores for each, and plays by all", async () => {
    const name = "2048-mcsoftmax-chance-3x3";
    const events: RunEvent[] = [];
    const outcome = await startRun(
      file(name),
      join(scratchFolder(), "run"),
      small(name, { games: 40, every: 20, "search.after": 20 }),
      { onEvent: (event) => events.push(event) },
    );
    expect(outcome).toEqual({ outcome: "finished" });
    const drifts = events.filter((event) => event.type === "value-drift" && event.learned === 40);
    expect(drifts).toHaveLength(8);
    expect(events.filter(({ type }) => type === "match")).toHaveLength(16);
  });

  it("2048-search-laptop plays all its searches on one value function", async () => {
    const name = "2048-search-laptop";
    const events: RunEvent[] = [];
    const outcome = await startRun(
      file(name),
      join(scratchFolder(), "run"),
      small(name, { games: 40, every: 20 }),
      { onEvent: (event) => events.push(event) },
    );
    expect(outcome).toEqual({ outcome: "finished" });
    const agents = events.flatMap((event) =>
      event.type === "match" ? event.agents.map(({ agent, returns }) => [agent, returns.length]) : [],
    );
    expect(new Set(agents.map(([agent]) => agent)).size).toBe(19);
    expect(agents.every(([, games]) => games === 4)).toBe(true);
  });
});
