import { expect, it } from "vitest";
import { OVER } from "../../../../src/games/game.ts";
import { PlanePacker } from "../../../../src/games/packed-planes.ts";
import { ticTacToe } from "../../../../src/games/tic-tac-toe/tic-tac-toe.ts";
import { CollectedPositions } from "../../../../src/operators/learning/collection/collected-positions.ts";
import { collectionOf } from "../../../../src/operators/learning/collection/collection-of.ts";
import type { BatchLayout } from "../../../../src/operators/play/examples/batch-layout.ts";
import { CollectionBatches } from "../../../../src/operators/learning/supervised/collection-batches.ts";
import { Random } from "../../../../src/random.ts";

const random = Random.named("games");
const legal = new Int32Array(9);
const games = Array.from({ length: 5 }, () => {
  const state = ticTacToe.initial();
  const moves: number[] = [];
  while (ticTacToe.toMove(state) !== OVER) {
    const move = legal[random.below(ticTacToe.legal(state, legal))]!;
    ticTacToe.play(state, move);
    moves.push(move);
  }
  return { moves, returns: [NaN, NaN], part: 0, group: 0 };
});
const collection = collectionOf("test", 2, ["all"], games);
const planes = ticTacToe.nets!.planes["stones"]!;

it.each([false, true])("a minibatch has the drawn decisions, symmetries %s", (symmetries) => {
  const layout: BatchLayout<ReturnType<typeof ticTacToe.initial>> = {
    planes,
    batch: 40,
    // A layout of its own for logits, so that an action is not its index.
    policy: { legalOnly: true, logitOf: Int32Array.from({ length: 9 }, (_, action) => 8 - action) },
    auxiliary: [{ name: "policyWeight", width: 1 }],
    symmetries,
  };
  const positions = () => new CollectedPositions(ticTacToe, collection, "training");
  const batches = new CollectionBatches(ticTacToe, layout, positions());
  batches.draw(Random.named("another"), 0);
  const batch = batches.draw(Random.named("draws"), 0);
  const again = positions();
  const draws = Random.named("draws");
  const packer = new PlanePacker(planes);
  const images = new Set<number>();
  for (let row = 0; row < 40; row++) {
    again.draw(draws);
    const image = symmetries ? draws.below(8) : 0;
    images.add(image);
    const state = ticTacToe.initial();
    ticTacToe.symmetry!.transform(again.state, image, state);
    const packed = { bytes: new Uint8Array(packer.bytes), floats: new Float32Array(packer.floats) };
    packer.write(state, packed, 0);
    expect(batch.bytes.slice(row * packer.bytes, (row + 1) * packer.bytes)).toEqual(packed.bytes);
    expect(batch.floats.slice(row * packer.floats, (row + 1) * packer.floats)).toEqual(packed.floats);
    const free = [...state.cells.keys()].filter((cell) => state.cells[cell] === 0);
    const listed = Array.from(batch.policyIndices!.subarray(9 * row, 9 * row + 9));
    const targets = Array.from(batch.policy!.subarray(9 * row, 9 * row + 9));
    expect(new Set(listed.filter((index) => index >= 0))).toEqual(new Set(free.map((cell) => 8 - cell)));
    expect(listed.filter((index) => index < 0)).toHaveLength(9 - free.length);
    const played = 8 - ticTacToe.symmetry!.action(again.action, image);
    expect(targets.map((target, i) => [target, listed[i]]).filter(([target]) => target !== 0)).toEqual([
      [1, played],
    ]);
  }
  expect(images.size).toBe(symmetries ? 8 : 1);
});
