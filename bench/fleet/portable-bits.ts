import { openNetTrial } from "../../src/fleet/net-bits.ts";
import { checkExperiment } from "../../src/graph/experiment-file.ts";
import { type Experiment, openExperiment } from "../../src/operators/experiment/open-experiment.ts";
import { freshWeights, publishable } from "../../src/operators/run/weights/net-weights.ts";
import { processorMs } from "../in-turn.ts";
import { type BenchRow, compared, median } from "../report.ts";

/** Nets, by name and settings; the rows of a batch, and how often it is computed in a round. */
const NETS = [
  ["residual net 32x4", { use: "residual", filters: 32, blocks: 4, valueUnits: 64 }],
  ["residual net 64x6", { use: "residual", filters: 64, blocks: 6, valueUnits: 64 }],
] as const;
const ROWS = 32;
const BATCHES = 10;
const ROUNDS = 9;

/** What `bits: portable` costs: processor time of a position of 9x9 Go, beside the usual kernels. */
export async function benchPortableBits(): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const [name, net] of NETS) {
    const usual = await openNet(net, {});
    const portable = await openNet(net, { bits: "portable" });
    const times: [number[], number[]] = [[], []];
    for (let round = -1; round < ROUNDS; round++)
      for (const [i, { compute }] of [usual, portable].entries()) {
        const begun = processorMs();
        for (let batch = 0; batch < BATCHES; batch++) await compute(ROWS);
        // The first round warms up.
        if (round >= 0) times[i]!.push((1000 * (processorMs() - begun)) / (BATCHES * ROWS));
      }
    rows.push(
      compared(
        {
          case: `bits: portable, ${name}, 9x9 Go`,
          metric: "processor time of a position",
          value: median(times[1]),
          unit: "us",
        },
        { name: "the usual kernels", value: median(times[0]) },
      ),
    );
    await usual.dispose();
    await portable.dispose();
  }
  return rows;
}

function openNet(net: object, compute: object) {
  const { experiment } = checkExperiment("bench", {
    name: "bench-bits",
    seed: 1,
    compute,
    game: { rules: "go", size: 9 },
    nets: { zero: { ...net, policyHead: "convolutional", values: "win-loss" } },
    agents: { learner: { use: "puct-max-n", net: "zero", simulations: 4 } },
    graph: { games: { use: "self-play", agent: "learner", games: 1, examples: { use: "alphazero" } } },
  } as unknown as Experiment);
  const opened = openExperiment(experiment);
  const weights = publishable(opened, "zero", freshWeights(opened, "zero"));
  if (weights.kind !== "network") throw new Error("it is no net that is computed");
  return openNetTrial(opened, "zero", weights.tensors);
}
