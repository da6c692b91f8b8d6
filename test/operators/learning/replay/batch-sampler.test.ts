import { describe, expect, it } from "vitest";
import { Game2048 } from "../../../../src/games/2048/2048.ts";
import { OVER, type Game, type Planes } from "../../../../src/games/game.ts";
import { type PackedRows, PlanePacker } from "../../../../src/games/packed-planes.ts";
import { ticTacToe } from "../../../../src/games/tic-tac-toe/tic-tac-toe.ts";
import { BatchSampler } from "../../../../src/operators/learning/replay/batch-sampler.ts";
import {
  type Example,
  ExampleCodec,
  exampleOffsets,
} from "../../../../src/operators/play/examples/position-examples.ts";
import type { ReplayReady } from "../../../../src/operators/run/items.ts";
import { NetRows } from "../../../../src/operators/play/evaluation/net-rows.ts";
import { Random } from "../../../../src/random.ts";
import { movesOfRow } from "./moves-of-row.ts";

function replayOf<S>(game: Game<S>, examples: readonly Example<S>[]): ReplayReady {
  const bytes = new ExampleCodec(game).encodeAll(examples);
  return {
    generation: 0,
    last: true,
    layout: "positions",
    size: exampleOffsets(bytes).length,
    at: (number) => ({ bytes, number }),
  } as ReplayReady;
}

/** Positions of tic-tac-toe without any symmetry of their own, by number of plies. */
function position(plies: number) {
  const state = ticTacToe.initial();
  for (const action of [0, 1, 5, 4].slice(0, plies)) ticTacToe.play(state, action);
  return state;
}

const stones = ticTacToe.nets!.planes["stones"]!;
const policy = { actions: Int32Array.of(3, 6, 8), weights: Float64Array.of(0.5, 0.25, 0.25) };

/** The packed planes of a row. */
function planesOfRow({ bytes, floats }: PackedRows, planes: Planes<any>, row: number): number[][] {
  const packer = new PlanePacker(planes);
  return [
    [...bytes.subarray(row * packer.bytes, (row + 1) * packer.bytes)],
    [...floats.subarray(row * packer.floats, (row + 1) * packer.floats)],
  ];
}

/** What a net should be shown and taught for a position, by the game's own symmetry. */
function wanted<S>(game: Game<S>, planes: Planes<S>, example: Example<S>, symmetry: number) {
  const state = game.initial();
  game.symmetry!.transform(example.state, symmetry, state);
  const packer = new PlanePacker(planes);
  const packed = { bytes: new Uint8Array(packer.bytes), floats: new Float32Array(packer.floats) };
  packer.write(state, packed, 0);
  const mover = Math.max(0, game.toMove(state));
  const value = Array.from({ length: game.players }, () => 0);
  for (let seat = 0; seat < game.players; seat++) {
    const turned = game.symmetry!.seat(seat, symmetry);
    value[(turned - mover + game.players) % game.players] = example.values[seat]!;
  }
  const moves = [...(example.policy?.actions ?? [])].map((action, i) => [
    game.symmetry!.action(action, symmetry),
    example.policy!.weights[i]!,
  ]);
  return JSON.stringify([planesOfRow(packed, planes, 0), value, moves.toSorted(([a], [b]) => a! - b!)]);
}

