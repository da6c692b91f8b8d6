/** AlphaZero's search with a value for moves that were never tried: that of the position, less a reduction (Wu 2019). */
import { defineSearch, integer, number } from "ludoflow";
import { puct, treeSearch } from "ludoflow/search";

export default defineSearch({
  name: "first-play",
  description: "PUCT in which a move that was never tried counts as the position, less a reduction.",
  options: {
    simulations: integer({ min: 1, max: 1e6, default: 100, description: "Simulations for each decision." }),
    reduction: number({ min: 0, max: 1, default: 0.1, description: "What untried moves count less." }),
  },
  needs: { values: true, policy: true },
  best: "visits",
  maxRequest: 1,
  create: (game, { simulations, reduction }) =>
    treeSearch(game, {
      simulations,
      select(edges) {
        const values = edges.values.slice();
        const last = values.length - 1;
        if (edges.visits[last] === 0) values[last] = edges.value - reduction;
        return puct({ ...edges, values });
      },
    }),
});
