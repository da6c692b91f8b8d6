import { Type } from "../../schema.ts";
import { DecisionBuffer } from "../choice/decision-buffer.ts";
import type { SearchDefinition } from "../definition.ts";

const options = Type.Object({}, { additionalProperties: false });

/**
 * Plays perfectly, in games that are solved: the winner ends the game as early, the loser as late as possible. Equally good moves
 * are equally likely. It tells no values: the best moves have the action value 1, the others 0.
 */
export const perfect: SearchDefinition<typeof options> = {
  name: "perfect",
  description: "A best move under perfect play (Connect Four).",
  options,
  needs: { value: false, policy: false },
  best: "value",
  unsuited: ({ name, search }) =>
    search?.bestMoves === undefined ? `${name} is not solved: take a search` : undefined,
  valueBounds: () => undefined,
  create(game) {
    const buffer = new DecisionBuffer(game);
    const best = new Int32Array(game.maxLegal);
    const bestMoves = game.search!.bestMoves!;
    const values = Array.from({ length: game.players }, () => 0);
    return {
      maxRequest: 0,
      // oxlint-disable-next-line require-yield -- it makes no requests
      *search(state, random) {
        const rows = buffer.open(state);
        const count = bestMoves(state, best);
        for (const action of best.subarray(0, count)) rows.actionValues[rows.actions.indexOf(action)] = 1;
        return buffer.close(rows, rows.actions.indexOf(best[random.below(count)]!), values);
      },
    };
  },
};