describe("BatchSampler", () => {
  it("lays out planes, values from the mover's side, and the policy", () => {
    const examples = [3, 2].map((plies) => ({ state: position(plies), values: [0.75, 0.25], policy }));
    const sampler = new BatchSampler(ticTacToe, {
      planes: stones,
      batch: 16,
      policy: { legalOnly: false },
      auxiliary: [],
      symmetries: false,
    });
    const batch = sampler.draw(replayOf(ticTacToe, examples), Random.named("layout"), 0);
    const rows = Array.from({ length: 16 }, (_, row) =>
      JSON.stringify([
        planesOfRow(batch, stones, row),
        [...batch.value.subarray(2 * row, 2 * (row + 1))],
        movesOfRow(batch.policyIndices!, batch.policy!, row, 9),
      ]),
    );
    const possible = examples.map((example) => wanted(ticTacToe, stones, example, 0));
    expect(new Set(rows)).toEqual(new Set(possible));
    // After three stones seat 1 moves: its own value comes first.
    expect(possible[0]).toContain("[0.25,0.75]");
    expect(possible[1]).toContain("[0.75,0.25]");
  });

  it("with legalOnly lists all legal actions, those that are not in the target with probability 0", () => {
    const over = ticTacToe.initial();
    for (const action of [0, 3, 1, 4, 2]) ticTacToe.play(over, action);
    const sampler = new BatchSampler(ticTacToe, {
      planes: stones,
      batch: 16,
      policy: { legalOnly: true },
      auxiliary: [],
      symmetries: false,
    });
    const draw = (example: Example<any>, stream: number) => {
      const batch = sampler.draw(replayOf(ticTacToe, [example]), Random.named(stream), 0);
      return movesOfRow(batch.policyIndices!, batch.policy!, 15, 9);
    };
    expect(draw({ state: position(3), values: [1, 0], policy }, 1)).toEqual([
      [2, 0],
      [3, 0.5],
      [4, 0],
      [6, 0.25],
      [7, 0],
      [8, 0.25],
    ]);
    expect(draw({ state: position(3), values: [1, 0] }, 2)).toEqual(
      [2, 3, 4, 6, 7, 8].map((action) => [action, 0]),
    );
    expect(draw({ state: over, values: [1, 0] }, 3)).toEqual([]);
  });

  it("draws every symmetry of the board, position, policy and values transformed together", () => {
    const example = { state: position(3), values: [1, 0], policy };
    const sampler = new BatchSampler(ticTacToe, {
      planes: stones,
      batch: 400,
      policy: { legalOnly: false },
      auxiliary: [],
      symmetries: true,
    });
    const batch = sampler.draw(replayOf(ticTacToe, [example]), Random.named("turned"), 0);
    const counts = new Map<string, number>();
    for (let row = 0; row < 400; row++) {
      const key = JSON.stringify([
        planesOfRow(batch, stones, row),
        [...batch.value.subarray(2 * row, 2 * (row + 1))],
        movesOfRow(batch.policyIndices!, batch.policy!, row, 9),
      ]);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const images = Array.from({ length: 8 }, (_, symmetry) => wanted(ticTacToe, stones, example, symmetry));
    expect(new Set(images).size).toBe(8);
    expect(new Set(counts.keys())).toEqual(new Set(images));
    for (const count of counts.values()) expect(count).toBeGreaterThan(20);
  });

  it("transforms the boards of 2048 as the game does, rectangular ones too", () => {
    const game = new Game2048({ rows: 2, columns: 3 });
    const state = game.fromBoard([2, 4, 8, 16, 32, 0]);
    const example = { state, values: [123] };
    const sampler = new BatchSampler(game, {
      planes: game.nets.planes.tiles,
      batch: 64,
      auxiliary: [],
      symmetries: true,
    });
    const batch = sampler.draw(replayOf(game, [example]), Random.named(8), 0);
    expect(batch.policy).toBeUndefined();
    const seen = new Set(
      Array.from({ length: 64 }, (_, row) => JSON.stringify(planesOfRow(batch, game.nets.planes.tiles, row))),
    );
    const images = new Set(
      Array.from({ length: 4 }, (_, symmetry) =>
        JSON.stringify(JSON.parse(wanted(game, game.nets.planes.tiles, example, symmetry))[0]),
      ),
    );
    expect(seen).toEqual(images);
    expect([...batch.value]).toEqual(Array.from({ length: 64 }, () => 123));
  });

  it("draws positions uniformly, and the same ones from the same stream", () => {
    const examples = Array.from({ length: 10 }, (_, number) => ({ state: position(2), values: [number, 0] }));
    const replay = replayOf(ticTacToe, examples);
    const sampler = new BatchSampler(ticTacToe, {
      planes: stones,
      batch: 5000,
      auxiliary: [],
      symmetries: false,
    });
    const first = sampler.draw(replay, Random.named(1), 0);
    const again = sampler.draw(replay, Random.named(1), 1);
    const other = sampler.draw(replay, Random.named(2), 2);
    expect(again.value).toEqual(first.value);
    expect(other.value).not.toEqual(first.value);
    const counts = Array.from({ length: 10 }, () => 0);
    for (let row = 0; row < 5000; row++) counts[first.value[2 * row]!]!++;
    for (const count of counts) expect(Math.abs(count - 500)).toBeLessThan(4 * Math.sqrt(500));
  });

  it("leaves nothing of an earlier draw in a slot that is used again", () => {
    const sampler = new BatchSampler(ticTacToe, {
      planes: stones,
      batch: 4,
      policy: { legalOnly: false },
      auxiliary: [],
      symmetries: false,
    });
    const before = sampler.draw(
      replayOf(ticTacToe, [{ state: position(2), values: [1, 0], policy }]),
      Random.named(1),
      0,
    );
    const after = sampler.draw(
      replayOf(ticTacToe, [{ state: position(0), values: [0, 1] }]),
      Random.named(1),
      0,
    );
    expect(after.bytes).toBe(before.bytes);
    expect([0, 1, 2, 3].map((row) => movesOfRow(after.policyIndices!, after.policy!, row, 9))).toEqual([
      [],
      [],
      [],
      [],
    ]);
    const other = sampler.draw(
      replayOf(ticTacToe, [{ state: position(0), values: [0, 1] }]),
      Random.named(1),
      1,
    );
    expect(other.bytes).not.toBe(after.bytes);
  });

  it("keeps its batches in shared memory, for the trainer's thread", () => {
    const sampler = new BatchSampler(ticTacToe, {
      planes: stones,
      batch: 2,
      policy: { legalOnly: false },
      auxiliary: [],
      symmetries: false,
    });
    const batch = sampler.draw(
      replayOf(ticTacToe, [{ state: position(1), values: [0, 1] }]),
      Random.named(1),
      0,
    );
    for (const array of [batch.bytes, batch.floats, batch.value, batch.policy!, batch.policyIndices!])
      expect(array.buffer).toBeInstanceOf(SharedArrayBuffer);
  });
});

describe("NetRows", () => {
  const rows = new NetRows(ticTacToe);

  it("shows finished games from seat 0", () => {
    const state = ticTacToe.initial();
    for (const action of [0, 3, 1, 4, 2]) ticTacToe.play(state, action);
    expect(ticTacToe.toMove(state)).toBe(OVER);
    const values = new Float32Array(2);
    rows.writeValues(state, [1, 0], values, 0);
    expect([...values]).toEqual([1, 0]);
  });

  it("reads back what it would teach: values by seat", () => {
    for (const plies of [2, 3]) {
      const state = position(plies);
      const values = new Float32Array(4);
      rows.writeValues(state, [0.75, 0.25], values, 1);
      const bySeat = new Float64Array(6);
      rows.readValues(state, values, 1, bySeat, 2);
      expect([...bySeat]).toEqual([0, 0, 0.75, 0.25, 0, 0]);
      expect(values[2]).toBe(plies % 2 === 0 ? 0.75 : 0.25);
    }
  });
});
