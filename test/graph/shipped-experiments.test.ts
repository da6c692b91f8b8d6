import { mkdirSync, writeFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { experimentPath, shippedExperiments, typedPath } from "../../src/graph/shipped-experiments.ts";
import { shippedOr } from "../../src/graph/shipped-files.ts";
import { readExperiment } from "../../src/graph/experiment-file.ts";
import { filesUnder, root, textOf } from "../docs/pages.ts";
import { scratchFolder } from "../formats/scratch-folder.ts";

const shipped = shippedExperiments();

describe("the experiments of the package", () => {
  it("are all its files, each with a name of its own, a description and a cost", () => {
    const files = filesUnder("experiments").filter((file) => file.endsWith(".yaml"));
    expect(shipped.map(({ file }) => file).toSorted()).toEqual(
      files.map((file) => join(root, file)).toSorted(),
    );
    for (const { name, description, cost } of shipped) {
      expect(description, name).toMatch(/\w{3}/);
      expect(cost, name).toMatch(/\w{3}/);
    }
  });

  it("give in their files the times of docs/experiments.md", () => {
    const rows = [...textOf("docs/experiments.md").matchAll(/^\| `([\w-]+)\.yaml` \|.*\| ([^|]+) \|$/gm)];
    const costs = new Map(shipped.map(({ name, cost }) => [name, cost]));
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.map(([, name, time]) => [name, time!.trim()])).toEqual(
      rows.map(([, name]) => [name, costs.get(name!)]),
    );
  });
});

describe("the cost of an experiment", () => {
  it("is no part of it, and is not taken over by a file that extends it", () => {
    const folder = scratchFolder();
    const text =
      "name: a\nseed: 1\ngame: { rules: tic-tac-toe }\nagents: { a: { use: random } }\ngraph: { m: { use: arena, agents: [a, a], games: 2 } }\n";
    const [with_, without, on] = ["with.yaml", "without.yaml", "on.yaml"].map((name) => join(folder, name));
    writeFileSync(with_!, `${text}cost: an hour\n`);
    writeFileSync(without!, text);
    writeFileSync(on!, "extends: with.yaml\n");
    const read = readExperiment(with_!);
    expect(read.problems).toEqual([]);
    expect(read.experiment).toEqual(readExperiment(without!).experiment);
    expect(readExperiment(on!).source.value).not.toHaveProperty("cost");
  });
});

describe("what a command is given", () => {
  const before = process.cwd();
  let folder = "";
  beforeEach(() => {
    folder = scratchFolder();
    process.chdir(folder);
  });
  afterEach(() => process.chdir(before));

  it("is a name of the package in any folder, also of the folders in it", () => {
    for (const { name, file } of shipped) expect(experimentPath(name)).toBe(file);
    expect(isAbsolute(experimentPath("quickstart"))).toBe(true);
    expect(experimentPath("go9-uct-gnugo-1")).toMatch(/experiments.peers.go9-uct-gnugo-1\.yaml$/);
  });

  it("is shown to users as they would type it", () => {
    for (const { name, file } of shipped) expect(typedPath(file)).toBe(name);
    expect(typedPath(join(folder, "mine/quickstart.yaml"))).toBe(join("mine", "quickstart.yaml"));
  });

  it("is rather a file, and rather a name than a folder", () => {
    mkdirSync("quickstart");
    expect(experimentPath("quickstart")).toBe(join(root, "experiments/quickstart.yaml"));
    writeFileSync("duo-zero", "name: mine");
    expect(experimentPath("duo-zero")).toBe("duo-zero");
    expect(shippedOr("duo-zero")).toBe("duo-zero");
    expect(shippedOr("nothing-of-the-kind")).toBe("nothing-of-the-kind");
  });

  it.each([
    ["quikstart", "quickstart"],
    ["experiments/quickstart.yaml", "quickstart"],
    ["mine.yaml", "my.yaml"],
    ["my", "my.yaml"],
    [join("deep", "sized.yaml"), join("deep", "size.yml")],
  ])("where %s is nothing, suggests %s", (given, meant) => {
    mkdirSync("deep");
    writeFileSync("my.yaml", "");
    writeFileSync(join("deep", "size.yml"), "");
    expect(() => experimentPath(given)).toThrow(`no such file "${given}"`);
    expect(() => experimentPath(given)).toThrow(`did you mean "${meant}"?`);
    expect(() => experimentPath(given)).toThrow("ludoflow experiments lists the names");
  });

  it("suggests nothing if nothing is near", () => {
    expect(() => experimentPath("zzzzzzzzzz")).not.toThrow("did you mean");
    expect(() => experimentPath("zzzzzzzzzz")).toThrow("no such file");
  });
});
