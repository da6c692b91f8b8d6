import { describe, expect, it } from "vitest";
import { openEngine } from "../../../src/compute/open-engine.ts";
import { openReferenceEngine } from "../../../src/compute/tfjs/engine.ts";
import { openGame } from "../../../src/games/registry.ts";
import { initialWeights, type Net } from "../../../src/models/net.ts";
import { residual } from "../../../src/models/nets/residual.ts";
import { Random } from "../../../src/random.ts";
import { boardGame, netOf } from "../boards.ts";
import { openPlainInference } from "./plain-inference.ts";
import { outputsOf, positions, randomWeights } from "./random-batches.ts";

const [HEIGHT, WIDTH, PLANES] = [4, 3, 2] as const;
const board = boardGame(2, 5, [HEIGHT, WIDTH, PLANES], 1);
const head = { filters: 3, blocks: 0, valueUnits: 4 } as const;

/** The value of a net without blocks, cell by cell and unit by unit; `x` is [height, width, planes]. */
function plainValues(weights: ReadonlyMap<string, Float32Array>, x: Float32Array, filters: number) {
  const of = (name: string) => weights.get(name)!;
  const normalised = (path: string, channel: number, y: number) =>
    ((y - of(`${path}/mean`)[channel]!) / Math.sqrt(of(`${path}/variance`)[channel]! + 1e-5)) *
      of(`${path}/scale`)[channel]! +
    of(`${path}/offset`)[channel]!;
  const rectified = (y: number) => Math.max(0, y);
  const dense = (path: string, inputs: readonly number[], outputs: number) =>
    Array.from({ length: outputs }, (_, to) =>
      inputs.reduce(
        (sum, input, from) => sum + input * of(`${path}/matrix`)[from * outputs + to]!,
        of(`${path}/bias`)[to]!,
      ),
    );
  const flat: number[] = [];
  for (let row = 0; row < HEIGHT; row++)
    for (let column = 0; column < WIDTH; column++) {
      const stem = Array.from({ length: head.filters }, (_, to) => {
        let sum = 0;
        for (let dy = -1; dy <= 1; dy++)
          for (let dx = -1; dx <= 1; dx++) {
            const [y, z] = [row + dy, column + dx];
            if (y < 0 || y >= HEIGHT || z < 0 || z >= WIDTH) continue;
            for (let plane = 0; plane < PLANES; plane++)
              sum +=
                x[(y * WIDTH + z) * PLANES + plane]! *
                of("stem/conv/filter")[(((dy + 1) * 3 + dx + 1) * PLANES + plane) * head.filters + to]!;
          }
        return rectified(normalised("stem/norm", to, sum));
      });
      for (let to = 0; to < filters; to++) {
        const sum = stem.reduce(
          (all, input, from) => all + input * of("value/conv/filter")[from * filters + to]!,
          0,
        );
        flat.push(rectified(normalised("value/norm", to, sum)));
      }
    }
  const hidden = dense("value/hidden", flat, head.valueUnits).map(rectified);
  const outputs = of("value/dense/bias").length;
  return dense("value/dense", hidden, outputs).map(Math.tanh);
}

