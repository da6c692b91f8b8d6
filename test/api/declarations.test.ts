import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { declarationFiles, publicDeclarations } from "../../scripts/public-declarations.ts";

const text = publicDeclarations();

it("are those that are committed: npm run declarations writes them again", () => {
  const committed = readFileSync(join(import.meta.dirname, "../../src/api/declarations.txt"), "utf8");
  expect(text).toBe(committed);
});

it("name no library but tfjs, in which nets are written", () => {
  const foreign = [...text.matchAll(/^\/\/ {3}(\S+): /gm)].map(([, name]) => name);
  expect(new Set(foreign)).toEqual(new Set(["@tensorflow/tfjs-core"]));
});

it("name the library of each name that a target of TypeScript does not load", () => {
  const using = [...declarationFiles()].filter(([, code]) => /\b(?:Async)?Disposable\b/.test(code));
  expect(using.map(([file]) => file)).toEqual([
    "src/api/checkpoints.ts",
    "src/api/learner.ts",
    "src/api/run.ts",
  ]);
  for (const [, code] of using) expect(code).toMatch(/^\/\/\/ <reference lib="esnext\.disposable" \/>\n/);
});
