import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openEngine } from "../../../../src/compute/open-engine.ts";
import type { EvaluationRequest } from "../../../../src/games/evaluation.ts";
import { type Game, OVER } from "../../../../src/games/game.ts";
import { openGame } from "../../../../src/games/registry.ts";
import { seatInTurnOrder } from "../../../../src/games/turn-order.ts";
import { openInference } from "../../../../src/models/nets/inference.ts";
import { initialWeights } from "../../../../src/models/net.ts";
import { type OpenNetwork, openNet } from "../../../../src/models/registry.ts";
import { residual } from "../../../../src/models/nets/residual.ts";
import { openBlockingEvaluator } from "../../../../src/operators/play/evaluation/blocking-evaluator.ts";
import { NetBatch } from "../../../../src/operators/play/evaluation/net-batch.ts";
import { RequestBatch } from "../../../../src/operators/play/evaluation/request-batch.ts";
import { slotShape } from "../../../../src/operators/play/evaluation/slot-shape.ts";
import type { Experiment } from "../../../../src/operators/experiment/open-experiment.ts";
import {
  type ResponseOptions,
  SlotEvaluator,
} from "../../../../src/operators/play/evaluation/slot-evaluator.ts";
import { completeOptions } from "../../../../src/options.ts";
import { Random } from "../../../../src/random.ts";
import { openPlainInference } from "../../../models/nets/plain-inference.ts";
import { newNotifier } from "../../../../src/workers/mailbox.ts";
import { newSlot } from "../../../../src/workers/slots.ts";
import { casesOf } from "../../../number-of-cases.ts";

const plain: ResponseOptions = { cache: 0, symmetries: "none" };
const random = Random.named("slot evaluator");

function netOptionsOf(given: Readonly<Record<string, unknown>>) {
  const completed = completeOptions(residual.options, { filters: 4, blocks: 1, valueUnits: 8, ...given });
  if ("wrong" in completed) throw new Error(completed.wrong);
  return completed.options as Readonly<Record<string, unknown>>;
}

/** The whole game has a dense head of 24 million weights. */
const smaller: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  blokus: { size: 12, largestPiece: 4 },
};

/** A small net with random weights, its evaluator, and the expected responses, computed one position at a time. */
async function opened(
  name: string,
  net: Readonly<Record<string, unknown>>,
  options = plain,
  slots = 1,
  versions = 2,
) {
  const game: Game<unknown> = openGame(name, smaller[name]);
  const network = openNet("residual", game, netOptionsOf(net)) as OpenNetwork;
  const engine = await openEngine();
  const weights = Array.from({ length: versions }, (_, version) =>
    initialWeights(network.net, Random.named("weights", version)),
  );
  const sessions = await Promise.all(weights.map((each) => openInference(engine, network.net, each)));
  const slow = await Promise.all(weights.map((each) => openPlainInference(engine, network.net, each)));
  const endpoint = {
    slots: Array.from({ length: slots }, () => newSlot(slotShape(game, network, 16))),
    notifier: newNotifier(),
    hits: new BigInt64Array(1),
  };
  const evaluator = new SlotEvaluator(game, network, endpoint, options);
  const batch = new RequestBatch(new NetBatch(slotShape(game, network, 0), "cpu"));
  /** Takes the requests of all slots, and computes the rows of each version; says which versions there were. */
  const compute = async () => {
    if (!batch.take(endpoint.slots, Infinity)) return [];
    const { versions } = batch;
    for (const version of versions) await batch.compute(version, sessions[version]!);
    batch.respond(0.001);
    return versions;
  };
  /** Evaluates a request and returns whether anything was computed. */
  const evaluate = async (request: EvaluationRequest<unknown>, version = 0) => {
    evaluator.add(request, version);
    evaluator.submit();
    const computed = await compute();
    evaluator.collect();
    return computed.length > 0;
  };
  /** Values by seat and priors beside the legal actions, by the obvious way. */
  const expected = async (state: unknown, symmetry = 0, version = 0) => {
    const image = game.initial();
    if (symmetry === 0) game.copy(state, image);
    else game.symmetry!.transform(state, symmetry, image);
    const { logits, logitOf, input } = network.net;
    const out = { value: new Float32Array(game.players), policy: new Float32Array(logits!) };
    const x = new Float32Array(input[0] * input[1] * input[2]);
    network.planes.write(image, x, 0);
    await slow[version]!.run(x, 1, out);
    const legal = new Int32Array(game.maxLegal);
    const weighed = [...legal.subarray(0, game.legal(state, legal))].map((action) => {
      const place = symmetry === 0 ? action : game.symmetry!.action(action, symmetry);
      return Math.exp(out.policy[logitOf === undefined ? place : logitOf[place]!]!);
    });
    const total = weighed.reduce((sum, weight) => sum + weight, 0);
    const values = Array.from({ length: game.players }, () => 0);
    for (let seat = 0; seat < game.players; seat++)
      values[seatInTurnOrder(game, state, seat)] = out.value[seat]!;
    return { values, priors: weighed.map((weight) => weight / total) };
  };
  return { game, endpoint, evaluator, compute, evaluate, expected };
}

