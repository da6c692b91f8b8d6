import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { checkGraph } from "../../src/graph/check-graph.ts";
import { readExperiment } from "../../src/graph/experiment-file.ts";
import { stageView } from "../../src/graph/stage-view.ts";
import { ExperimentInvalid } from "../../src/graph/problem.ts";
import { stageSchema } from "../../src/operators/operator.ts";
import { operators, services } from "../../src/operators/registry.ts";
import { serviceSchema } from "../../src/operators/play/service.ts";
import { scratchFolder } from "../formats/scratch-folder.ts";
import { writeExperiment } from "../graph/tiny-run.ts";

type Stage = Record<string, unknown>;

/** An experiment that holds one stage and whatever it may refer to. */
function experimentWith(
  operator: { readonly use: string },
  stages: Record<string, Stage>,
): Record<string, unknown> {
  const alphago = ["reinforcement", "value-games", "value-error"].includes(operator.use);
  if (alphago)
    return {
      name: "laws",
      seed: 1,
      game: { rules: "tic-tac-toe" },
      nets: { value: { use: "mlp", policy: true, values: "win-loss" } },
      agents: { opener: { use: "random" }, sampler: { use: "policy", net: "value" } },
      graph: {
        games: parse("{ use: value-games, first: opener, then: opener, games: 10, longest: 5 }") as Stage,
        ...stages,
      },
    };
  if (["supervised", "policy-accuracy"].includes(operator.use))
    return {
      name: "laws",
      seed: 1,
      game: { rules: "go", size: 5 },
      nets: { policy: { use: "mlp", policy: true } },
      agents: {},
      graph: {
        records: parse("{ use: sgf, sources: [.] }") as Stage,
        ...(operator.use === "policy-accuracy"
          ? {
              policy: parse(
                "{ use: supervised, from: records, net: policy, batch: 8, steps: 4, every: 2, rate: 0.1 }",
              ) as Stage,
            }
          : {}),
        ...stages,
      },
    };
  const playouts = operator.use === "policy-gradient";
  const tables = operator.use === "td-learner" || playouts;
  const policy = operator.use === "policy-statistics";
  const recorded = operator.use === "sgf";
  const around: Record<string, Stage> = {
    games: { use: "self-play", agent: "learner", games: 100, generation: 10, examples: { use: "td" } },
    replay: { use: "replay-buffer", from: "games", capacity: 1000 },
    weights: { use: "trainer", from: "replay", net: "value", batch: 8, steps: 1, rate: 0.1 },
  };
  return {
    name: "laws",
    seed: 1,
    game: { rules: playouts ? "daihinmin" : policy ? "tic-tac-toe" : recorded ? "go" : 2048 },
    nets: recorded
      ? {}
      : playouts
        ? { playouts: { use: "linear-policy" } }
        : { value: { use: tables ? "n-tuple" : policy ? "residual" : "mlp" } },
    agents: {
      ...(playouts || recorded ? {} : { learner: { use: "greedy", net: "value" } }),
      opener: { use: "random" },
      ...(policy ? { player: { use: "puct-max-n", net: "value" } } : {}),
    },
    graph: { ...(tables || recorded ? {} : around), ...stages },
  };
}

/** A folder with a folder of games and a test suite of 2048, which examples name. */
function folderWithGames(): string {
  const folder = scratchFolder();
  mkdirSync(join(folder, "archive"));
  const position = ".,.,.,./.,.,.,./.,.,.,./2,.,.,. p 0";
  writeFileSync(join(folder, "positions.csv"), `position,moves\n"${position}",right\n`);
  return folder;
}

function problemsOf(experiment: Record<string, unknown>): string {
  try {
    checkGraph(readExperiment(writeExperiment(folderWithGames(), stringify(experiment))));
    return "";
  } catch (error) {
    if (error instanceof ExperimentInvalid) return error.message;
    throw error;
  }
}

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
}

