import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Engine, ModelFailed } from "../../../src/compute/engine.ts";
import { openEngine } from "../../../src/compute/open-engine.ts";
import { type Game, OVER } from "../../../src/games/game.ts";
import { PlanePacker } from "../../../src/games/packed-planes.ts";
import { createGame } from "../../../src/games/registry.ts";
import { onnx } from "../../../src/models/onnx/onnx.ts";
import { openNet, type OpenNetwork, withContent } from "../../../src/models/registry.ts";
import { completeOptions } from "../../../src/options.ts";
import { Random } from "../../../src/random.ts";
import { foreignModel, type ForeignOptions } from "./foreign-model.ts";

const folder = mkdtempSync(join(tmpdir(), "ludoflow-onnx-"));
afterAll(() => rmSync(folder, { recursive: true }));

const game = createGame("connect-four", { columns: 5, rows: 4 }) as Game<unknown>;
const planes = game.nets!.planes["compact"]!;
const [height, width, channels] = planes.shape;
const board: ForeignOptions = { shape: [channels, height, width], actions: game.actions, values: 1 };
const heads = { outputs: { value: "v", policy: "pi" } };

let engine: Engine;
beforeAll(async () => {
  engine = await openEngine();
});

let files = 0;
function fileOf(options: ForeignOptions) {
  const file = join(folder, `${files++}.onnx`);
  const model = foreignModel(options, Random.named("model", files));
  writeFileSync(file, model.bytes);
  return { file, model };
}

function open(given: Readonly<Record<string, unknown>>, of: Game<unknown> = game): OpenNetwork {
  const completed = completeOptions(onnx.options, given);
  if ("wrong" in completed) throw new Error(completed.wrong);
  return openNet("onnx", of, completed.options) as OpenNetwork;
}

/** Positions of random games, with the seat to move and the legal actions. */
function positions(count: number): { readonly state: unknown; readonly legal: number[] }[] {
  const random = Random.named("positions");
  const found: { state: unknown; legal: number[] }[] = [];
  const out = new Int32Array(game.maxLegal);
  while (found.length < count) {
    const state = game.initial();
    for (let plies = random.below(12); plies > 0 && game.toMove(state) !== OVER; plies--)
      game.play(state, out[random.below(game.legal(state, out))]!);
    if (game.toMove(state) !== OVER)
      found.push({ state, legal: [...out.subarray(0, game.legal(state, out))] });
  }
  return found;
}

/** Values and priors of positions, computed in one batch. */
async function evaluate(network: OpenNetwork, list: ReturnType<typeof positions>) {
  const packer = new PlanePacker(network.planes);
  const bytes = new Uint8Array(packer.bytes * list.length);
  const floats = new Float32Array(packer.floats * list.length);
  const gather = new Int32Array(list.length * game.maxLegal).fill(-1);
  for (const [row, { legal, state }] of list.entries()) {
    packer.write(state, { bytes, floats }, row);
    gather.set(legal, row * game.maxLegal);
  }
  const value = new Float32Array(list.length * game.players);
  const prior = new Float32Array(list.length * game.maxLegal);
  const inference = await network.net.model!.open(engine);
  await inference.run({ bytes, floats, gather, width: game.maxLegal }, list.length, { value, prior });
  await inference.dispose();
  return list.map((_, row) => ({
    value: [...value.subarray(row * 2, row * 2 + 2)],
    prior: [...prior.subarray(row * game.maxLegal, (row + 1) * game.maxLegal)],
  }));
}

/** Planes of a position in a layout, by the definition of the axes. */
function planesOf(state: unknown, layout: "nchw" | "nhwc"): Float32Array {
  const plain = new Float32Array(height * width * channels);
  planes.write(state, plain, 0);
  if (layout === "nhwc") return plain;
  return Float32Array.from(plain, (_, i) => {
    const [channel, cell] = [Math.floor(i / (height * width)), i % (height * width)];
    return plain[cell * channels + channel]!;
  });
}

