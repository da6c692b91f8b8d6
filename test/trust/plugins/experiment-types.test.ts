import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { readSource } from "../../../src/graph/yaml-source.ts";
import { shippedExperiments } from "../../../src/graph/shipped-experiments.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";

const root = resolve(import.meta.dirname, "../../..");

/** What the compiler says of a module beside the types of experiments. */
function compiled(text: string): string {
  const file = join(scratchFolder(), "experiments.ts");
  const types = JSON.stringify(join(root, "src/api/experiment.ts"));
  writeFileSync(file, `import type { ExperimentDescription } from ${types};\n${text}`);
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const flags = ["--strict", "--exactOptionalPropertyTypes", "--noEmit", "--module", "nodenext"];
  const files = ["--target", "es2024", "--allowImportingTsExtensions", "--ignoreConfig", file];
  return spawnSync(process.execPath, [tsc, ...flags, ...files], { encoding: "utf8" }).stdout;
}

it("take every experiment that comes with ludoflow", () => {
  const texts = shippedExperiments().map(({ file }, i) => {
    // A sweep is a file of runs, not an experiment of the API.
    const { smaller: _, cost: __, sweep: ___, ...value } = readSource(file).value;
    return `export const experiment${i}: ExperimentDescription<readonly []> = ${JSON.stringify(value)};`;
  });
  expect(texts.length).toBeGreaterThan(30);
  expect(compiled(texts.join("\n"))).toBe("");
});

it("refuse unknown keys, names and kinds of values", () => {
  const wrong = (part: string) =>
    `export const x${part.length}: ExperimentDescription<readonly []> = { name: "x", seed: 1, game: { rules: "go" }, graph: {}, ${part} };`;
  const lines = [
    wrong("sed: 2"),
    wrong('game: { rules: "goo" }'),
    wrong('game: { rules: "go", sise: 9 }'),
    wrong('agents: { a: { use: "uct", simulations: "many" } }'),
    wrong('graph: { a: { use: "arena", agents: ["a"], gaems: 3 } }'),
  ];
  const errors = compiled(lines.join("\n"));
  // The first line of the file is the import.
  for (const [i] of lines.entries()) expect(errors, lines[i]).toContain(`experiments.ts(${i + 2},`);
});
