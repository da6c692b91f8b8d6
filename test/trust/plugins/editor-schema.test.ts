import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { editorSchema } from "../../../src/graph/generated/editor-schema.ts";
import { checkExperiment, readExperiment } from "../../../src/graph/experiment-file.ts";
import { ExperimentInvalid } from "../../../src/graph/problem.ts";
import type { Experiment } from "../../../src/operators/experiment/open-experiment.ts";
import { Random } from "../../../src/random.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";

type Tree = Record<string, any>;

const experiments = join(import.meta.dirname, "../../../experiments");
const shipped = [experiments, join(experiments, "peers")].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => join(folder, name)),
);
const trees = shipped.map((file) => parse(readFileSync(file, "utf8")) as Tree);
const whole = trees.filter((tree) => tree["extends"] === undefined);

const validate = new Ajv({ strict: false, code: { optimize: false } }).compile(editorSchema());
const editorAccepts = (value: unknown) => validate(value);

const checkerAccepts = (value: Tree) =>
  checkExperiment("x.yaml", structuredClone(value) as unknown as Experiment).wrong.length === 0;

/** What the checker says of the form of a file that was written; false also if it cannot be merged with its base. */
function checkerAcceptsFile(file: string): boolean {
  try {
    return readExperiment(file).wrong.length === 0;
  } catch (error) {
    if (error instanceof ExperimentInvalid) return false;
    throw error;
  }
}

/** All maps and lists in a value, each with its path. */
function* holders(
  value: unknown,
  path: readonly string[] = [],
): Generator<readonly [Tree, readonly string[]]> {
  if (typeof value !== "object" || value === null) return;
  yield [value, path];
  for (const [key, inside] of Object.entries(value)) yield* holders(inside, [...path, key]);
}

const one = <T>(random: Random, list: readonly T[]): T => list[random.below(list.length)]!;

/** Values of every type and range. */
const simple = [null, true, false, "", "text", "2048", -1, 0, 0.5, 1, 2, 3, 2048, 1e7, 1e300, [], {}, ["a"]];
/** These, and all values that stand in shipped files. */
const values: readonly unknown[] = [
  ...simple,
  ...trees.flatMap((tree) => [...holders(tree)].flatMap(([holder]) => Object.values(holder))),
];
const keys = [...new Set(trees.flatMap((tree) => [...holders(tree)].flatMap(([map]) => Object.keys(map))))];

/** Changes, adds, removes or renames one key of one map. */
function mutate(tree: Tree, random: Random): Tree {
  const copy = structuredClone(tree);
  const [map] = one(random, [...holders(copy)]);
  const names = Object.keys(map);
  const key = names.length === 0 ? "key" : one(random, names);
  const other = random.below(3) === 0 ? "no-such-key" : one(random, keys);
  if (Array.isArray(map)) {
    map[Number(key) || 0] = structuredClone(one(random, values));
    return copy;
  }
  switch (random.below(5)) {
    case 0:
      delete map[key];
      break;
    case 1:
      map[other] = structuredClone(one(random, values));
      break;
    case 2:
      if (key in map) {
        const value: unknown = map[key];
        delete map[key];
        map[other] = value;
      }
      break;
    default:
      map[key] = structuredClone(one(random, values));
  }
  return copy;
}

describe("the editor schema", () => {
  it("accepts every shipped experiment, partial ones included", () => {
    expect(whole.length).toBeGreaterThan(15);
    expect(trees.length - whole.length).toBeGreaterThan(5);
    for (const [i, tree] of trees.entries())
      expect(editorAccepts(tree), `${shipped[i]}: ${JSON.stringify(validate.errors)}`).toBe(true);
  });

  it("gives the verdict of the checker on shipped files with one key or value changed", () => {
    const random = Random.named("editor schema", "whole");
    const counts = { accepted: 0, refused: 0 };
    for (let i = 0; i < 1500; i++) {
      const tree = mutate(one(random, whole), random);
      // With this key it is another kind of file.
      if (Object.hasOwn(tree, "extends")) continue;
      const accepted = checkerAccepts(tree);
      counts[accepted ? "accepted" : "refused"]++;
      expect(editorAccepts(tree), JSON.stringify(tree)).toBe(accepted);
    }
    expect(counts.accepted).toBeGreaterThan(150);
    expect(counts.refused).toBeGreaterThan(400);
  });

  it("accepts every partial file that the checker accepts with its base", () => {
    const folder = scratchFolder();
    const random = Random.named("editor schema", "partial");
    let accepted = 0;
    for (let i = 0; i < 400; i++) {
      const base = one(random, whole);
      delete (base as { smaller?: unknown }).smaller;
      writeFileSync(join(folder, "base.yaml"), stringify(base));
      const partial = { ...without(mutate(base, random), base, random), extends: "base.yaml" };
      const file = join(folder, "partial.yaml");
      writeFileSync(file, stringify(partial));
      if (!checkerAcceptsFile(file)) continue;
      accepted++;
      expect(editorAccepts(partial), `${stringify(partial)}\n${JSON.stringify(validate.errors)}`).toBe(true);
    }
    expect(accepted).toBeGreaterThan(40);
  });

  it("refuses, in whole and in partial files, a key or a value that no form has", () => {
    const random = Random.named("editor schema", "mistakes");
    for (let i = 0; i < 500; i++) {
      const tree = structuredClone(one(random, trees));
      // The values of a sweep are those of any keys.
      delete tree["sweep"];
      const maps = [...holders(tree)].filter(([holder]) => !Array.isArray(holder));
      const [map] = one(random, maps);
      const wrong = i % 2 === 0 ? { "no-such-key": 5 } : [[[]]];
      const key = i % 4 < 2 ? "no-such-key" : one(random, Object.keys(map));
      map[key] = wrong;
      expect(editorAccepts(tree), JSON.stringify(tree)).toBe(false);
    }
  });

  it("knows that lists are replaced as a whole, and that what is required cannot be removed", () => {
    const partial = (rest: Tree) => editorAccepts({ extends: "base.yaml", ...rest });
    expect(partial({ agents: { player: { simulations: 5 } } })).toBe(true);
    expect(partial({ agents: { player: null }, description: null, compute: { engine: null } })).toBe(true);
    expect(partial({ graph: { learn: { rate: [{ value: 1 }] } } })).toBe(true);
    expect(partial({ graph: { learn: { rate: [{ until: 5 }] } } })).toBe(false);
    expect(partial({ seed: null })).toBe(false);
    expect(editorAccepts({ ...whole[0]!, extends: null })).toBe(false);
    expect(partial({ agents: { player: { use: null } } })).toBe(false);
    expect(partial({ agents: { player: { use: "puct-max-n", net: null } } })).toBe(false);
    expect(editorAccepts({ ...whole[0]!, agents: { player: { simulations: 5 } } })).toBe(false);
  });
});

/** A part of a map: keys drawn at random are left out at each level, as they may be if a base file has them. */
function without(tree: Tree, base: unknown, random: Random): Tree {
  const rest: Tree = {};
  for (const [key, value] of Object.entries(tree)) {
    const before = isTree(base) ? base[key] : undefined;
    const draw = random.below(8);
    if (draw < 3 && before !== undefined) continue;
    if (draw === 3 && before !== undefined) rest[key] = null;
    else rest[key] = isTree(value) && isTree(before) ? without(value, before, random) : value;
  }
  return rest;
}

function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
