import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { netBits } from "../../src/fleet/net-bits.ts";
import { checkExperiment } from "../../src/graph/experiment-file.ts";
import { type Experiment, openExperiment } from "../../src/operators/experiment/open-experiment.ts";
import { freshWeights, publishable } from "../../src/operators/run/weights/net-weights.ts";

/** Why these bits cannot be expected here; undefined where they can. */
function otherKind(): string | undefined {
  if (process.platform !== "linux" || process.arch !== "x64") return "the bits are those of Linux on x86-64";
  const flags = readFileSync("/proc/cpuinfo", "utf8");
  return /\bavx2\b/.test(flags) && /\bfma\b/.test(flags) ? undefined : "no AVX2 and FMA";
}

/** What a residual net with all its heads computes, as a hash. */
async function bitsOf(compute: object, evaluations?: string): Promise<string> {
  const { experiment } = checkExperiment("bits", {
    name: "bits",
    seed: 5,
    compute,
    game: { rules: "connect-four" },
    nets: {
      zero: {
        use: "residual",
        filters: 16,
        blocks: 3,
        valueUnits: 16,
        policyHead: "convolutional",
        globalPooling: 4,
        values: "win-loss",
        ...(evaluations === undefined ? {} : { evaluations }),
      },
    },
    agents: { learner: { use: "puct-max-n", net: "zero", simulations: 4 } },
    graph: { games: { use: "self-play", agent: "learner", games: 1, examples: { use: "alphazero" } } },
  } as unknown as Experiment);
  const opened = openExperiment(experiment);
  const weights = publishable(opened, "zero", freshWeights(opened, "zero"));
  if (weights.kind !== "network") throw new Error("it is not a net that is computed");
  return await netBits(opened, "zero", weights.tensors);
}

it("computes these bits on every processor with AVX2 or AVX-512, with bits: portable", async ({ skip }) => {
  skip(otherKind() !== undefined, otherKind());
  // Found on a processor with AVX2 alone. Where another one gives other bits, bits: portable does not hold what it says.
  expect(await bitsOf({ bits: "portable" })).toBe(
    "5bb61d201434dd70b9c471e836f61b67a32c7a7cf958aea9cb161ff26b5f86b7",
  );
  expect(await bitsOf({ bits: "portable", threads: 3 })).toBe(
    "5bb61d201434dd70b9c471e836f61b67a32c7a7cf958aea9cb161ff26b5f86b7",
  );
});

it("computes int8 by weights of 7 bits with bits: portable, whatever the processor", async ({ skip }) => {
  skip(otherKind() !== undefined, otherKind());
  // Found on a processor with AVX-512 and VNNI. An emulated one with AVX2 alone gives equal bits to a net of this kind.
  const bits = "17973f5433aed20e21e803f2065a4b1dcc1e0830dd782cab0e73fc3a1130dd95";
  expect(await bitsOf({ bits: "portable" }, "int8")).toBe(bits);
  expect(await bitsOf({ bits: "portable", threads: 3 }, "int8")).toBe(bits);
});

it("refuses portable bits where ONNX Runtime does not compute them", async () => {
  await expect(bitsOf({ bits: "portable", engine: "tfjs", backend: "cpu" })).rejects.toThrow(
    /bits: portable is not available: it is about ONNX Runtime on the cpu, not about the engine tfjs; leave bits out/,
  );
});
