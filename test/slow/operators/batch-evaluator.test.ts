import { Effect } from "effect";
import { expect, it } from "vitest";
import { openEngine } from "../../../src/compute/open-engine.ts";
import { checkGraph } from "../../../src/graph/check-graph.ts";
import { readExperiment } from "../../../src/graph/experiment-file.ts";
import { openInference } from "../../../src/models/nets/inference.ts";
import { initialWeights } from "../../../src/models/net.ts";
import {
  batchEvaluator,
  evaluatorSettingsOf,
} from "../../../src/operators/play/evaluation/batch-evaluator.ts";
import { NetBatch } from "../../../src/operators/play/evaluation/net-batch.ts";
import { RequestBatch } from "../../../src/operators/play/evaluation/request-batch.ts";
import { SlotEvaluator } from "../../../src/operators/play/evaluation/slot-evaluator.ts";
import { slotShape } from "../../../src/operators/play/evaluation/slot-shape.ts";
import { networkOf } from "../../../src/operators/experiment/open-experiment.ts";
import { RunFailed } from "../../../src/operators/run/run-error.ts";
import { Random } from "../../../src/random.ts";
import { newNotifier } from "../../../src/workers/mailbox.ts";
import { submit, collect, newSlot, take } from "../../../src/workers/slots.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { writeExperiment } from "../../graph/tiny-run.ts";

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
        const evaluator = yield* batchEvaluator.open(
          evaluatorSettingsOf(opened.experiment, "zero"),
          opened,
          () => Effect.never,
        );
        yield* evaluator.load(0, weights);
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

const smallNet = `
name: small-net
seed: 1
compute: { threads: 1 }
game: { rules: tic-tac-toe }
nets: { zero: { use: residual, filters: 2, blocks: 1, valueUnits: 4 } }
agents: { learner: { use: greedy, net: zero }, mover: { use: random } }
graph:
  evaluator: { use: batch-evaluator, net: zero, batch: 16, sessions: 2, versions: 2 }
  games: { use: arena, agents: [learner, mover], games: 2, openings: { plies: 1 } }
`;

it.each([
  ["is not held", Effect.fail(new RunFailed({ stage: "zero", reason: "gone" }))],
  ["cannot be read", Effect.die(new Error("gone"))],
])("is lost when a request names a version that %s", async (_, weightsOf) => {
  const { opened } = checkGraph(readExperiment(writeExperiment(scratchFolder(), smallNet)));
  const exit = await Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const settings = evaluatorSettingsOf(opened.experiment, "zero");
        const evaluator = yield* batchEvaluator.open(settings, opened, () => weightsOf);
        const { notifier, slots } = evaluator.renew(0, 1);
        slots[0]!.versions[0] = 7;
        submit(slots[0]!, 1, notifier);
        return yield* Effect.exit(evaluator.lost);
      }),
    ),
  );
  expect(String(exit)).toContain("gone");
});

it("holds two versions and gives the responses of all four that are requested, side by side and again and again", async () => {
  const { opened } = checkGraph(readExperiment(writeExperiment(scratchFolder(), smallNet)));
  const network = networkOf(opened, "zero");
  const weights = [0, 1, 2, 3].map((version) =>
    initialWeights(network.net, Random.named("weights", version)),
  );
  const { game } = opened;
  const positions = [0, 1, 2, 3].map((plies) => {
    const state = game.initial();
    for (let cell = 0; cell < plies; cell++) game.play(state, cell);
    return state;
  });
  const requestOf = (state: unknown) => ({
    states: [state],
    count: 1,
    values: new Float64Array(game.players),
    priors: new Float32Array(game.maxLegal),
  });
  const asked: number[] = [];
  const found = await Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const settings = evaluatorSettingsOf(opened.experiment, "zero");
        const evaluator = yield* batchEvaluator.open(settings, opened, (_, version) => {
          asked.push(version);
          return Effect.succeed({ kind: "network", tensors: weights[version]! } as const);
        });
        for (const version of [0, 1, 2]) yield* evaluator.load(version, weights[version]!);
        const endpoint = evaluator.renew(0, 3);
        const slots = new SlotEvaluator(game, network, endpoint, evaluator.options);
        const all = [];
        for (let round = 0; round < 4; round++) {
          const requests = [];
          for (const slot of [0, 1, 2]) {
            for (const [index, state] of positions.entries()) {
              const version = (index + slot * round) % 4;
              const request = requestOf(state);
              slots.add(request, version, slot);
              requests.push({ index, version, request });
            }
            slots.submit(slot);
          }
          for (const slot of [0, 1, 2]) {
            // This thread must not block: it gives the evaluator the weights that it asks for.
            while (Atomics.load(endpoint.slots[slot]!.control, 0) !== 0) yield* Effect.sleep(1);
            slots.collect(slot);
          }
          all.push(...requests);
        }
        return all;
      }),
    ),
  );
  const engine = await openEngine(opened.experiment.compute);
  const slot = newSlot(slotShape(game, network, 1));
  const endpoint = { slots: [slot], notifier: newNotifier(), hits: new BigInt64Array(1) };
  for (const [version, each] of weights.entries()) {
    const inference = await openInference(engine, network.net, each);
    const slots = new SlotEvaluator(game, network, endpoint, { cache: 0, symmetries: "none" });
    const batch = new RequestBatch(new NetBatch(slotShape(game, network, 1), "cpu"));
    for (const [index, state] of positions.entries()) {
      const alone = requestOf(state);
      slots.add(alone, version);
      slots.submit();
      batch.take([slot], 1);
      await batch.compute(version, inference);
      batch.respond(0);
      slots.collect();
      const same = found.filter((one) => one.index === index && one.version === version);
      expect(same.length).toBeGreaterThan(0);
      const untimed = { seconds: 0, evaluatorSeconds: 0 };
      for (const { request } of same) expect({ ...request, ...untimed }).toEqual({ ...alone, ...untimed });
    }
  }
  expect(asked).toContain(3);
  // Far more often than there are versions: they push each other out.
  expect(asked.length).toBeGreaterThan(4);
});
