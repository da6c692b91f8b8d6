import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readExperiment } from "../../src/graph/experiment-file.ts";
import { scratchFolder } from "../formats/scratch-folder.ts";
import { writeExperiment } from "./tiny-run.ts";

const experiment = (rest: string) => `
name: large
${rest}
seed: 1
game: { rules: tic-tac-toe }
agents: { a: { use: random }, b: { use: random } }
graph: { match: { use: arena, agents: [a, b], games: 2 } }
`;

it("is the file beside the one that names it, and no part of the experiment", () => {
  const folder = join(scratchFolder(), "experiments");
  mkdirSync(folder);
  const small = writeExperiment(folder, experiment(""), "small.yaml");
  const read = readExperiment(writeExperiment(folder, experiment("smaller: small.yaml"), "large.yaml"));
  expect(read.problems).toEqual([]);
  expect(read.smaller).toBe(small);
  expect(read.experiment).toEqual(readExperiment(small).experiment);
  expect(readExperiment(small).smaller).toBeUndefined();
});

it("is not taken over by a file that extends the one that names it", () => {
  const folder = scratchFolder();
  writeExperiment(folder, experiment("smaller: small.yaml"), "large.yaml");
  const small = writeExperiment(folder, "extends: large.yaml\nname: small\n", "small.yaml");
  expect(readExperiment(small)).toMatchObject({ problems: [], experiment: { name: "small" } });
  expect(readExperiment(small).smaller).toBeUndefined();
});

it("must be there: the mistake has its place and says what to do", () => {
  const folder = scratchFolder();
  const { problems, smaller } = readExperiment(writeExperiment(folder, experiment("smaller: gone.yaml")));
  expect(smaller).toBeUndefined();
  expect(problems).toMatchObject([{ line: 3, path: "smaller" }]);
  expect(problems[0]!.message).toMatch(
    /no such file ".*gone\.yaml"; name an experiment file beside this one/,
  );
});
