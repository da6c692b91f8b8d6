import { describe, expect, it } from "vitest";
import { Game2048, type State2048 } from "../../../src/games/2048/2048.ts";
import { CHANCE } from "../../../src/games/game.ts";
import { NTupleNetwork } from "../../../src/models/n-tuple/network.ts";
import { nTuple } from "../../../src/models/n-tuple/n-tuple.ts";
import type { NTupleOptions } from "../../../src/models/n-tuple/options.ts";
import { Stages, TOUCHED } from "../../../src/models/n-tuple/stages.ts";
import { Random } from "../../../src/random.ts";

const game = new Game2048({ rows: 2, columns: 3 });
const options: NTupleOptions = { tuples: "board", initialValue: 12, stages: [8, 32] };

function afterstate(...tiles: number[]): State2048 {
  const state = game.fromBoard(tiles);
  state.toMove = CHANCE;
  return state;
}

const before = afterstate(4, 4, 2, 0, 0, 0);
const behind = afterstate(4, 8, 2, 0, 0, 0);
const late = afterstate(4, 8, 32, 0, 0, 2);

describe("stages", () => {
  it("are told by a board's greatest tile", () => {
    const stages = new Stages([8, 32], 1000);
    expect([before, behind, late].map(({ lines }) => stages.of(lines, 0))).toEqual([0, 1, 2]);
    expect(new Stages([], 1000).of(late.lines, 0)).toBe(0);
  });

  it("begin with what the stage before has learned, and leave that alone", () => {
    const network = NTupleNetwork.create(game, options);
    const { size } = network.lookup.stages;
    const step = network.kernel.stepper({ use: "td", rate: 0.5 });
    // As if the first stage had learned the later boards too.
    const indices = new Int32Array(network.lookup.lookups);
    network.lookup.indices(late.lines, 0, indices);
    for (const index of indices) network.weights[index % size] = 5;
    const share = (weight: number) => weight * network.lookup.lookups;
    expect(network.value(late)).toBe(share(5));
    expect(network.value(behind)).toBe(12);
    expect(step(late.lines, 0, share(7))).toBe(share(6));
    expect(network.value(late)).toBe(share(6));
    for (const index of indices) {
      expect(network.weights[index % size]).toBe(5);
      expect(network.weights[(index % size) + size]).toBe(0);
    }
    expect(network.value(behind)).toBe(12);
  });

  it("begin by themselves without promotion, and are stepped to 0 as any", () => {
    const network = NTupleNetwork.create(game, { ...options, promotion: false });
    const { size } = network.lookup.stages;
    const step = network.kernel.stepper({ use: "td", rate: 1 });
    const indices = new Int32Array(network.lookup.lookups);
    network.lookup.indices(late.lines, 0, indices);
    for (const index of indices) network.weights[index % size] = 5;
    expect([before, behind, late].map((state) => network.value(state))).toEqual([12, 12, 12]);
    expect(step(late.lines, 0, 0)).toBe(0);
    expect(network.value(late)).toBe(0);
    expect(network.value(behind)).toBe(12);
    for (const index of indices) expect(network.weights[index % size]).toBe(5);
  });

  it("remember a weight that has become 0", () => {
    const network = NTupleNetwork.create(game, options);
    const step = network.kernel.stepper({ use: "td", rate: 1 });
    expect(step(late.lines, 0, 0)).toBe(0);
    expect(network.value(late)).toBe(network.lookup.lookups * TOUCHED);
  });

  it.each([true, false])(
    "are saved and loaded, and learning goes on bit by bit: promotion %s",
    (promotion) => {
      const open = nTuple.open(game, { ...options, promotion });
      const learning = { lambda: 0.5, step: { use: "tc", rate: 1 }, restart: 5 } as const;
      const unbroken = open.load(new Map());
      const learner = open.learner(unbroken, learning);
      for (let i = 0; i < 60; i++) learner.playGame(Random.named("stages", i));
      const arrays = (saved: ReturnType<typeof open.save>) =>
        new Map([...saved].map(([name, { data }]) => [name, data]));
      const resumed = open.load(arrays(open.save(unbroken)));
      const second = open.learner(resumed, learning);
      second.restore(arrays(learner.state()));
      for (let i = 60; i < 100; i++)
        expect(second.playGame(Random.named("stages", i))).toEqual(
          learner.playGame(Random.named("stages", i)),
        );
      expect(open.save(resumed)).toEqual(open.save(unbroken));
      // Weights of all three stages have been learned, and are numbered stage after stage.
      const numbers = open.save(unbroken).get("weights")!.data;
      const { size } = new NTupleNetwork(game, options, unbroken).lookup.stages;
      expect(new Set([...numbers].map((number) => Math.floor(number / size)))).toEqual(new Set([0, 1, 2]));
    },
  );

  it("can begin with the weights of fewer of them", () => {
    const takes = (own: Partial<NTupleOptions>, saved: Partial<NTupleOptions>) =>
      nTuple.takesWeightsOf!(
        { tuples: "4x6", initialValue: 0, ...own },
        { tuples: "4x6", initialValue: 0, ...saved },
      );
    expect(takes({ stages: [8, 32], promotion: false }, {})).toBe(true);
    expect(takes({ stages: [8, 32] }, { stages: [8] })).toBe(true);
    expect(takes({ stages: [8, 32], promotion: true }, { stages: [8] })).toBe(true);
    expect(takes({ stages: [8, 32], promotion: false }, { stages: [8] })).toBe(false);
    expect(takes({ stages: [8, 32] }, { stages: [32] })).toBe(false);
    expect(takes({ stages: [8] }, { stages: [8, 32] })).toBe(false);
    expect(takes({ stages: [8] }, { initialValue: 5 })).toBe(false);
    expect(takes({ stages: [8] }, { tuples: "8x6" })).toBe(false);
    // The weights that a network without stages has saved are those of its first stage.
    const first = nTuple.open(game, { tuples: "board", initialValue: 12 });
    const learned = first.load(new Map());
    const learner = first.learner(learned, { lambda: 0.5, step: { use: "tc", rate: 1 } });
    for (let i = 0; i < 20; i++) learner.playGame(Random.named("first", i));
    const arrays = new Map([...first.save(learned)].map(([name, { data }]) => [name, data]));
    const staged = nTuple.open(game, { ...options, promotion: false });
    const network = new NTupleNetwork(game, { ...options, promotion: false }, staged.load(arrays));
    expect(network.value(before)).toBe(
      new NTupleNetwork(game, { tuples: "board", initialValue: 12 }, learned).value(before),
    );
    expect(network.value(before)).not.toBe(12);
    expect(network.value(late)).toBe(12);
  });

  it("must be given if promotion is", () => {
    expect(() => nTuple.open(game, { tuples: "board", initialValue: 0, promotion: false })).toThrow(
      /promotion needs stages, and none are given/,
    );
  });

  it("must be tiles in increasing order", () => {
    for (const stages of [[32, 8], [24]])
      expect(() => nTuple.open(game, { ...options, stages })).toThrow(/powers of two/);
  });
});