function positionsOf(game: Game<unknown>, plies: readonly number[]): unknown[] {
  const legal = new Int32Array(game.maxLegal);
  return plies.map((count) => {
    const state = game.initial();
    for (let ply = 0; ply < count && game.toMove(state) !== OVER; ply++)
      game.play(state, legal[random.below(game.legal(state, legal))]!);
    return state;
  });
}

function requestOf(
  game: Game<unknown>,
  states: readonly unknown[],
  priors = true,
): EvaluationRequest<unknown> {
  const values = new Float64Array(states.length * game.players);
  const request = { states, count: states.length, values };
  return priors ? { ...request, priors: new Float32Array(states.length * game.maxLegal) } : request;
}

/** A request with its response, without the time that it took. */
function untimed({
  evaluatorSeconds: _evaluatorSeconds,
  seconds: _seconds,
  ...request
}: EvaluationRequest<unknown>) {
  return request;
}

/** The responses of a request to its states. */
function responsesOf(game: Game<unknown>, { states, values, priors }: EvaluationRequest<unknown>) {
  const legal = new Int32Array(game.maxLegal);
  return states.map((state, index) => ({
    values: [...values.subarray(index * game.players, (index + 1) * game.players)],
    priors: [...priors!.subarray(index * game.maxLegal, index * game.maxLegal + game.legal(state, legal))],
  }));
}

function expectClose(found: readonly number[], wanted: readonly number[]): void {
  expect(found).toHaveLength(wanted.length);
  for (const [i, value] of found.entries()) expect(value).toBeCloseTo(wanted[i]!, 5);
}

describe("SlotEvaluator", () => {
  for (const policyHead of ["dense", "convolutional"] as const)
    it(`gives values by seat and the softmax of the legal logits: ${policyHead} head`, async () => {
      const { game, evaluate, expected } = await opened("blokus", { policyHead });
      const states = positionsOf(game, [0, 1, 2, 3, 17, 30]);
      const request = requestOf(game, states);
      expect(await evaluate(request)).toBe(true);
      for (const [index, found] of responsesOf(game, request).entries()) {
        const wanted = await expected(states[index]);
        expectClose(found.values, wanted.values);
        expectClose(found.priors, wanted.priors);
      }
    });

  it("requests no logits where no priors are wanted", async () => {
    const { game, endpoint, evaluate, expected } = await opened("tic-tac-toe", {});
    const [state] = positionsOf(game, [2]);
    const request = requestOf(game, [state], false);
    await evaluate(request);
    expect(endpoint.slots[0]!.starts[1]).toBe(0);
    expectClose([...request.values], (await expected(state)).values);
  });

  it("computes the requests of several slots in one batch, and gives each slot its own", async () => {
    const { game, evaluator, compute, expected } = await opened("tic-tac-toe", {}, plain, 3);
    const states = [positionsOf(game, [0, 1]), positionsOf(game, [2, 3, 4]), positionsOf(game, [5])];
    const requests = states.map((each) => requestOf(game, each));
    for (const [slot, request] of requests.entries()) {
      expect(evaluator.add(request, 0, slot)).toBe(false);
      evaluator.submit(slot);
    }
    await compute();
    for (const [slot, request] of requests.entries()) {
      evaluator.collect(slot);
      for (const [index, found] of responsesOf(game, request).entries()) {
        const wanted = await expected(states[slot]![index]);
        expectClose(found.values, wanted.values);
        expectClose(found.priors, wanted.priors);
      }
    }
  });
});

