import { describe, expect, it } from "vitest";
import { OVER } from "../../../src/games/game.ts";
import { ticTacToe } from "../../../src/games/tic-tac-toe/tic-tac-toe.ts";
import { LinearPolicy } from "../../../src/models/linear/softmax-policy.ts";
import { CollectedPositions } from "../../../src/operators/learning/collection/collected-positions.ts";
import { collectionOf } from "../../../src/operators/learning/collection/collection-of.ts";
import { freshWeights } from "../../../src/operators/run/weights/net-weights.ts";
import { Random } from "../../../src/random.ts";
import { experimentOf, lastWeights, type Learned, learnFrom } from "./learn-from.ts";

/** Games of a player that likes the middle, then the corners, and moves at random in a third of the cases. */
function games(count: number) {
  const random = Random.named("teacher");
  const legal = new Int32Array(9);
  const liked = [4, 0, 2, 6, 8, 1, 3, 5, 7];
  const all = Array.from({ length: count }, (_, number) => {
    const state = ticTacToe.initial();
    const moves: number[] = [];
    while (ticTacToe.toMove(state) !== OVER) {
      const open = legal.subarray(0, ticTacToe.legal(state, legal));
      const move =
        random.below(3) === 0 ? open[random.below(open.length)]! : liked.find((cell) => open.includes(cell))!;
      ticTacToe.play(state, move);
      moves.push(move);
    }
    return { moves, returns: [NaN, NaN], part: number % 4 === 3 ? 1 : 0, group: 0 };
  });
  return collectionOf("teacher", 2, ["all"], all);
}

const text = (settings: string, net = "{ use: mlp, hidden: [], policy: true }") => `
name: supervised
seed: 3
workers: 1
compute: { threads: 1 }
game: { rules: tic-tac-toe }
nets: { net: ${net} }
graph:
  policy: { use: supervised, from: records, net: net, ${settings} }
`;

const losses = ({ events }: Learned) =>
  events.flatMap((event) => (event.type === "training" ? [event.loss] : []));

describe("supervised learning of a net", () => {
  it("draws decisions uniformly and takes the step of softmax regression", async () => {
    const collection = games(10);
    const settings =
      "batch: 6, steps: 1, every: 1, rate: 0.5, symmetries: false, optimiser: { use: sgd, momentum: 0 }";
    const learned = await learnFrom(text(settings), collection);
    const opened = experimentOf(text(settings));
    const start = freshWeights(opened, "net");
    const matrix = start.get("weights/policy/matrix")!.data;
    const bias = start.get("weights/policy/bias")!.data;
    const change = { matrix: new Float64Array(matrix.length), bias: new Float64Array(9) };
    const random = Random.named(3, "policy", "batch", 0);
    const positions = new CollectedPositions(ticTacToe, collection, "training");
    const planes = new Float32Array(27);
    let loss = 0;
    for (let row = 0; row < 6; row++) {
      positions.draw(random);
      const { action, state } = positions;
      ticTacToe.nets!.planes["stones"]!.write(state, planes, 0);
      const open = [...state.cells.keys()].filter((cell) => state.cells[cell] === 0);
      const logits = open.map((cell) =>
        planes.reduce((sum, x, i) => sum + x * matrix[9 * i + cell]!, bias[cell]!),
      );
      const total = logits.reduce((sum, logit) => sum + Math.exp(logit), 0);
      for (const [i, cell] of open.entries()) {
        const probability = Math.exp(logits[i]!) / total;
        if (cell === action) loss -= Math.log(probability) / 6;
        const slope = (probability - (cell === action ? 1 : 0)) / 6;
        change.bias[cell]! -= 0.5 * slope;
        for (let x = 0; x < 27; x++) change.matrix[9 * x + cell]! -= 0.5 * slope * planes[x]!;
      }
    }
    expect(losses(learned)[0]).toBeCloseTo(loss, 5);
    const weights = lastWeights(learned);
    for (const [i, value] of weights.get("policy/matrix")!.entries())
      expect(value).toBeCloseTo(matrix[i]! + change.matrix[i]!, 5);
    for (const [i, value] of weights.get("policy/bias")!.entries())
      expect(value).toBeCloseTo(bias[i]! + change.bias[i]!, 5);
  });

  it("is stopped and resumed at any step with the same weights and losses, and makes a version each `every` steps", async () => {
    const collection = games(20);
    const settings =
      "batch: 4, steps: 24, every: 8, rate: [{ until: 13, value: 0.02 }, { value: 0.01 }], averaging: 0.9";
    const whole = await learnFrom(text(settings), collection);
    expect(
      whole.versions.map(({ version: { version, learned, state } }) => [version, learned, state]),
    ).toEqual([
      [0, 0, "whole"],
      [1, 8, "whole"],
      [2, 16, "whole"],
      [3, 24, "final"],
    ]);
    for (const stopAt of [1, 8, 11]) {
      const before = await learnFrom(text(settings), collection, { stopAt });
      const { tensors, version } = before.versions.at(-1)!;
      expect(version.learned).toBeGreaterThanOrEqual(stopAt);
      expect(version.learned).toBeLessThan(24);
      const after = await learnFrom(text(settings), collection, {
        from: { tensors, progress: version.progress },
      });
      expect(lastWeights(after)).toEqual(lastWeights(whole));
      expect(after.versions.at(-1)!.tensors).toEqual(whole.versions.at(-1)!.tensors);
    }
  });

  it("predicts moves of a player that it has learned from", async () => {
    const settings = "batch: 32, steps: 120, every: 120, rate: 0.01";
    const learned = losses(
      await learnFrom(text(settings, "{ use: convolutional, filters: 8, layers: 2 }"), games(60)),
    );
    const last = learned.slice(-6);
    expect(learned[0]).toBeGreaterThan(1.5);
    expect(last.reduce((sum, loss) => sum + loss, 0) / last.length).toBeLessThan(1.42);
  });
});

