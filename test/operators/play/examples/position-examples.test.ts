import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Game2048 } from "../../../../src/games/2048/2048.ts";
import { CHANCE } from "../../../../src/games/game.ts";
import { ticTacToe } from "../../../../src/games/tic-tac-toe/tic-tac-toe.ts";
import { lambdaExamples } from "../../../../src/operators/play/examples/lambda-examples.ts";
import {
  type Example,
  ExampleCodec,
  exampleOffsets,
  PositionExampleReader,
} from "../../../../src/operators/play/examples/position-examples.ts";
import { randomGame } from "../../learning/replay/random-game.ts";

const small = new Game2048({ rows: 2, columns: 2 });

describe("examples kept as positions", () => {
  const policy = fc.uniqueArray(fc.integer({ min: 0, max: 8 }), { maxLength: 9 }).chain((actions) =>
    fc
      .array(fc.float({ min: 0, max: 1, noNaN: true }), {
        minLength: actions.length,
        maxLength: actions.length,
      })
      .map((weights) => ({ actions: Int32Array.from(actions), weights: Float64Array.from(weights) })),
  );
  const values = fc.array(fc.float({ noNaN: true }), { minLength: 2, maxLength: 2 });
  const stones = fc.integer({ min: 0, max: 8 });

  it("reads what it has written: states, values by seat and policy", () => {
    const codec = new ExampleCodec(ticTacToe);
    const example = fc.record({ stones, values, policy: fc.option(policy, { nil: undefined }) });
    fc.assert(
      fc.property(fc.array(example, { maxLength: 8 }), (drawn) => {
        const examples = drawn.map(({ stones: plies, values: seats, policy: target }): Example<any> => {
          const state = ticTacToe.initial();
          for (const action of [4, 0, 8, 2, 6, 7, 1, 3].slice(0, plies)) ticTacToe.play(state, action);
          return { state, values: seats, ...(target === undefined ? {} : { policy: target }) };
        });
        const bytes = codec.encodeAll(examples);
        expect(exampleOffsets(bytes)).toHaveLength(examples.length);
        const reader = new PositionExampleReader(ticTacToe);
        for (const [index, example] of examples.entries()) {
          reader.read(bytes, index);
          const { policy: target, ...rest } = example;
          expect({ state: reader.state, values: [...reader.values] }).toEqual(rest);
          expect(reader.policyWeight).toBe((target?.actions.length ?? 0) > 0 ? 1 : 0);
          const { count, actions, weights } = reader.policy;
          expect(actions.slice(0, count)).toEqual(target?.actions ?? new Int32Array(0));
          expect(Array.from(weights.slice(0, count))).toEqual([...(target?.weights ?? [])]);
        }
      }),
    );
  });

  it("keeps the boards of 2048", () => {
    const codec = new ExampleCodec(small);
    const { actions, decisions } = randomGame(small, 3);
    const examples = lambdaExamples(small, actions, decisions, 0.5);
    const bytes = codec.encodeAll(examples);
    const reader = new PositionExampleReader(small);
    for (const [index, offset] of exampleOffsets(bytes).entries()) {
      reader.read(bytes.subarray(offset), 0);
      expect(small.board(reader.state)).toEqual(small.board(examples[index]!.state));
      expect(reader.state.toMove).toBe(CHANCE);
    }
  });

  it("says so when a game cannot pack its states", () => {
    const { packing: _, ...nets } = ticTacToe.nets!;
    const bare = { ...ticTacToe, nets };
    expect(() => new ExampleCodec(bare)).toThrow(/"tic-tac-toe" cannot pack its states/);
  });
});
