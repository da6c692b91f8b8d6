import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { openGame } from "../../../src/games/registry.ts";
import { initialWeights } from "../../../src/models/net.ts";
import { residual } from "../../../src/models/nets/residual.ts";
import { type OpenNetwork, openNet } from "../../../src/models/registry.ts";
import {
  type BlockingEvaluator,
  openBlockingEvaluator,
} from "../../../src/operators/play/evaluation/blocking-evaluator.ts";
import type { Experiment } from "../../../src/operators/experiment/open-experiment.ts";
import { completeOptions } from "../../../src/options.ts";
import { loadPlugin } from "../../../src/plugins/load-plugins.ts";
import { Random } from "../../../src/random.ts";

const scratch = mkdtempSync(join(tmpdir(), "ludoflow-test-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const completed = completeOptions(residual.options, { filters: 4, blocks: 1, valueUnits: 8 });
if ("wrong" in completed) throw new Error(completed.wrong);
const options = completed.options as Readonly<Record<string, unknown>>;
const game = openGame("tic-tac-toe");
const { net } = openNet("residual", game, options) as OpenNetwork;
const weights = initialWeights(net, Random.named("weights"));
const opened = () =>
  openBlockingEvaluator(
    {
      seed: 1,
      compute: { engine: "auto", device: "cpu", threads: 1 },
      game: { rules: "tic-tac-toe" },
      nets: { zero: { use: "residual", ...options } },
      agents: {},
      graph: {},
    } as unknown as Experiment,
    "zero",
    weights,
  );

// Their callers block: a thread that ended without a word was waited for without end.
it("a thread that ends says why to whom it is computing for", () => {
  const file = join(scratch, "faulty.ts");
  writeFileSync(
    file,
    `import { isMainThread } from "node:worker_threads";
if (!isMainThread) setTimeout(() => { throw new Error("enough of this"); }, Number(process.env["FAULTY_AFTER_MS"]));
export default [];
`,
  );
  loadPlugin(file);
  // While the thread is prepared, while it loads the net, while it computes.
  for (const after of ["0", "100", "300", "600"]) {
    process.env["FAULTY_AFTER_MS"] = after;
    let evaluator: BlockingEvaluator | undefined;
    const evaluate = () =>
      evaluator!.evaluate({ states: [game.initial()], count: 1, values: new Float64Array(game.players) });
    expect(() => {
      evaluator = opened();
      for (const begun = performance.now(); performance.now() - begun < 60_000;) evaluate();
    }).toThrow('stage "evaluator of zero": enough of this');
    // A second request is not left waiting either.
    if (evaluator !== undefined) expect(evaluate).toThrow('stage "evaluator of zero": enough of this');
  }
  writeFileSync(file, "export default [];\n");
  expect(opened).toThrow(/faulty\.ts: it, or a file that it imports, has changed since the command began/);
  rmSync(file);
  expect(opened).toThrow(/no such file ".*faulty\.ts"/);
});