describe("supervised learning of a linear policy", () => {
  const go = (settings: string) => `
name: linear
seed: 4
workers: 1
game: { rules: go, size: 5, komi: 0 }
nets: { net: { use: linear-policy } }
graph:
  policy: { use: supervised, from: records, net: net, ${settings} }
`;
  /** Games of a policy with drawn weights. The first move of each fills an eye or is another that no policy chooses. */
  function policyGames(count: number) {
    const { game, nets } = experimentOf(go("batch: 1, steps: 1, every: 1, rate: 1"));
    const random = Random.named("go teacher");
    const open = nets.get("net")!;
    if (open.kind !== "tables") throw new Error("a linear policy has tables");
    const teacher = new LinearPolicy(game, open.load(new Map()));
    for (let i = 0; i < teacher.weights.length; i++) teacher.weights[i] = 2 * random.normal();
    const all = Array.from({ length: count }, () => {
      const state = game.initial();
      const moves: number[] = [];
      while (game.toMove(state) !== OVER && moves.length < 30) {
        // A pass while there are other moves: no policy for playouts plays it.
        const move = moves.length === 3 ? game.actions - 1 : teacher.draw(state, random);
        game.play(state, move);
        moves.push(move);
      }
      return { moves, returns: [NaN, NaN], part: 0, group: 0 };
    });
    return collectionOf("teacher", 2, ["all"], all);
  }

  it("raises the likelihood of the moves, and leaves out and counts those that it cannot play", async () => {
    const collection = policyGames(30);
    const learned = await learnFrom(go("batch: 16, steps: 200, every: 200, rate: 0.2"), collection);
    const told = learned.events.flatMap((event) => (event.type === "note" ? [event.message] : []));
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/^\d+ of 3,\d+ decisions drawn \(\d\.\d%\) were left out/);
    const untrained = await learnFrom(go("batch: 2000, steps: 1, every: 1, rate: 0.2"), collection);
    expect(losses(learned).at(-1)!).toBeLessThan(0.85 * losses(untrained)[0]!);
  });

  it("is stopped and resumed with the same weights", async () => {
    const collection = policyGames(30);
    const settings = "batch: 2048, steps: 6, every: 3, rate: [{ until: 4, value: 0.2 }, { value: 0.1 }]";
    const whole = await learnFrom(go(settings), collection);
    const before = await learnFrom(go(settings), collection, { stopAt: 2 });
    const { tensors, version } = before.versions.at(-1)!;
    expect([version.learned, version.state]).toEqual([2, "partial"]);
    const after = await learnFrom(go(settings), collection, {
      from: { tensors, progress: version.progress },
    });
    expect(after.versions.at(-1)!.tensors).toEqual(whole.versions.at(-1)!.tensors);
  });
});

it("refuses games without decisions to learn from", async () => {
  const none = collectionOf("none", 2, ["all"], [{ moves: [4], returns: [0, 0], part: 1, group: 0 }]);
  await expect(learnFrom(text("batch: 1, steps: 1, every: 1, rate: 1"), none)).rejects.toThrow(
    /no training games/,
  );
});
