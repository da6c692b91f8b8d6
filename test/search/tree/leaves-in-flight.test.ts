import fc from "fast-check";
import { expect, it } from "vitest";
import { CHANCE, OVER } from "../../../src/games/game.ts";
import { Random } from "../../../src/random.ts";
import { drive } from "../../../src/search/drive.ts";
import { ImprovedPolicy } from "../../../src/search/policy/improved-policy.ts";
import { MeanBackup, NetLeaf, PolicyMoves } from "../../../src/search/policy/policy-parts.ts";
import { PolicyTree } from "../../../src/search/policy/policy-tree.ts";
import { PuctSelection } from "../../../src/search/policy/puct-selection.ts";
import type { Decision } from "../../../src/search/search.ts";
import { ROOT } from "../../../src/search/tree/nodes.ts";
import { TreeSearch } from "../../../src/search/tree/tree-search.ts";
import { Walk } from "../../../src/search/tree/walk.ts";
import { HashEvaluator, hashGame } from "../depth-first/hash-game.ts";

const nothing = { action: 0, values: [], samples: [] } as unknown as Decision<unknown>;

it("leaves a tree behind in which every simulation is counted once, and none is in flight", () => {
  fc.assert(
    fc.property(
      fc.record({
        seed: fc.nat(10_000),
        players: fc.integer({ min: 1, max: 4 }),
        branching: fc.integer({ min: 1, max: 12 }),
        depth: fc.integer({ min: 2, max: 6 }),
        chance: fc.constantFrom(0, 0.3),
        ends: fc.constantFrom(0, 0.1, 0.6),
      }),
      fc.integer({ min: 2, max: 12 }),
      fc.integer({ min: 1, max: 60 }),
      fc.boolean(),
      fc.boolean(),
      (shape, leaves, simulations, improved, timed) => {
        const game = hashGame(shape);
        const policy = new PolicyTree(game.players, { lost: 1 });
        const { losses, tree } = policy;
        const puct = new PuctSelection({
          cBase: 50,
          cInit: 10,
          firstPlay: { value: 0, reduction: null },
        });
        const rule = improved ? new ImprovedPolicy({ cVisit: 5, cScale: 1, range: 40 }) : puct;
        const search = new TreeSearch(game, {
          walks: Array.from({ length: leaves }, (_, index) => new Walk(game, tree, index)),
          losses,
          moves: new PolicyMoves(game, policy),
          selection: { select: (_walk, node) => rule.select(policy, node) },
          leaf: new NetLeaf(game, policy, null, 1),
          backup: new MeanBackup(policy),
          choice: {
            start(state) {
              tree.clear();
              tree.addNode(game.toMove(state));
              return simulations;
            },
            decide: () => nothing as Decision<never>,
          },
          opening: true,
          openEnded: true,
        });
        // With no time at all the search ends after its first leaves, while others may wait.
        const time = timed ? [1e-9] : [];
        drive(search.search(game.initial(), Random.named("leaves"), 0, ...time), new HashEvaluator(game));
        if (!timed) expect(tree.visits[ROOT]).toBe(simulations + 1);
        for (let node = 0; node < tree.size; node++) {
          expect(losses!.column.data[node]).toBe(0);
          let below = 0;
          const first = tree.firstEdge[node]!;
          for (let edge = first; edge < first + tree.tried[node]!; edge++)
            if (tree.toMove[node] !== CHANCE) below += tree.visits[tree.child[edge]!]!;
          if (tree.toMove[node]! >= 0) expect(tree.visits[node]).toBe(1 + below);
          else if (tree.toMove[node] === OVER) expect(tree.visits[node]).toBeGreaterThan(0);
        }
      },
    ),
    { numRuns: 150 },
  );
});
