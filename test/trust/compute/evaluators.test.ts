import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RunEvent } from "../../../src/events/event.ts";
import { checkGraph } from "../../../src/graph/check-graph.ts";
import { readExperiment } from "../../../src/graph/experiment-file.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { resultsOf, startRun, writeExperiment } from "../../graph/tiny-run.ts";

/** Two nets with weights as they begin, against each other and against themselves. */
const experiment = `
name: tiny-evaluators
seed: 14
workers: 2
game: { rules: tic-tac-toe }
nets:
  zero: { use: residual, filters: 4, blocks: 1, valueUnits: 8 }
  other: { use: residual, filters: 4, blocks: 0, valueUnits: 8 }
agents:
  zero: { use: puct-max-n, net: zero, simulations: 8, temperature: [{ value: 1 }] }
  other: { use: puct-max-n, net: other, simulations: 6, temperature: [{ value: 1 }] }
graph:
  evaluator: { use: batch-evaluator, net: zero }
  match: { use: arena, agents: [zero, other], games: 8 }
`;

const set = (settings: Readonly<Record<string, unknown>>) =>
  Object.entries(settings).map(([key, value]) => `${key}=${String(value)}`);

describe("evaluators of a run", () => {
  it("give the same games whatever computes, waits or is kept, and others with symmetries", async () => {
    const folder = scratchFolder();
    const file = writeExperiment(folder, experiment);
    const played = async (name: string, settings: Readonly<Record<string, unknown>>) => {
      const events: RunEvent[] = [];
      const outcome = await startRun(file, join(folder, name), set(settings), {
        onEvent: (event) => events.push(event),
      });
      expect(outcome).toEqual({ outcome: "finished" });
      return { results: resultsOf(join(folder, name)), events };
    };
    const given = "graph.match.inFlight";
    const plain = await played("plain", {
      workers: 1,
      [given]: 1,
      "graph.evaluator.sessions": 1,
      "graph.evaluator.batch": 1,
    });
    const told = (events: readonly RunEvent[]) =>
      events.flatMap((event) => (event.type === "run-started" ? [event.compute] : [])).join();
    expect(told(plain.events)).not.toContain("batches");
    // Games under way are left to be measured here, and said.
    const many = await played("many", { "graph.evaluator.sessions": 3, "graph.evaluator.cache": 40 });
    expect(many.results).toEqual(plain.results);
    expect(told(many.events)).toMatch(
      /^3 sessions, each .*; \d+ games at once in each worker thread, for batches of \d+$/,
    );
    const turned = { [given]: 6, "graph.evaluator.symmetries": "all" };
    const symmetric = await played("symmetric", turned);
    expect(symmetric.results).not.toEqual(plain.results);
    const kept = await played("symmetric-kept", { ...turned, "graph.evaluator.cache": 500, workers: 1 });
    expect(kept.results).toEqual(symmetric.results);
  });

  it("are asked only for images that there are, and that fit into a batch", () => {
    const file = writeExperiment(scratchFolder(), experiment);
    const problems = (settings: Readonly<Record<string, unknown>>): string => {
      try {
        checkGraph(readExperiment(file, set(settings)));
        return "";
      } catch (error) {
        return (error as Error).message;
      }
    };
    const [symmetries, batch] = ["graph.evaluator.symmetries", "graph.evaluator.batch"];
    expect(problems({ [symmetries]: 8, [batch]: 8 })).toBe("");
    expect(problems({ [symmetries]: 9 })).toContain("tic-tac-toe has 8 symmetries");
    expect(problems({ [symmetries]: "all", [batch]: 7 })).toContain(
      "a batch of 7 rows has no room for 8 images",
    );
  });
});
