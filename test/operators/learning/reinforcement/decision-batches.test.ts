import { describe, expect, it } from "vitest";
import { openEngine } from "../../../../src/compute/open-engine.ts";
import { createGame } from "../../../../src/games/registry.ts";
import type { Game } from "../../../../src/games/game.ts";
import { initialWeights } from "../../../../src/models/net.ts";
import { openLoss } from "../../../../src/models/nets/loss.ts";
import { openTraining } from "../../../../src/models/nets/training.ts";
import { openNet, type OpenNetwork } from "../../../../src/models/registry.ts";
import {
  DecisionBatches,
  decisionsOf,
  type SeatDecisions,
} from "../../../../src/operators/learning/reinforcement/decision-batches.ts";
import { REINFORCE_LOSS } from "../../../../src/operators/learning/reinforcement/reinforcement-learner.ts";
import { batchLayout } from "../../../../src/operators/play/examples/batch-layout.ts";
import { completeOptions } from "../../../../src/options.ts";
import { nets } from "../../../../src/models/registry.ts";
import { Random } from "../../../../src/random.ts";
import { relativeError } from "../../../compute/agreement.ts";
import { randomGame } from "../replay/random-game.ts";

const game = createGame("tic-tac-toe", {}) as Game<unknown>;

/** A net without hidden layers: its policy is a softmax over a linear function of the planes. */
function linearNet(): OpenNetwork {
  const definition = nets.find(({ name }) => name === "mlp")!;
  const completed = completeOptions(definition.options, { hidden: [], policy: true });
  if ("wrong" in completed) throw new Error(completed.wrong);
  return openNet("mlp", game, completed.options) as OpenNetwork;
}

const advantages = [1, -0.5, 0.25, -1, 0.75];
const games = advantages.map((value, seed): SeatDecisions => ({
  actions: randomGame(game, seed).actions,
  seat: seed % 2,
  advantage: (decision) => value * (1 + decision),
}));

function batches(open: OpenNetwork, rows: number, symmetries = false) {
  const layout = batchLayout({ batch: rows, loss: REINFORCE_LOSS, symmetries }, open);
  return new DecisionBatches(game, layout, 100);
}

/** -1/n times the gradient of the sum of advantage * log p by the weights and biases of a linear policy. */
function plainGradient(open: OpenNetwork, weights: ReadonlyMap<string, Float32Array>) {
  const [height, width, channels] = open.planes.shape;
  const inputs = height * width * channels;
  const [kernel, bias] = [weights.get("policy/matrix")!, weights.get("policy/bias")!];
  const gradient = { kernel: new Float64Array(kernel.length), bias: new Float64Array(bias.length) };
  const x = new Float32Array(inputs);
  const legal = new Int32Array(game.maxLegal);
  for (const learned of games) {
    let decision = 0;
    for (const { state, action } of decisionsOf(game, learned)) {
      open.planes.write(state, x, 0);
      const moves = [...legal.subarray(0, game.legal(state, legal))];
      const logits = moves.map((move) =>
        x.reduce((sum, xi, i) => sum + xi * kernel[i * game.actions + move]!, bias[move]!),
      );
      const total = logits.reduce((sum, logit) => sum + Math.exp(logit), 0);
      const scale = learned.advantage(decision++) / games.length;
      for (const [i, move] of moves.entries()) {
        const by = -scale * ((move === action ? 1 : 0) - Math.exp(logits[i]!) / total);
        gradient.bias[move]! += by;
        for (const [j, xj] of x.entries()) gradient.kernel[j * game.actions + move]! += by * xj;
      }
    }
  }
  return gradient;
}

describe("the batches of a minibatch of games", () => {
  it("have every decision of the learned seats once, the rest of the last batch without weight", () => {
    const open = linearNet();
    const decisions = games.reduce((sum, learned) => sum + [...decisionsOf(game, learned)].length, 0);
    const laidOut = [...batches(open, 4).of(games, Random.named("none"))];
    expect(laidOut.map(({ rows }) => rows).reduce((a, b) => a + b, 0)).toBe(decisions);
    expect(laidOut.map(({ last }) => last)).toEqual(laidOut.map((_, i) => i === laidOut.length - 1));
    for (const { batch, rows } of laidOut)
      expect([...batch.auxiliary!.policyWeight!]).toEqual([0, 1, 2, 3].map((row) => (row < rows ? 1 : 0)));
  });

  it("give one step whose gradient is that of REINFORCE, plainly computed, from several batches", async () => {
    const rows = 5;
    const open = linearNet();
    const weights = initialWeights(open.net, Random.named("weights"));
    const training = await openTraining(
      await openEngine(),
      open.net,
      openLoss(REINFORCE_LOSS),
      { optimiser: { use: "sgd", momentum: 0 }, rows, accumulating: true },
      { weights },
    );
    const laidOut = [...batches(open, rows).of(games, Random.named("none"))];
    await training.steps(
      laidOut.map(({ batch }) => batch),
      Float32Array.from(laidOut, ({ last }) => (last ? 0.5 : 0)),
    );
    const after = (await training.state()).weights;
    await training.dispose();
    const { kernel, bias } = plainGradient(open, weights);
    for (const [name, gradient] of [
      ["policy/matrix", kernel],
      ["policy/bias", bias],
    ] as const) {
      const taken = after.get(name)!.map((value, i) => (weights.get(name)![i]! - value) / 0.5);
      expect(relativeError(taken, Float32Array.from(gradient))).toBeLessThan(1e-4);
    }
  });

  it("draw an image of each position, with the image of its action", () => {
    const open = linearNet();
    const find = (symmetries: boolean) =>
      [...batches(open, 64, symmetries).of(games, Random.named("images"))][0]!.batch;
    const [plain, drawn] = [find(false), find(true)];
    const { symmetry, maxLegal } = game;
    const random = Random.named("images");
    let row = 0;
    let moved = 0;
    for (const learned of games)
      for (const { action } of decisionsOf(game, learned)) {
        const image = symmetry!.action(action, random.below(symmetry!.count));
        const at = (batch: typeof plain) =>
          batch.policyIndices![
            row * maxLegal +
              batch.policy!.subarray(row * maxLegal, (row + 1) * maxLegal).findIndex((t) => t !== 0)
          ];
        expect(at(plain)).toBe(action);
        expect(at(drawn)).toBe(image);
        if (image !== action) moved++;
        row++;
      }
    expect(moved).toBeGreaterThan(5);
  });
});
