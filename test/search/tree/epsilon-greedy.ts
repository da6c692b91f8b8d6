import type { Game } from "../../../src/games/game.ts";
import { DecisionBuffer } from "../../../src/search/choice/decision-buffer.ts";
import { mostVisited } from "../../../src/search/choice/move-choice.ts";
import { eachForItself } from "../../../src/search/mcts/opponents.ts";
import { PlayoutLeaf, PlayoutMoves } from "../../../src/search/mcts/playout-parts.ts";
import { PlayoutTree } from "../../../src/search/mcts/playout-tree.ts";
import { PlayoutPolicy } from "../../../src/search/playouts/playout-policy.ts";
import type { Search } from "../../../src/search/search.ts";
import { ROOT } from "../../../src/search/tree/nodes.ts";
import { addReturns, meanOf } from "../../../src/search/tree/sums.ts";
import { TreeSearch } from "../../../src/search/tree/tree-search.ts";
import { Walk } from "../../../src/search/tree/walk.ts";

/** Tree search by playouts that takes an edge at random with probability epsilon, else the best edge by its mean. */
export function epsilonGreedy<S>(game: Game<S>, simulations: number, epsilon: number): Search<S> {
  const opponents = eachForItself(game);
  const playouts = new PlayoutTree(game.players, opponents, 0, false);
  const { tree } = playouts;
  const buffer = new DecisionBuffer(game);
  return new TreeSearch(game, {
    walks: [new Walk(game, tree)],
    moves: new PlayoutMoves(game, playouts, opponents, 1),
    selection: {
      select(_walk, node, random) {
        const first = tree.firstEdge[node]!;
        const count = tree.edgeCount[node]!;
        if (random.float() < epsilon) return first + random.below(count);
        let best = first;
        let greatest = -Infinity;
        for (let edge = first; edge < first + count; edge++) {
          const child = tree.child[edge]!;
          const value = child < 0 ? Infinity : meanOf(tree, child, tree.toMove[node]!);
          if (value > greatest) [best, greatest] = [edge, value];
        }
        return best;
      },
    },
    leaf: new PlayoutLeaf(game, playouts, new PlayoutPolicy(game, 1), "score", false),
    backup: { update: addReturns },
    choice: {
      start(state) {
        tree.clear();
        tree.addNode(game.toMove(state));
        return simulations;
      },
      decide(state) {
        const rows = buffer.open(state);
        const mover = game.toMove(state);
        const child = (i: number) => tree.child[tree.firstEdge[ROOT]! + i]!;
        for (let i = 0; i < rows.visits.length; i++) {
          if (child(i) < 0) continue;
          rows.visits[i] = tree.visits[child(i)]!;
          rows.actionValues[i] = meanOf(tree, child(i), mover);
        }
        const index = mostVisited(rows.visits, rows.actionValues);
        const values = Array.from({ length: game.players }, (_, seat) => meanOf(tree, child(index), seat));
        return buffer.close(rows, index, values);
      },
    },
    opening: true,
  });
}