describe("a model from elsewhere", () => {
  const cases: readonly (readonly [string, ForeignOptions, Record<string, unknown>])[] = [
    [
      "a value for the seat to move, and logits",
      { ...board, tanh: true },
      { values: "win-share", range: [-1, 1] },
    ],
    ["a tanh that is left out", { ...board }, { values: "win-loss", valueActivation: "tanh" }],
    [
      "values of both seats, and probabilities",
      { ...board, values: 2, softmax: true },
      { policyOutput: "probabilities" },
    ],
    ["channels last", { ...board, layout: "nhwc" }, {}],
    ["batches of 4 positions only", { ...board, batch: 4 }, {}],
    ["one position at a time", { ...board, batch: 1 }, { inputs: { planes: "board" } }],
  ];

  it.each(cases)("with %s computes what plain loops compute", async (_, options, settings) => {
    const { file, model } = fileOf(options);
    const list = positions(7);
    const network = open({ ...heads, ...settings, file });
    const found = await evaluate(network, list);
    for (const [row, { legal, state }] of list.entries()) {
      const { pi, v } = model.compute(planesOf(state, options.layout ?? "nchw"));
      const bounded = settings["valueActivation"] === "tanh" ? v.map(Math.tanh) : v;
      const scaled = settings["range"] === undefined ? bounded : bounded.map((x) => (x + 1) / 2);
      const sum = network.values === "win-loss" ? 0 : 1;
      const values = scaled.length === 2 ? scaled : [scaled[0]!, sum - scaled[0]!];
      const powers = legal.map((action) => (options.softmax ? pi[action]! : Math.exp(pi[action]!)));
      const total = powers.reduce((a, b) => a + b, 0);
      for (const [seat, value] of values.entries()) expect(found[row]!.value[seat]).toBeCloseTo(value, 5);
      for (const [i, power] of powers.entries()) expect(found[row]!.prior[i]).toBeCloseTo(power / total, 5);
      expect(found[row]!.prior.slice(legal.length).every((prior) => prior === 0)).toBe(true);
    }
  });

  it("gives a position the same bits in any batch", async () => {
    const network = open({ ...heads, file: fileOf({ ...board, tanh: true }).file });
    const list = positions(4);
    const together = await evaluate(network, list);
    for (const [row, position] of list.entries())
      expect((await evaluate(network, [position]))[0]).toEqual(together[row]);
  });

  it("has the heads that are named", () => {
    const { file } = fileOf(board);
    expect(open({ file, outputs: { value: "v" } })).toMatchObject({ hasValue: true, hasPolicy: false });
    expect(open({ file, outputs: { policy: "pi" } })).toMatchObject({ hasValue: false, hasPolicy: true });
  });

  const other = createGame("tic-tac-toe", {}) as Game<unknown>;
  const mismatches: readonly (readonly [
    string,
    ForeignOptions,
    Record<string, unknown>,
    string,
    Game<unknown>?,
  ])[] = [
    [
      "another output",
      board,
      { outputs: { value: "w" } },
      'no output "w"; did you mean "v"? (its outputs: "v" (float32 [batch_size, 1]), "pi" (float32 [batch_size, 5]))',
    ],
    ["one output for both", board, { outputs: { value: "v", policy: "v" } }, "cannot be both"],
    [
      "another input",
      board,
      { inputs: { planes: "boards" } },
      'no input "boards"; did you mean "board"? (its inputs: "board" (float32 [batch_size, 4, 4, 5]))',
    ],
    [
      "the other layout",
      { ...board, layout: "nhwc" },
      { layout: "nchw" },
      "as nchw: [N, 4, 4, 5]; it takes them with layout: nhwc",
    ],
    [
      "planes that fit in both orders",
      { ...board, shape: [3, 3, 3], actions: 9 },
      {},
      "in both orders of axes: write layout: nchw for [N, 3, 3, 3] (batch, channels, height, width), as",
      other,
    ],
    ["another game", board, {}, "planes of 3 channels, 3 rows and 3 columns", other],
    [
      "other actions",
      { ...board, actions: 9 },
      {},
      '"pi" gives 9 numbers for each position, and connect-four has 5 actions',
    ],
    [
      "too many values",
      { ...board, values: 3 },
      {},
      '"v" gives 3 numbers for each position, and connect-four has 2 seats: a value output gives 2, or 1 for the seat to move',
    ],
    ["a range the wrong way", board, { range: [1, -1] }, "must be two increasing numbers"],
    ["another content", board, { sha256: "0".repeat(64) }, "the content of"],
  ];

  for (const [what, options, settings, message, of = game] of mismatches)
    it(`with ${what} is refused`, () => {
      expect(() => open({ ...heads, ...settings, file: fileOf(options).file }, of)).toThrow(message);
    });

  it("is refused if the file does not exist or is of another kind", () => {
    const file = join(folder, "archive.onnx");
    expect(() => open({ ...heads, file })).toThrow(`no such file "${file}"`);
    writeFileSync(file, "PK\u0003\u0004 and more");
    expect(() => open({ ...heads, file })).toThrow("write the model with torch.onnx.export");
  });

  it("is refused if ONNX Runtime cannot compute it", async () => {
    const { file, model } = fileOf(board);
    const text = Buffer.from(model.bytes).toString("latin1").replaceAll("Relu", "Rolu");
    writeFileSync(file, Buffer.from(text, "latin1"));
    await expect(open({ ...heads, file }).net.model!.open(engine)).rejects.toThrow(ModelFailed);
  });

  it("is pinned by its content", () => {
    const { file } = fileOf(board);
    const pinned = withContent("onnx", { ...heads, file, sha256: null });
    expect(pinned["sha256"]).toMatch(/^[0-9a-f]{64}$/);
    expect(withContent("onnx", { ...pinned, file: fileOf(board).file })).toEqual({
      ...pinned,
      file: expect.stringContaining(".onnx") as string,
    });
    expect(() => open({ ...pinned, file: fileOf({ ...board, tanh: true }).file })).toThrow(
      "another one than expected",
    );
    expect(open(pinned).hasPolicy).toBe(true);
  });
});
