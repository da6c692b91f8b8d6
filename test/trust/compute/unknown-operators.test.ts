import * as tf from "@tensorflow/tfjs-core";
import { expect, it } from "vitest";
import { defineNet, openGame } from "../../../src/api/index.ts";
import { dense, flatten } from "../../../src/api/nets.ts";
import { brokenLaws, unknownOperators } from "../../../src/api/testing.ts";

const netWith = (activation: (x: tf.Tensor2D) => tf.Tensor2D) =>
  defineNet({
    name: "small",
    description: "One layer.",
    heads: { value: true, policy: false },
    build: ({ planes: [height, width, channels], seats }) => {
      const value = dense("value", height * width * channels, seats);
      return {
        layers: [value],
        forward: (x, pass) => ({ value: activation(value.apply(flatten(x), pass)) }),
      };
    },
  });

it("says which operators of a net have no counterpart", async () => {
  const game = await openGame("tic-tac-toe");
  expect(await unknownOperators(netWith(tf.tanh), game)).toEqual([]);
  const unknown = await unknownOperators(netWith(tf.asinh), game);
  expect(unknown).toContainEqual(expect.stringMatching(/^Asinh has no counterpart/));
  await expect(unknownOperators(netWith(tf.tanh), game, { planes: 7 })).rejects.toMatchObject({
    code: "ERR_AGENT",
  });
});

it("tries the laws of a game that was opened", async () => {
  expect(brokenLaws(await openGame("tic-tac-toe"), { games: 3 })).toEqual([]);
});
