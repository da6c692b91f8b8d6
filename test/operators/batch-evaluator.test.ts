import { Effect } from "effect";
import { expect, it } from "vitest";
import { checkGraph } from "../../src/graph/check-graph.ts";
import { readExperiment } from "../../src/graph/experiment-file.ts";
import { initialWeights } from "../../src/models/net.ts";
import { batchEvaluator, evaluatorSettingsOf } from "../../src/operators/batch-evaluator.ts";
import { networkOf } from "../../src/operators/experiment/open-experiment.ts";
import { Random } from "../../src/random.ts";
import { submit, collect, take } from "../../src/workers/slots.ts";
import { scratchFolder } from "../formats/scratch-folder.ts";
import { writeExperiment } from "../graph/tiny-run.ts";

const ROWS = 256;

/** A net that computes for a while. */
const slowNet = `
name: slow-net
seed: 1
compute: { threads: 1 }
game: { rules: tic-tac-toe }
nets: { zero: { use: residual, filters: 64, blocks: 3, valueUnits: 8 } }
agents: { learner: { use: greedy, net: zero }, mover: { use: random } }
graph:
  evaluator: { use: batch-evaluator, net: zero, batch: ${ROWS}, sessions: 1 }
  games: { use: arena, agents: [learner, mover], games: 2, openings: { plies: 1 } }
`;

it("is closed while it computes: the batch under way is completed, and no thread is ended in native code", async () => {
  const { opened } = checkGraph(readExperiment(writeExperiment(scratchFolder(), slowNet)));
  const { net } = networkOf(opened, "zero");
  const weights = initialWeights(net, Random.named("weights"));
  const slot = await Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const evaluator = yield* batchEvaluator.open(evaluatorSettingsOf(opened.experiment, "zero"), opened);
        yield* evaluator.load(weights);
        const endpoint = evaluator.renew(0, 1);
        const requested = endpoint.slots[0]!;
        requested.values.fill(NaN);
        submit(requested, ROWS, endpoint.notifier);
        // Until the thread has taken the request; it sends no message then.
        while (Atomics.load(requested.control, 0) === 1) yield* Effect.yieldNow;
        return requested;
      }),
    ),
  );
  collect(slot);
  expect(take(slot)).toBe(0);
  expect(slot.values.subarray(0, ROWS * net.seats).every(Number.isFinite)).toBe(true);
});