/** Every schema inside a schema, with the path that leads to it. */
function* inside(schema: Schema, path: string): Generator<[string, Schema]> {
  yield [path, schema];
  for (const [key, value] of Object.entries(schema.properties ?? {})) yield* inside(value, `${path}.${key}`);
  for (const [i, one] of [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].entries())
    yield* inside(one, `${path}/${i}`);
  if (schema.items !== undefined) yield* inside(schema.items, `${path}[]`);
}

const entries = [
  ...operators.map((operator) => ({ ...operator, schema: stageSchema(operator) })),
  ...services.map((service) => ({ ...service, schema: serviceSchema(service), inputs: {} })),
];

describe.each(entries.map((entry) => [entry.use, entry] as const))(
  "the operator laws of %s",
  (use, operator) => {
    const example = parse(operator.example) as Record<string, Stage>;
    const [name, stage] = Object.entries(example)[0]!;

    it("describes itself and every setting, and is closed at every level", () => {
      expect(operator.description).toMatch(/^[A-Z].{20,}\.$/s);
      for (const [path, schema] of inside(operator.schema, use)) {
        for (const [key, value] of Object.entries(schema.properties ?? {}))
          expect(value.description, `${path}.${key}`).toMatch(/\S{3}/);
        if (schema.properties !== undefined) expect(schema.additionalProperties, path).toBe(false);
      }
    });

    it("has an example that can be taken as it stands", () => {
      expect(Object.keys(example)).toHaveLength(1);
      expect(stage["use"]).toBe(use);
      expect(problemsOf(experimentWith(operator, { [name]: stage }))).toBe("");
    });

    it("refuses a key that it does not know, and a stage without what it needs", () => {
      const misspelt = { ...stage, speeed: 3 };
      expect(problemsOf(experimentWith(operator, { [name]: misspelt }))).toMatch(
        new RegExp(`graph\\.${name}\\.speeed: unknown key "speeed"`),
      );
      const needed = Object.entries({ ...operator.settings, ...operator.inputs }).filter(
        ([, value]) => !("default" in value) && !("optional" in value) && !("~optional" in value),
      );
      expect(needed.length).toBeGreaterThan(0);
      const told = problemsOf(experimentWith(operator, { [name]: { use } }));
      for (const [key] of needed)
        expect(told).toMatch(new RegExp(`graph\\.${name}\\.${key}: "${key}" is missing`));
    });

    it("complains of nets, agents and stages that there are not", () => {
      for (const [key, schema] of Object.entries(operator.settings) as [
        string,
        Schema & { type?: string },
      ][]) {
        const what = /\(names? under (net|agent)s\)/.exec(schema.description ?? "")?.[1];
        if (what === undefined) continue;
        const wrong = { ...stage, [key]: schema.type === "array" ? ["nobody"] : "nobody" };
        expect(problemsOf(experimentWith(operator, { [name]: wrong }))).toMatch(
          new RegExp(`graph\\.${name}\\.${key}(\\.0)?: no ${what} "nobody" \\(known here: `),
        );
      }
      for (const port of Object.keys(operator.inputs)) {
        const wrong = { ...stage, [port]: "nowhere" };
        expect(problemsOf(experimentWith(operator, { [name]: wrong }))).toMatch(
          new RegExp(`graph\\.${name}\\.${port}: no stage "nowhere"`),
        );
      }
    });

    it("names its bounds for the graph's picture", () => {
      const { opened } = checkGraph(
        readExperiment(
          writeExperiment(folderWithGames(), stringify(experimentWith(operator, { [name]: stage }))),
        ),
      );
      const config = opened.experiment.graph[name]!;
      const bounds = operator.bounds(config, stageView(opened, name));
      expect(bounds.length).toBeGreaterThan(0);
      for (const bound of bounds) expect(bound).not.toMatch(/undefined|NaN/);
    });
  },
);

describe("the registry", () => {
  it("gives every name once", () => {
    const names = [...operators, ...services].map(({ use }) => use);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
  });
});
