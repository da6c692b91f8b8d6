import * as Effect from "effect/Effect";
import { describe, expect, it } from "vitest";
import { openEngine } from "../../../../src/compute/open-engine.ts";
import { CHANCE, type Game, OVER } from "../../../../src/games/game.ts";
import { seatInTurnOrder } from "../../../../src/games/turn-order.ts";
import { initialWeights } from "../../../../src/models/net.ts";
import { PositionValues } from "../../../../src/operators/play/evaluation/position-values.ts";
import { networkOf, openExperiment } from "../../../../src/operators/experiment/open-experiment.ts";
import { baselineBy } from "../../../../src/operators/learning/reinforcement/baseline-values.ts";
import { Random } from "../../../../src/random.ts";
import { openPlainInference } from "../../../models/nets/plain-inference.ts";
import { randomGame } from "../../learning/replay/random-game.ts";

const opened = openExperiment({
  name: "values",
  seed: 1,
  schedule: "synchronous",
  compute: { engine: "auto", device: "cpu", threads: 1 },
  game: { rules: "blokus" },
  nets: {
    value: {
      use: "mlp",
      hidden: [3],
      policy: false,
      valueActivation: "linear",
      valueScale: 1,
      planes: "compact",
      values: "win-share",
    },
  },
  agents: {},
  graph: {},
});
const game: Game<unknown> = opened.game;
const network = networkOf(opened, "value");
const weights = initialWeights(network.net, Random.named("weights"));
const games = [1, 2, 3].map((seed) => randomGame(game, seed).actions);

/** The decisions of the games as one state that changes. */
function* positions(): Generator {
  for (const actions of games) {
    const state = game.initial();
    for (const action of actions) {
      if (game.toMove(state) !== CHANCE) yield state;
      game.play(state, action);
    }
  }
}

/** The values of the positions by seat, each position computed alone. */
async function slowly(): Promise<number[]> {
  const plain = await openPlainInference(await openEngine(), network.net, weights);
  const [height, width, channels] = network.planes.shape;
  const x = new Float32Array(height * width * channels);
  const value = new Float32Array(game.players);
  const all: number[] = [];
  for (const state of positions()) {
    network.planes.write(state, x.fill(0), 0);
    await plain.run(x, 1, { value });
    const bySeat = [0, 0, 0, 0];
    for (const [turn, each] of value.entries()) bySeat[seatInTurnOrder(game, state, turn)] = each;
    all.push(...bySeat);
  }
  await plain.dispose();
  return all;
}

describe("values of positions", () => {
  it("are those of the net by seat, in batches of positions of one state that changes", async () => {
    const values = await PositionValues.open(opened, "value", weights);
    const found = await values.of(positions());
    const expected = await slowly();
    expect(found.length).toBe(expected.length);
    // More than one batch.
    expect(found.length / 4).toBeGreaterThan(129);
    for (const [i, value] of expected.entries()) expect(found[i]).toBeCloseTo(value, 4);
    expect(new Set(found.slice(0, 4)).size).toBe(4);

    const state = game.initial();
    const own: number[] = [];
    for (const [ply, action] of games[0]!.entries()) {
      if (game.toMove(state) === 2) own.push(2 * expected[4 * ply + 2]! - 1);
      game.play(state, action);
    }
    expect(game.toMove(state)).toBe(OVER);
    const baseline = await Effect.runPromise(
      baselineBy(opened, "value", values)({ actions: games[0]!, seat: 2 }),
    );
    expect(baseline).toHaveLength(own.length);
    for (const [i, value] of own.entries()) expect(baseline[i]).toBeCloseTo(value, 4);
    await values.dispose();
  });
});
