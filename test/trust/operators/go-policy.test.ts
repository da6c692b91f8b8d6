import { describe, expect, it } from "vitest";
import { type Game, OVER } from "../../../src/games/game.ts";
import { openGame } from "../../../src/games/registry.ts";
import { linearPolicy } from "../../../src/models/linear/linear-policy.ts";
import { LinearPolicy } from "../../../src/models/linear/softmax-policy.ts";
import { Random } from "../../../src/random.ts";
import { BothBoards } from "../../games/go/both-boards.ts";
import { compare, policyOf } from "../../games/go/policy/plain-policy-playouts.ts";
import { featuresOfNames, plainFeatures, plainMoves } from "../../games/go/policy/features-reference.ts";

describe("a linear policy of Go", () => {
  it("learns by policy gradients to beat random players on 5x5", () => {
    const game: Game<unknown> = openGame("go", { size: 5, komi: 0.5 });
    const open = linearPolicy.open(game, {});
    const tables = open.load(new Map());
    const learner = open.learner(tables, { lambda: 1, step: { use: "td", rate: 0.3 }, replays: 8 });
    for (let deal = 0; deal < 250; deal++) learner.playGame(Random.named("learn", deal));
    const policy = new LinearPolicy(game, tables);
    const returns = new Float64Array(2);
    const games = 400;
    let won = 0;
    for (let number = 0; number < games; number++) {
      const random = Random.named("judge", number);
      const state = game.initial();
      while (game.toMove(state) !== OVER) {
        const learned = game.toMove(state) === number % 2;
        game.play(state, learned ? policy.draw(state, random) : game.playouts!.uniform(state, random));
      }
      game.returns(state, returns);
      won += returns[number % 2]!;
    }
    // Equal players win half, with a standard error of .025.
    expect(won / games).toBeGreaterThan(0.6);
  });

  it.each([7, 13, 19])("has the features that the words of their names say on size %d", (size) => {
    const game = openGame("go", { size });
    const { names, perMove, moves, write } = bound(game);
    const both = new BothBoards({ size });
    const actions = new Int32Array(game.maxLegal);
    const rows = new Int32Array(game.maxLegal * perMove);
    let ply = 0;
    both.playOut(Random.named("features", size), 2 * size * size, () => {
      if (both.go.over || ply++ % (size === 7 ? 5 : 60) !== 0) return;
      const count = moves(both.state, actions);
      expect([...actions.subarray(0, count)]).toEqual(plainMoves(both.go));
      if (actions[0] === both.go.pass) return;
      write(both.state, actions, count, rows);
      for (let i = 0; i < count; i += size === 7 ? 1 : 5) {
        const features = rows.subarray(i * perMove, (i + 1) * perMove);
        const found = featuresOfNames([...features].map((feature) => names[feature]!));
        expect(found).toEqual(plainFeatures(both.go, actions[i]!));
      }
    });
  });

  it.each([13, 19])("plays out as the plain policy from the same draws on size %d", (size) => {
    compare(policyOf({ size, superko: "simple" }), 2);
  });
});

/** The features of moves of a game, their functions bound. */
function bound(game: Game<unknown>) {
  const features = game.linear!.moveFeatures!;
  const { names, perMove } = features;
  return { names, perMove, moves: features.moves!.bind(features), write: features.write.bind(features) };
}
