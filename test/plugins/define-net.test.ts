import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as tf from "@tensorflow/tfjs-core";
import { afterAll, expect, it } from "vitest";
import { openGame } from "../../src/games/registry.ts";
import { initialWeights } from "../../src/models/net.ts";
import { completeOptions } from "../../src/options.ts";
import { nets, openNet } from "../../src/models/registry.ts";
import { loadPlugin } from "../../src/plugins/load-plugins.ts";
import { Random } from "../../src/random.ts";
import "@tensorflow/tfjs-backend-cpu";

const own = loadPlugin(join(import.meta.dirname, "../../examples/own-net/wide.ts"));
loadPlugin(join(import.meta.dirname, "../../examples/own-game/hex.ts"));
const scratch = mkdtempSync(join(tmpdir(), "ludoflow-test-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const wide = readFileSync(join(import.meta.dirname, "../../examples/own-net/wide.ts"), "utf8");
writeFileSync(
  join(scratch, "twins.ts"),
  wide.replace('name: "wide"', 'name: "twins"').replace('"policy"', '"value"'),
);
loadPlugin(join(scratch, "twins.ts"));

it("is a net of the shapes that its game has", async () => {
  await tf.setBackend("cpu");
  expect(own.defines).toEqual([{ kind: "net", name: "wide" }]);
  const game = openGame("hex", { size: 3 });
  const definition = nets.find(({ name }) => name === "wide")!;
  const completed = completeOptions(definition.options, { filters: 4, values: "win-loss" });
  if ("wrong" in completed) throw new Error(completed.wrong);
  expect(completed.options).toEqual({ filters: 4, planes: null, values: "win-loss", valueScale: 1 });
  const open = openNet("wide", game, completed.options);
  if (open.kind !== "network") throw new Error("no network");
  const { net } = open;
  expect([net.input, net.seats, net.actions, open.hasValue, open.hasPolicy]).toEqual([
    [3, 3, 2],
    2,
    9,
    true,
    true,
  ]);
  expect(net.parameters.map(({ name, shape }) => [name, shape])).toEqual([
    ["image/filter", [3, 3, 2, 4]],
    ["image/bias", [4]],
    ["value/matrix", [36, 2]],
    ["value/bias", [2]],
    ["policy/matrix", [36, 9]],
    ["policy/bias", [9]],
  ]);
  expect(() => openNet("twins", game, completed.options)).toThrow(
    /^the net twins cannot play hex: two layers have the name "value": weights are saved by these names/,
  );
  const weights = initialWeights(net, Random.named("wide"));
  tf.tidy(() => {
    const parameters = Object.fromEntries(
      net.parameters.map(({ name, shape }) => [name, tf.tensor(weights.get(name)!, [...shape])]),
    );
    const { value, policy, state } = net.forward(parameters, tf.ones([5, 3, 3, 2]), true);
    expect([value!.shape, policy!.shape, state]).toEqual([[5, 2], [5, 9], {}]);
  });
});
