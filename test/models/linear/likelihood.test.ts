import { describe, expect, it } from "vitest";
import { GameDaihinmin } from "../../../src/games/daihinmin/daihinmin.ts";
import { CHANCE, OVER } from "../../../src/games/game.ts";
import { LikelihoodLearner } from "../../../src/models/linear/likelihood.ts";
import { linearPolicy } from "../../../src/models/linear/linear-policy.ts";
import { LinearPolicy } from "../../../src/models/linear/softmax-policy.ts";
import { tablesBuffer } from "../../../src/models/tables.ts";
import { Random } from "../../../src/random.ts";

const game = new GameDaihinmin({ games: 1, virtualRanks: true });
const { count: features, perMove } = game.linear.moveFeatures;
const open = linearPolicy.open(game, {});

/** Decisions between two moves or more of games in which the moves are drawn by another policy. */
function decisions(wanted: number) {
  const random = Random.named("decisions");
  const teacher = new LinearPolicy(game, open.load(new Map()));
  for (let i = 0; i < features; i++) teacher.weights[i] = 2 * random.normal();
  const all: { state: ReturnType<typeof game.initial>; action: number }[] = [];
  while (all.length < wanted) {
    const state = game.initial();
    for (let mover = game.toMove(state); mover !== OVER; mover = game.toMove(state)) {
      const action = mover === CHANCE ? game.chance.sample(state, random) : teacher.draw(state, random);
      if (mover !== CHANCE && teacher.count > 1) {
        const copy = game.initial();
        game.copy(state, copy);
        all.push({ state: copy, action });
      }
      game.play(state, action);
    }
  }
  return all.slice(0, wanted);
}

/** The log-likelihood of a decision and its gradient, each weight by itself. */
function plainly({ state, action }: ReturnType<typeof decisions>[number], weights: Float64Array) {
  const actions = new Int32Array(game.maxLegal);
  const rows = new Int32Array(game.maxLegal * perMove);
  const count = game.legal(state, actions);
  game.linear.moveFeatures.write(state, actions, count, rows);
  const phi = Array.from({ length: count }, (_, i) => {
    const vector = new Float64Array(features);
    for (const feature of rows.subarray(i * perMove, (i + 1) * perMove)) vector[feature]!++;
    return vector;
  });
  const odds = phi.map((vector) => Math.exp(vector.reduce((sum, x, i) => sum + x * weights[i]!, 0)));
  const total = odds.reduce((sum, odd) => sum + odd, 0);
  const played = actions.indexOf(action);
  const gradient = Float64Array.from(
    { length: features },
    (_, i) =>
      phi[played]![i]! - phi.reduce((sum, vector, move) => sum + (odds[move]! / total) * vector[i]!, 0),
  );
  return { likelihood: Math.log(odds[played]! / total), gradient };
}

describe("LikelihoodLearner", () => {
  it("takes AdaGrad's steps along the mean gradient of the log-likelihood", () => {
    const tables = open.load(new Map());
    const learner = new LikelihoodLearner(new LinearPolicy(game, tables));
    const weights = new Float64Array(features);
    const squares = new Float64Array(features);
    const all = decisions(15);
    for (const [step, rate] of [0.5, 0.3, 0.1].entries()) {
      const batch = all.slice(5 * step, 5 * step + 5);
      const mean = new Float64Array(features);
      for (const decision of batch) {
        const { likelihood, gradient } = plainly(decision, weights);
        expect(learner.add(decision.state, decision.action)).toBeCloseTo(likelihood, 10);
        for (let i = 0; i < features; i++) mean[i]! += gradient[i]! / batch.length;
      }
      learner.step(rate);
      for (let i = 0; i < features; i++) {
        squares[i]! += mean[i]! ** 2;
        weights[i]! += (rate * mean[i]!) / Math.sqrt(squares[i]! + 1e-8);
      }
      const learned = new Float64Array(tablesBuffer(tables));
      for (let i = 0; i < features; i++) expect(learned[i]).toBeCloseTo(weights[i]!, 9);
    }
  });

  it("leaves out a move that the policy does not choose from, and takes no step without decisions", () => {
    const tables = open.load(new Map());
    const learner = new LikelihoodLearner(new LinearPolicy(game, tables));
    const [{ state }] = decisions(1) as [ReturnType<typeof decisions>[number]];
    expect(learner.add(state, -1)).toBeUndefined();
    learner.step(1);
    expect(new Float64Array(tablesBuffer(tables)).every((weight) => weight === 0)).toBe(true);
  });

  it("continues from its state as if it had not been interrupted", () => {
    const all = decisions(20);
    const learned = (resumed: boolean) => {
      const tables = open.load(new Map());
      const policy = new LinearPolicy(game, tables);
      let learner = new LikelihoodLearner(policy);
      for (const { state, action } of all) {
        learner.add(state, action);
        learner.step(0.2);
        if (!resumed) continue;
        const saved = new Map([...learner.state()].map(([name, { data }]) => [name, data]));
        learner = new LikelihoodLearner(policy);
        learner.restore(saved);
      }
      return [...policy.weights];
    };
    expect(learned(true)).toEqual(learned(false));
  });
});