describe("AlphaZero's value head", () => {
  it.each(["onnx", "tfjs"] as const)(
    "has one filter and one output, for the player to move; the other player's is its negative, on %s",
    async (kind) => {
      const engine = kind === "onnx" ? await openEngine({ engine: "onnx" }) : await openReferenceEngine();
      for (const valueOutputs of ["mover", "seats"] as const)
        for (const valueFilters of [1, 2]) {
          const net = netOf(residual, board, { ...head, valueFilters, valueOutputs, values: "win-loss" });
          const random = Random.named("value head", valueOutputs, valueFilters);
          const weights = randomWeights(net, random);
          const rows = 6;
          const x = positions(net, rows, random);
          const out = outputsOf(net, rows);
          const plain = await openPlainInference(engine, net, weights);
          await plain.run(x, rows, out);
          await plain.dispose();
          const size = HEIGHT * WIDTH * PLANES;
          for (let row = 0; row < rows; row++) {
            const values = plainValues(weights, x.subarray(row * size, (row + 1) * size), valueFilters);
            const expected = valueOutputs === "mover" ? [values[0]!, -values[0]!] : values;
            expect(expected.length).toBe(2);
            for (const [seat, value] of expected.entries())
              expect(out.value[row * 2 + seat]).toBeCloseTo(value, 5);
          }
        }
    },
  );

  it("has the numbers of weights of figure 8, with a policy of convolutions", () => {
    const size = (net: Net, path: string) =>
      net.parameters
        .filter(({ name }) => name.startsWith(path))
        .map(({ shape }) => shape.reduce((product, length) => product * length, 1))
        .reduce((sum, each) => sum + each, 0);
    const net = netOf(residual, openGame("go", { size: 9 }), {
      filters: 256,
      blocks: 19,
      valueFilters: 1,
      valueOutputs: "mover",
      values: "win-loss",
      policyHead: "convolutional",
    });
    expect(size(net, "value/conv")).toBe(256);
    expect(size(net, "value/hidden")).toBe(81 * 256 + 256);
    expect(size(net, "value/dense")).toBe(256 + 1);
    const blocks = net.parameters.filter(({ name }) => name.startsWith("block") && name.endsWith("filter"));
    expect(blocks.map(({ shape }) => shape)).toEqual(Array.from({ length: 38 }, () => [3, 3, 256, 256]));
  });

  it("is refused where the negative is not the other player's value", () => {
    const four = () => netOf(residual, openGame("blokus"), { valueOutputs: "mover", values: "win-loss" });
    expect(four).toThrow(/cannot play blokus: valueOutputs: mover is for two players, and it has 4/);
    for (const values of ["returns", "win-share"] as const)
      expect(() => netOf(residual, board, { valueOutputs: "mover", values })).toThrow(
        new RegExp(`set values: win-loss \\(now ${values}\\)`),
      );
  });
});

describe("Xavier initialisation of the last layers", () => {
  it.each([
    ["glorot", (from: number, to: number) => Math.sqrt(6 / (from + to))],
    ["caffe", (from: number) => Math.sqrt(3 / from)],
  ] as const)("is uniform within its bound: %s", (xavier, bound) => {
    const net = netOf(residual, boardGame(4, 3000, [5, 5, 2]), {
      filters: 4,
      blocks: 1,
      valueUnits: 300,
      xavier,
    });
    const weights = initialWeights(net, Random.named("xavier", xavier));
    for (const [name, from, to] of [
      ["policy/dense/matrix", 50, 3000],
      ["value/dense/matrix", 300, 4],
    ] as const) {
      const drawn = weights.get(name)!;
      expect(drawn.length).toBe(from * to);
      const most = drawn.reduce((greatest, each) => Math.max(greatest, Math.abs(each)), 0);
      expect(most).toBeLessThanOrEqual(bound(from, to));
      expect(most).toBeGreaterThan(0.99 * bound(from, to));
      const variance = drawn.reduce((sum, each) => sum + each * each, 0) / drawn.length;
      // A third of the squared bound; five standard errors of the least of these samples are 15%.
      expect(variance / (bound(from, to) ** 2 / 3)).toBeGreaterThan(0.85);
      expect(variance / (bound(from, to) ** 2 / 3)).toBeLessThan(1.15);
    }
    // All else is drawn as before, from the same draws.
    const glorot = initialWeights(
      netOf(residual, boardGame(4, 3000, [5, 5, 2]), { filters: 4, blocks: 1, valueUnits: 300 }),
      Random.named("xavier", xavier),
    );
    expect(weights.get("stem/conv/filter")).toEqual(glorot.get("stem/conv/filter"));
  });
});
