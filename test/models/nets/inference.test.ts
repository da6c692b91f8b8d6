import { describe, expect, it } from "vitest";
import { openEngine } from "../../../src/compute/open-engine.ts";
import { openReferenceEngine } from "../../../src/compute/tfjs/engine.ts";
import { PlanePacker } from "../../../src/games/packed-planes.ts";
import { cnn22 } from "../../../src/models/nets/cnn22.ts";
import { NO_INDEX } from "../../../src/models/nets/gather-logits.ts";
import { openInference } from "../../../src/models/nets/inference.ts";
import { int8Ranges } from "../../../src/models/nets/int8.ts";
import { gatherWidth } from "../../../src/models/nets/gather-width.ts";
import type { InferenceBatch, Net } from "../../../src/models/net.ts";
import { residual } from "../../../src/models/nets/residual.ts";
import { Random } from "../../../src/random.ts";
import { relativeError } from "../../compute/agreement.ts";
import { boardGame, netOf } from "../boards.ts";
import { openPlainInference } from "./plain-inference.ts";
import { outputsOf, positions, randomWeights } from "./random-batches.ts";
import { someOf } from "../../number-of-cases.ts";

const actions = 880;
const convolutional = netOf(residual, boardGame(2, actions, [9, 9, 7], 11), {
  filters: 16,
  blocks: 2,
  valueUnits: 8,
  policyHead: "convolutional",
  globalPooling: 3,
});
const dense = netOf(residual, boardGame(3, 300, [4, 4, 3]), { filters: 5, blocks: 1, valueUnits: 6 });

/** A position as floats, packed, and the logits of its moves. */
interface Position {
  readonly x: Float32Array;
  readonly moves: readonly number[];
}

/** Positions with 0 to `most` moves, in any order. */
function positionsWithMoves(net: Net, rows: number, most: number, random: Random): Position[] {
  const [height, width, channels] = net.input;
  const all = positions(net, rows, random);
  const size = height * width * channels;
  return Array.from({ length: rows }, (_, row) => {
    const places = Array.from({ length: net.actions! }, (_, action) => net.logitOf?.[action] ?? action);
    const count = row === 0 ? most : row === 1 ? 0 : random.below(most + 1);
    const moves = Array.from({ length: count }, () => places.splice(random.below(places.length), 1)[0]!);
    return { x: all.subarray(row * size, (row + 1) * size), moves };
  });
}

/** A batch of these positions; `shift` moves its arrays in memory by so many numbers. */
function batchOf(net: Net, list: readonly Position[], width: number, shift = 0): InferenceBatch {
  const packer = new PlanePacker<Float32Array>({
    shape: net.input,
    encoding: net.encoding,
    write: (x, out, offset) => out.set(x, offset),
  });
  const bytes = new Uint8Array(list.length * packer.bytes);
  const floats = new Float32Array(shift + list.length * packer.floats).subarray(shift);
  const gather = new Int32Array(shift + list.length * width).subarray(shift).fill(NO_INDEX);
  for (const [row, position] of list.entries()) {
    packer.write(position.x, { bytes, floats }, row);
    gather.set(position.moves, row * width);
  }
  return { bytes, floats, gather, width };
}

const outputs = (net: Net, rows: number, width: number) => ({
  value: new Float32Array(rows * net.seats),
  prior: new Float32Array(rows * width).fill(Number.NaN),
});

