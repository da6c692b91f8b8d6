import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkGraph } from "../../../src/graph/check-graph.ts";
import { readExperiment } from "../../../src/graph/experiment-file.ts";
import { createRunFolder, experimentText, openRunFolder } from "../../../src/graph/folder/run-folder.ts";
import { nets } from "../../../src/models/registry.ts";
import {
  currentExperiment,
  currentNet,
  withLaterOptions,
} from "../../../src/operators/experiment/earlier-formats.ts";
import {
  readCheckpoint,
  readManifest,
  writeCheckpoint,
} from "../../../src/operators/training/checkpoint-files.ts";
import { completeOptions } from "../../../src/options.ts";
import { searches } from "../../../src/search/registry.ts";
import { experimentSettings } from "../../../src/report/experiment-settings.ts";
import { rewriteSealed } from "../../formats/rewrite-sealed.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { writeExperiment, zeroExperiment } from "../../graph/tiny-run.ts";

const renamed = [
  ["outcome", "win-share"],
  ["result", "win-loss"],
] as const;

/** A run's folder as it was written in format 1, with a net whose values had this name then. */
function earlierRun(values: string) {
  const scratch = scratchFolder();
  const file = writeExperiment(scratch, zeroExperiment);
  const { experiment } = checkGraph(readExperiment(file, [])).opened;
  const { folder } = createRunFolder(experiment, { file, set: [] }, join(scratch, "run"), new Date(0));
  const rewrite = (name: string, change: (text: string) => string) => {
    const text = change(readFileSync(join(folder, name), "utf8"));
    writeFileSync(join(folder, name), text);
    return text;
  };
  const text = rewrite("experiment.yaml", (now) => now.replace("values: win-loss", `values: ${values}`));
  expect(text).toContain(`values: ${values}`);
  rewriteSealed(join(folder, "manifest.json"), (now) => ({
    ...now,
    format: "ludoflow run 1",
    experimentSha256: createHash("sha256").update(text).digest("hex"),
  }));
  return { folder, text };
}

describe("runs and checkpoints of format 1", () => {
  it.each(renamed)("open with today's word for what nets predict: %s is %s", (former, now) => {
    const { folder, text } = earlierRun(former);
    const { experiment, manifest } = openRunFolder(folder);
    expect(manifest.format).toBe("ludoflow run 1");
    expect(experiment.nets["zero"]).toMatchObject({ values: now });
    expect(experimentSettings({ experiment: text })?.nets["zero"]).toEqual(experiment.nets["zero"]);
    writeFileSync(join(folder, "experiment.yaml"), `${text}\n`);
    expect(() => openRunFolder(folder)).toThrow(/has been changed since the run began/);
  });

  it.each(renamed)("hold weights that nets of today's words take: %s is %s", (former, now) => {
    const folder = join(scratchFolder(), "one");
    const game = { rules: "tic-tac-toe" };
    const net = { use: "mlp", hidden: [4], values: now };
    writeCheckpoint(folder, {
      game,
      net,
      name: "zero",
      version: 1,
      learned: 1,
      unit: "steps",
      progress: {},
      tensors: new Map([["weights/w", { shape: [1], data: Float32Array.of(1) }]]),
    });
    const path = join(folder, "checkpoint.json");
    expect(readFileSync(path, "utf8")).toContain('"format": "ludoflow checkpoint 2"');
    // The tensors' file names the format too.
    const tensors = join(folder, "state.safetensors");
    const sha256 = () => createHash("sha256").update(readFileSync(tensors)).digest("hex");
    const sum = sha256();
    const bytes = readFileSync(tensors, "latin1").replace("checkpoint 2", "checkpoint 1");
    writeFileSync(tensors, bytes, "latin1");
    const { sha256: _, ...content } = JSON.parse(
      readFileSync(path, "utf8")
        .replace("checkpoint 2", "checkpoint 1")
        .replace(now, former)
        .replace(sum, sha256()),
    ) as { sha256: string };
    // Such checkpoints have no checksum of their own.
    writeFileSync(path, JSON.stringify(content));
    expect(readManifest(folder).net).toEqual(net);
    expect(readCheckpoint(folder, { game, net }).net).toEqual(net);
  });

  it("keep all other words", () => {
    for (const net of [{ use: "mlp", values: "returns" }, { use: "linear" }, { use: "mlp", values: 3 }, null])
      expect(currentNet(net)).toBe(net);
    const { experiment } = openRunFolder(earlierRun("returns").folder);
    expect(currentExperiment(experiment)).toEqual(experiment);
  });
});

it.each(renamed)("the options of a net refuse %s and say %s", (former, now) => {
  const { options } = nets.find(({ name }) => name === "mlp")!;
  expect(completeOptions(options, { hidden: [4], values: former })).toEqual({
    wrong: expect.stringContaining(`found "${former}"; "${former}" is now called "${now}"`) as unknown,
  });
});

describe("an experiment of an earlier run", () => {
  it("has the defaults of all options that its searches did not have yet, and keeps the others", () => {
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
    expect(experimentText(withLaterOptions(experiment))).toBe(experimentText(experiment));
    const unknown = { ...experiment, agents: { other: { use: "of a plug-in", reuse: true } } };
    expect(withLaterOptions(unknown)).toEqual(unknown);
  });
});