describe("the processor time of a request", () => {
  it("is that of preparing its positions, and its share of the time of the batch", async () => {
    const preparing = vi.spyOn(process, "threadCpuUsage");
    let now = 0;
    // Each reading is a microsecond after the last one, so the positions of a request are prepared in one.
    preparing.mockImplementation(() => ({ user: now++, system: 0 }));
    onTestFinished(() => preparing.mockRestore());
    const { game, endpoint, evaluator, compute } = await opened(
      "tic-tac-toe",
      {},
      { cache: 100, symmetries: "none" },
      2,
    );
    const [a, b, c, d, e] = positionsOf(game, [0, 1, 2, 3, 4]);
    const requests = [requestOf(game, [a, b, c]), requestOf(game, [d]), requestOf(game, [e])];
    for (const [i, request] of requests.entries()) evaluator.add(request, 0, i === 2 ? 1 : 0);
    for (const slot of [0, 1]) evaluator.submit(slot);
    // 1 ms for five rows.
    await compute();
    expect(endpoint.slots.map(({ seconds }) => seconds[0])).toEqual([
      expect.closeTo(0.0008, 9),
      expect.closeTo(0.0002, 9),
    ]);
    for (const slot of [0, 1]) evaluator.collect(slot);
    const wanted = [0.0006, 0.0002, 0.0002].map((seconds) => expect.closeTo(seconds + 1e-6, 9));
    expect(requests.map(({ seconds }) => seconds)).toEqual(wanted);
    const parts = [0.0006, 0.0002, 0.0002].map((seconds) => expect.closeTo(seconds, 9));
    expect(requests.map(({ evaluatorSeconds }) => evaluatorSeconds)).toEqual(parts);
    // What the cache knows takes no time of an evaluator.
    evaluator.add(requests[0]!, 0);
    expect(requests[0]!.seconds).toBeCloseTo(1e-6, 9);
  });
});

describe("requests for several versions of the weights", () => {
  it("are computed each with its own, whatever shares their slots and batches, to the bit", async () => {
    for (const options of [plain, { cache: 0, symmetries: 2 } as const]) {
      const { game, evaluator, compute, evaluate } = await opened("tic-tac-toe", {}, options, 3, 4);
      const states = positionsOf(game, [0, 1, 2, 3]);
      // Slot 0 has rows of one version, slot 1 of several in turn, slot 2 of all four.
      const versions = [[2, 2], [1, 1, 2], [3, 0, 1, 0, 2].slice(0, options === plain ? 5 : 2)];
      const requests = versions.map((slot) =>
        slot.map(() => requestOf(game, states.slice(0, 1 + (slot.length % 2)))),
      );
      for (const [slot, some] of versions.entries()) {
        for (const [i, version] of some.entries())
          expect(evaluator.add(requests[slot]![i]!, version, slot)).toBe(false);
        evaluator.submit(slot);
      }
      expect((await compute()).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3]);
      for (const [slot, some] of versions.entries()) {
        evaluator.collect(slot);
        for (const [i, version] of some.entries()) {
          const found = requests[slot]![i]!;
          const alone = requestOf(game, found.states);
          await evaluate(alone, version);
          expect(untimed(found)).toEqual(untimed(alone));
        }
      }
    }
  });
});

describe("the evaluation cache", () => {
  it("gives a known position its response again, to the bit, and computes nothing", async () => {
    const { game, endpoint, evaluate } = await opened("blokus", {}, { cache: 100, symmetries: "none" });
    const states = positionsOf(game, [0, 3, 9]);
    const [first, second] = [requestOf(game, states), requestOf(game, states)];
    expect(await evaluate(first)).toBe(true);
    expect(await evaluate(second)).toBe(false);
    expect(untimed(second)).toEqual(untimed(first));
    expect(endpoint.hits[0]).toBe(3n);
    const without = requestOf(game, states);
    await (await opened("blokus", {})).evaluate(without);
    expect(untimed(without)).toEqual(untimed(first));
  });

  it("requests only positions that it does not know, with priors apart from those without", async () => {
    const { game, endpoint, evaluator, compute, expected } = await opened(
      "tic-tac-toe",
      {},
      {
        cache: 100,
        symmetries: "none",
      },
    );
    const [known, other] = positionsOf(game, [1, 2]);
    evaluator.add(requestOf(game, [known]), 0);
    evaluator.submit();
    await compute();
    evaluator.collect();
    const request = requestOf(game, [known, other, known]);
    expect(evaluator.add(request, 0)).toBe(false);
    expect(evaluator.add(requestOf(game, [known]), 0)).toBe(true);
    expect(evaluator.add(requestOf(game, [known], false), 0)).toBe(false);
    evaluator.submit();
    expect(endpoint.slots[0]!.control[1]).toBe(2);
    await compute();
    evaluator.collect();
    for (const [index, found] of responsesOf(game, request).entries())
      expectClose(found.priors, (await expected(request.states[index])).priors);
  });

  it("gives no version the response of another, and keeps those of both", async () => {
    const keeping = { cache: 100, symmetries: "none" } as const;
    const { game, evaluate, expected } = await opened("tic-tac-toe", {}, keeping);
    const states = positionsOf(game, [2, 3]);
    for (const version of [0, 1]) expect(await evaluate(requestOf(game, states), version)).toBe(true);
    for (const version of [1, 0]) {
      const request = requestOf(game, states);
      expect(await evaluate(request, version)).toBe(false);
      for (const [index, found] of responsesOf(game, request).entries())
        expectClose(found.values, (await expected(states[index], 0, version)).values);
    }
  });

  it("holds no more than it is told to: later responses push out earlier ones", async () => {
    const { game, evaluate } = await opened("tic-tac-toe", {}, { cache: 1, symmetries: "none" });
    const [one, other] = positionsOf(game, [1, 4]);
    const requested = [];
    for (const state of [one, one, other, other, one])
      requested.push(await evaluate(requestOf(game, [state])));
    expect(requested).toEqual([true, false, true, false, true]);
  });
});