describe.each([
  ["convolutional", convolutional],
  ["dense", dense],
] as const)("inference with a %s policy head", (name, net) => {
  const random = Random.named("inference", name);
  const weights = randomWeights(net, random);
  const maxLegal = net.actions!;
  const list = positionsWithMoves(net, 12, 150, random);

  it.each(["onnx", "tfjs"] as const)(
    "gives the values and the softmax over the logits of the moves, on %s",
    async (kind) => {
      const engine = kind === "onnx" ? await openEngine({ engine: "onnx" }) : await openReferenceEngine();
      const plain = await openPlainInference(engine, net, weights);
      const inference = await openInference(engine, net, weights);
      const width = gatherWidth(150, maxLegal);
      const out = outputs(net, list.length, width);
      await inference.run(batchOf(net, list, width), list.length, out);
      for (const [row, { x, moves }] of list.entries()) {
        const expected = outputsOf(net, 1);
        await plain.run(x, 1, expected);
        const values = out.value.slice(row * net.seats, (row + 1) * net.seats);
        expect(relativeError(values, expected.value)).toBeLessThan(1e-5);
        const likely = moves.map((move) => Math.exp(expected.policy![move]!));
        const total = likely.reduce((sum, each) => sum + each, 0);
        const priors = out.prior.subarray(row * width, (row + 1) * width);
        if (moves.length > 0) {
          for (const [i, each] of likely.entries()) {
            expect(Math.abs(priors[i]! - each / total)).toBeLessThan(1e-5 * (each / total) + 1e-9);
          }
          expect(new Set(priors.subarray(moves.length))).toEqual(new Set([0]));
        }
      }
      await inference.dispose();
      await plain.dispose();
    },
  );

  it.each(["float32", "int8"])(
    "gives a position the same bits in batches of 1 to 33, of other widths, places and threads, in %s",
    async (of) => {
      const many = positionsWithMoves(net, 33, 150, random);
      const widths = [...new Set([150, 300, 600, 900].map((most) => gatherWidth(most, maxLegal)))];
      expect(widths.length).toBeGreaterThan(1);
      const [least] = widths as [number];
      const expected = outputs(net, many.length, least);
      const differing: string[] = [];
      const one = await openEngine({ threads: 1 });
      const ranges =
        of === "int8"
          ? await int8Ranges(one, net, weights, batchOf(net, many, least), many.length)
          : undefined;
      for (const threads of [1, 2]) {
        const inference = await openInference(await openEngine({ threads }), net, weights, ranges);
        if (threads === 1) await inference.run(batchOf(net, many, least), many.length, expected);
        for (const rows of new Set([...someOf([...many.keys()].map((i) => i + 1)), many.length])) {
          const width = widths[rows % widths.length]!;
          for (let first = 0; first + rows <= many.length; first += rows) {
            const some = many.slice(first, first + rows);
            const out = outputs(net, rows, width);
            await inference.run(batchOf(net, some, width, (rows + Math.floor(rows / 5)) % 5), rows, out);
            for (const [row, { moves }] of some.entries()) {
              const same = (kind: "value" | "prior", length: number, count: number, among: number) =>
                Array.from({ length: count }).every((_, i) =>
                  Object.is(out[kind][row * length + i], expected[kind][(first + row) * among + i]),
                );
              if (
                !same("value", net.seats, net.seats, net.seats) ||
                !same("prior", width, moves.length, least)
              )
                differing.push(`row ${row} of ${rows} from ${first}, width ${width}, ${threads} threads`);
            }
          }
        }
        await inference.dispose();
      }
      expect(differing).toEqual([]);
    },
  );
});

it("evaluates nets without a policy", async () => {
  const net = netOf(cnn22, boardGame(1, 4, [4, 4, 5]), { filters: [6, 8], units: [10, 7], valueScale: 1 });
  const random = Random.named("inference", "values only");
  const weights = randomWeights(net, random);
  const engine = await openEngine();
  const [plain, inference] = [
    await openPlainInference(engine, net, weights),
    await openInference(engine, net, weights),
  ];
  const x = positions(net, 1, random);
  const [out, expected] = [new Float32Array(1), new Float32Array(1)];
  await inference.run(batchOf(net, [{ x, moves: [] }], 4), 1, { value: out });
  await plain.run(x, 1, { value: expected });
  expect(relativeError(out, expected)).toBeLessThan(1e-5);
  await Promise.all([plain.dispose(), inference.dispose()]);
});

it("has few widths of rows of moves, all of them multiples of one that vector loops divide evenly", () => {
  expect([1, 192, 193, 500, 2048].map((most) => gatherWidth(most, 2048))).toEqual([192, 192, 384, 768, 3072]);
  expect([0, 1, 9].map((most) => gatherWidth(most, 9))).toEqual([9, 9, 9]);
});
