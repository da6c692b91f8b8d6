import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { checkGraph } from "../../../src/graph/check-graph.ts";
import { readExperiment } from "../../../src/graph/experiment-file.ts";
import { ExperimentInvalid } from "../../../src/graph/problem.ts";
import { placesIn, type Tree } from "../../faults/mutations.ts";
import { allRuns, writeStageRun } from "../../faults/stage-runs.ts";
import { Trials } from "../../faults/trials.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";

/** What stands in the place of a setting; undefined leaves it out. */
const ODD: readonly unknown[] = [undefined, null, "", "text", -1, 0.5, true, [], [null], {}, { use: null }];

/** Checks an experiment as a file. */
function checked(file: string, tree: Tree): "accepted" | "refused" {
  writeFileSync(file, stringify(tree));
  try {
    checkGraph(readExperiment(file));
    return "accepted";
  } catch (error) {
    if (!(error instanceof ExperimentInvalid)) throw error;
    expect(error.message).not.toMatch(/object Object|Maximum call stack|\n +at /);
    return "refused";
  }
}

it("each setting of each stage, net, agent and game can be left out, or be of any form: check tells it without a trace", async () => {
  const scratch = scratchFolder();
  const file = join(scratch, "changed.yaml");
  const trees: (readonly [string, Tree])[] = [];
  for (const run of allRuns())
    trees.push([
      run.name,
      parse(readFileSync(await writeStageRun(run, join(scratch, run.name)), "utf8")) as Tree,
    ]);
  const trials = new Trials(
    "settings of any form",
    trees.flatMap(([, tree]) => [...placesIn(tree)]).length * ODD.length,
  );
  for (const [name, tree] of trees)
    for (const { parent, key } of placesIn(tree)) {
      const was = parent[key];
      for (const odd of ODD) {
        parent[key] = odd;
        await trials.attempt(async () => {
          try {
            return checked(file, tree);
          } catch (error) {
            throw new Error(
              `${(error as Error).stack}\n${name}, ${key}: ${JSON.stringify(odd)}\n${stringify(tree)}`,
              { cause: error },
            );
          }
        });
      }
      parent[key] = was;
    }
  trials.end();
  expect(trials.of("accepted")).toBeGreaterThan(0);
}, 3_600_000);
