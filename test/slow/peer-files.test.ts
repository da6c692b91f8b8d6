import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { checkGraph } from "../../src/graph/check-graph.ts";
import { readExperiment } from "../../src/graph/experiment-file.ts";

const folder = join(import.meta.dirname, "../../experiments/peers");
const files = readdirSync(folder).filter((name) => name.endsWith(".yaml"));

it.each(files)("%s is a ladder against one program, in both colours from the same openings", (file) => {
  const { opened, stages } = checkGraph(readExperiment(join(folder, file)));
  const { agents, name, workers } = opened.experiment;
  expect(`${name}.yaml`).toBe(file);
  // A thread and the program that it waits for take one core; more threads than idle cores would change the times.
  expect([1, 2]).toContain(workers);
  const games: Readonly<Record<string, number>> = { x1: 100, x4: 50, x16: 20 };
  expect(stages.length).toBeGreaterThan(0);
  const simulations: number[] = [];
  for (const [stage, { agents: seated, ...arena }] of Object.entries(opened.experiment.graph)) {
    expect(arena).toMatchObject({
      games: games[stage],
      openings: { plies: 2, shared: true },
      onFailure: "forfeit",
    });
    const [ours, theirs] = (seated as string[]).map((agent) => agents[agent]!);
    expect(ours).toMatchObject({ use: "uct", milliseconds: 0, passLast: true });
    expect(theirs).toMatchObject({ use: "gtp", dialect: "go" });
    simulations.push(ours!["simulations"] as number);
  }
  expect(simulations).toEqual(simulations.toSorted((a, b) => a - b));
});
