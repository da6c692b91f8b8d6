import { Game2048, type State2048 } from "../../games/2048/2048.ts";
import { NetDoesNotFit } from "../definition.ts";
import type { TablesDefinition } from "../tables.ts";
import { AfterstateLearner } from "./afterstate-learner.ts";
import { NTupleNetwork } from "./network.ts";
import { nTupleOptions } from "./options.ts";
import { tupleLayout } from "./tuple-sets.ts";

/** `n-tuple`: an N-tuple network for 2048, trained on line by afterstate TD. */
export const nTuple: TablesDefinition<typeof nTupleOptions> = {
  name: "n-tuple",
  description: "N-tuple network for 2048: a sum of table entries looked up by the tiles in groups of cells.",
  options: nTupleOptions,
  open: (game, chosen) => {
    if (!(game instanceof Game2048))
      throw new NetDoesNotFit("n-tuple", game.name, "its tuples are those of 2048 boards");
    tupleLayout(chosen.tuples, game.rows, game.columns);
    for (const [i, tile] of (chosen.stages ?? []).entries())
      if (!Number.isInteger(Math.log2(tile)) || tile <= (chosen.stages?.[i - 1] ?? 0))
        throw new NetDoesNotFit(
          "n-tuple",
          game.name,
          "stages must be tiles (powers of two) in increasing order",
        );
    if (chosen.promotion !== undefined && (chosen.stages ?? []).length === 0)
      throw new NetDoesNotFit("n-tuple", game.name, "promotion needs stages, and none are given");
    return {
      kind: "tables",
      use: "n-tuple",
      hasPolicy: false,
      hasValue: true,
      values: "returns",
      load: (saved) => {
        const network = NTupleNetwork.create(game, chosen);
        network.loadWeights(saved);
        return network.tables;
      },
      save: (tables) => new NTupleNetwork(game, chosen, tables).saveWeights(),
      copyWeights: (from, into) =>
        copyChanged(
          new NTupleNetwork(game, chosen, from).weights,
          new NTupleNetwork(game, chosen, into).weights,
        ),
      evaluator: (tables) => new NTupleNetwork(game, chosen, tables),
      afterstates: {
        stepper: (tables, step) => {
          const move = new NTupleNetwork(game, chosen, tables).kernel.stepper(step);
          return ({ lines }: State2048, target) => move(lines, 0, target);
        },
        copy: (from, into) => {
          const [source, target] = [from, into].map((tables) => new NTupleNetwork(game, chosen, tables));
          copyChanged(source!.weights, target!.weights);
          copyChanged(source!.coherence, target!.coherence);
        },
      },
      sharedLearning: true,
      refusal: ({ decay, traces, begin }, explores) => {
        if (begin !== undefined && !Number.isInteger(Math.log2(begin.tile)))
          return { key: "begin", message: `tile: ${begin.tile} is not a tile; name a power of two` };
        const key =
          decay !== undefined
            ? "decay"
            : traces !== undefined
              ? "traces"
              : explores
                ? "exploration"
                : undefined;
        return (
          key && {
            key,
            message: `an n-tuple network learns from greedy games at a constant rate, without ${key}`,
          }
        );
      },
      learner: (tables, learning) =>
        new AfterstateLearner(new NTupleNetwork(game, chosen, tables), game, learning),
    };
  },
  // Weights with fewer stages serve as those of the first stages.
  takesWeightsOf: ({ stages = [], ...own }, { stages: fewer = [], ...saved }) =>
    own.tuples === saved.tuples &&
    own.initialValue === saved.initialValue &&
    fewer.every((tile, stage) => tile === stages[stage]) &&
    (fewer.length === 0 || (own.promotion ?? true) === (saved.promotion ?? true)),
};

/** Copies numbers. Memory with equal content is not written, so untouched pages stay unallocated. */
function copyChanged(from: Float32Array, into: Float32Array): void {
  for (let i = 0; i < from.length; i++) if (from[i] !== into[i]) into[i] = from[i]!;
}
