import type { Experiment } from "../../src/operators/experiment/open-experiment.ts";

/** An experiment of tic-tac-toe without stages, with these parts in place of nothing. */
export function bareExperiment(parts: Partial<Experiment> = {}): Experiment {
  return {
    name: "bare",
    seed: 1,
    schedule: "synchronous",
    compute: { engine: "auto", device: "cpu", threads: 1 },
    game: { rules: "tic-tac-toe" },
    nets: {},
    agents: {},
    graph: {},
    ...parts,
  };
}
