import { describe, expect, it } from "vitest";
import { checkGraph } from "../../../src/graph/check-graph.ts";
import { readExperiment } from "../../../src/graph/experiment-file.ts";
import { experimentText } from "../../../src/graph/folder/run-folder.ts";
import { nets } from "../../../src/models/registry.ts";
import { withLaterOptions } from "../../../src/operators/experiment/later-options.ts";
import { completeOptions } from "../../../src/options.ts";
import { searches } from "../../../src/search/registry.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { writeExperiment, zeroExperiment } from "../../graph/tiny-run.ts";

const renamed = [
  ["outcome", "win-share"],
  ["result", "win-loss"],
] as const;

it.each(renamed)("the options of a net refuse %s and say %s", (former, now) => {
  const { options } = nets.find(({ name }) => name === "mlp")!;
  expect(completeOptions(options, { hidden: [4], values: former })).toEqual({
    wrong: expect.stringContaining(`found "${former}"; "${former}" is now called "${now}"`) as unknown,
  });
});

describe("an experiment of an earlier run", () => {
  it("has the defaults of all options that its nets and searches did not have yet, and keeps the others", () => {
    const { experiment } = checkGraph(
      readExperiment(writeExperiment(scratchFolder(), zeroExperiment), []),
    ).opened;
    const earlier = Object.fromEntries(
      searches.map(({ name }) => [name, { use: name, reuse: true, net: "zero" }]),
    );
    const { agents } = withLaterOptions({ ...experiment, agents: earlier });
    for (const { name, options } of searches) {
      const takesIt = "reuse" in options.properties;
      const { net: _net, use, ...found } = agents[name]!;
      expect(use).toBe(name);
      expect(found["reuse"]).toBe(true);
      if (takesIt) expect(Object.keys(found).toSorted()).toEqual(Object.keys(options.properties).toSorted());
    }
    expect(agents["gumbel"]!["target"]).toBe("completed");
    expect(
      Object.keys(withLaterOptions({ ...experiment, nets: { zero: { use: "residual" } } }).nets["zero"]!),
    ).toEqual(["use", ...Object.keys(nets.find(({ name }) => name === "residual")!.options.properties)]);
    expect(experimentText(withLaterOptions(experiment))).toBe(experimentText(experiment));
    const ofPlugIn = { other: { use: "of a plug-in", reuse: true } };
    const unknown = { ...experiment, nets: ofPlugIn, agents: ofPlugIn };
    expect(withLaterOptions(unknown)).toEqual(unknown);
  });
});