describe("symmetries at the leaves", () => {
  it("give the means over all images, of values and of priors", async () => {
    for (const name of ["tic-tac-toe", "blokus"]) {
      const { game, evaluate, expected } = await opened(
        name,
        { policyHead: "convolutional" },
        {
          cache: 0,
          symmetries: "all",
        },
      );
      const states = positionsOf(game, [0, 5]);
      const request = requestOf(game, states);
      await evaluate(request);
      for (const [index, found] of responsesOf(game, request).entries()) {
        const images = await Promise.all(
          Array.from({ length: game.symmetry!.count }, (_, symmetry) => expected(states[index], symmetry)),
        );
        const mean = (part: (image: (typeof images)[number]) => readonly number[]) =>
          part(images[0]!).map(
            (_, i) => images.reduce((sum, image) => sum + part(image)[i]!, 0) / images.length,
          );
        expectClose(
          found.values,
          mean(({ values }) => values),
        );
        expectClose(
          found.priors,
          mean(({ priors }) => priors),
        );
      }
    }
  });

  it("drawn by the position are those of some of its images, the same each time, and every symmetry is drawn", async () => {
    const { game, evaluate, expected } = await opened("tic-tac-toe", {}, { cache: 0, symmetries: 1 });
    const symmetries = new Set<number>();
    for (const state of positionsOf(
      game,
      Array.from({ length: casesOf(60) }, (_, i) => i % 5),
    )) {
      const [first, second] = [requestOf(game, [state]), requestOf(game, [state])];
      await evaluate(first);
      await evaluate(second);
      expect(untimed(second)).toEqual(untimed(first));
      const images = await Promise.all(Array.from({ length: 8 }, (_, symmetry) => expected(state, symmetry)));
      const symmetry = images.findIndex(({ values }) =>
        values.every((value, seat) => Math.abs(value - first.values[seat]!) < 1e-6),
      );
      expect(symmetry).toBeGreaterThanOrEqual(0);
      symmetries.add(symmetry);
    }
    expect(symmetries.size).toBeGreaterThan(4);
  });

  it("go with a cache: a hit is what was computed, to the bit", async () => {
    const both = { cache: 50, symmetries: 3 } as const;
    const { game, evaluate } = await opened("blokus", {}, both);
    const states = positionsOf(game, [4, 6]);
    const [first, second] = [requestOf(game, states), requestOf(game, states)];
    await evaluate(first);
    expect(await evaluate(second)).toBe(false);
    expect(untimed(second)).toEqual(untimed(first));
  });

  it("need room for all images of a position", async () => {
    const game: Game<unknown> = openGame("tic-tac-toe");
    const network = openNet("residual", game, netOptionsOf({})) as OpenNetwork;
    const endpoint = {
      slots: [newSlot(slotShape(game, network, 7))],
      notifier: newNotifier(),
      hits: new BigInt64Array(1),
    };
    expect(() => new SlotEvaluator(game, network, endpoint, { cache: 0, symmetries: "all" })).toThrow(
      /batch of 7 rows has no room for 8 images/,
    );
  });
});

describe("openBlockingEvaluator", () => {
  it("evaluates more positions than fit into a batch", async () => {
    const { game, expected } = await opened("tic-tac-toe", {});
    const experiment = {
      seed: 1,
      compute: { engine: "auto", device: "cpu", threads: 1 },
      game: { rules: "tic-tac-toe" },
      nets: { zero: { use: "residual", ...netOptionsOf({}) } },
      agents: {},
      graph: {},
    } as unknown as Experiment;
    const network = openNet("residual", game, netOptionsOf({})) as OpenNetwork;
    const weights = initialWeights(network.net, Random.named("weights", 0));
    const evaluator = openBlockingEvaluator(experiment, "zero", weights);
    const states = positionsOf(
      game,
      Array.from({ length: 600 }, (_, i) => i % 7),
    );
    const request = requestOf(game, states);
    evaluator.evaluate(request);
    const responses = responsesOf(game, request);
    for (const index of [0, 255, 256, 300, 511, 512, 599]) {
      const wanted = await expected(states[index]);
      expectClose(responses[index]!.values, wanted.values);
      expectClose(responses[index]!.priors, wanted.priors);
    }
  });
});
