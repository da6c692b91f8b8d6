import onnx from "onnx-proto";
import { InferenceSession } from "onnxruntime-node";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { findChannelBlock } from "../../../src/compute/onnx/channel-block.ts";
import { openOnnxEngine } from "../../../src/compute/onnx/engine.ts";
import { BLOCKED_DOMAIN } from "../../../src/compute/onnx/recording.ts";
import { createSession } from "../../../src/compute/onnx/session.ts";
import { openTrainingSession } from "../../../src/compute/onnx/training-session.ts";
import { loadGradients } from "../../../src/compute/tfjs/gradients.ts";
import type { Engine } from "../../../src/compute/engine.ts";
import { initialWeights } from "../../../src/models/net.ts";
import { openLoss } from "../../../src/models/nets/loss.ts";
import { openTraining } from "../../../src/models/nets/training.ts";
import { residual } from "../../../src/models/nets/residual.ts";
import { Random } from "../../../src/random.ts";
import { relativeError } from "../../compute/agreement.ts";
import { boardGame, netOf } from "../../models/boards.ts";
import { batchFor } from "../../models/nets/random-batches.ts";

type Create = (model: Uint8Array, options: InferenceSession.SessionOptions) => Promise<InferenceSession>;

/** The runtime's sessions: what was made of them, and what is done to those on blocked images. */
const sessions = {
  models: [] as Uint8Array[],
  blocked: "work" as "work" | "are refused" | "compute nonsense",
};

const real = InferenceSession.create.bind(InferenceSession) as unknown as Create;
const create: Create = async (model, options) => {
  sessions.models.push(model);
  const operators = Buffer.from(model).toString("latin1");
  const trains = operators.includes("com.microsoft.nchwc") && operators.includes("new/parameters/");
  if (trains && sessions.blocked === "are refused")
    throw new Error("com.microsoft.nchwc:Conv(-1) is not a registered function/op\nand more");
  const session = await real(model, options);
  if (!trains || sessions.blocked === "work") return session;
  const run = session.run.bind(session) as (...given: unknown[]) => Promise<InferenceSession.ReturnType>;
  const wrong = async (...given: unknown[]) => {
    const results = await run(...given);
    for (const { data } of Object.values(results)) (data as Float32Array).reverse();
    return results;
  };
  return Object.assign(session, { run: wrong });
};
beforeEach(() => {
  vi.spyOn(InferenceSession, "create").mockImplementation(create as never);
});

const net = netOf(residual, boardGame(4, 30, [9, 9, 5], 3, undefined, 1), {
  filters: 64,
  blocks: 1,
  valueUnits: 8,
  policyHead: "convolutional",
  globalPooling: 3,
  score: true,
  ownership: true,
  reply: true,
});
const narrow = netOf(residual, boardGame(4, 30, [9, 9, 21], 3), { filters: 12, blocks: 2, valueUnits: 8 });
const rows = 16;

/** The weights and losses after three steps, in two calls. */
async function trained(engine: Pick<Engine, "gradStep">, learner = net): Promise<Map<string, Float32Array>> {
  // Of the stream "blocked probe" a unit lies so close to its rectifier's edge that rounding decides it.
  const random = Random.named("with and without blocks");
  const weights = initialWeights(learner, random);
  const options = { optimiser: { use: "sgd" }, rows } as const;
  const training = await openTraining(engine as Engine, learner, openLoss({ use: "alphazero" }), options, {
    weights,
  });
  const batches = Array.from({ length: 3 }, () => batchFor(learner, rows, random));
  const first = await training.steps(batches.slice(0, 2), Float32Array.of(0.01, 0.01));
  await training.steps(batches.slice(2), Float32Array.of(0.01));
  const found = new Map([...(await training.state()).weights, ...Object.entries(first)]);
  await training.dispose();
  return found;
}

/** An engine that takes the blocks it is told. */
function engineWith(block: number | undefined): Pick<Engine, "gradStep"> {
  const session = { intraOpNumThreads: 1, logSeverityLevel: 3 } as const;
  return {
    gradStep: (loss, optimiser, options) =>
      openTrainingSession((model) => createSession(model, session), loss, optimiser, options, block),
  };
}

/** How a graph uses the runtime's own operators: each with its attributes and the number of its inputs. */
function blockedOperators(model: Uint8Array): string[] {
  const found = new Set<string>();
  const visit = (graph: onnx.onnx.IGraphProto): void => {
    for (const { opType, domain, attribute, input } of graph.node ?? []) {
      const names = (attribute ?? []).map(({ name }) => String(name)).toSorted();
      if (domain === BLOCKED_DOMAIN) found.add(`${opType}(${input!.length}) ${names.join(" ")}`);
      for (const { g } of attribute ?? []) if (g) visit(g);
    }
  };
  visit(onnx.onnx.ModelProto.decode(model).graph!);
  return [...found].toSorted();
}

afterEach(() => {
  sessions.blocked = "work";
  sessions.models.length = 0;
  vi.restoreAllMocks();
});

describe("training where the blocked operators fail their probe", () => {
  beforeAll(loadGradients);

  // First, since an engine looks for blocks once.
  it("goes on with ONNX's own operators, warns, and gets the same weights but for rounding", async () => {
    const block = await findChannelBlock();
    const withBlocks = await trained(engineWith(block));
    sessions.models.length = 0;
    sessions.blocked = "are refused";
    const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    const without = await trained(await openOnnxEngine("cpu", 1));
    if (block !== undefined) {
      expect(warn).toHaveBeenCalledTimes(1);
      expect(warn.mock.calls[0]![0]).toMatch(
        /not used, and training is slower: .*not a registered function\/op$/,
      );
    }
    expect(blockedOperators(sessions.models.at(-1)!)).toEqual([]);
    for (const [name, values] of withBlocks)
      expect(relativeError(without.get(name)!, values), name).toBeLessThan(1e-3);
  });

  it("is warned of numbers in the wrong place too", async () => {
    if ((await findChannelBlock()) === undefined) return;
    const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    sessions.blocked = "compute nonsense";
    expect(await findChannelBlock()).toBeUndefined();
    expect(warn.mock.calls[0]![0]).toMatch(/other numbers/);
  });
});

describe("the probe of the blocked operators", () => {
  it("uses them in every way in which nets do", async () => {
    const block = await findChannelBlock();
    if (block === undefined) return;
    const probed = new Set(sessions.models.flatMap(blockedOperators));
    sessions.models.length = 0;
    for (const each of [net, narrow]) await trained(engineWith(block), each);
    const used = new Set(sessions.models.flatMap(blockedOperators));
    expect(used.size).toBeGreaterThan(5);
    expect([...used].filter((operator) => !probed.has(operator))).toEqual([]);
  });
});
