import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { check, defineExperiment, LudoflowError, run } from "../../src/api/index.ts";

const scratch = mkdtempSync(join(tmpdir(), "ludoflow-api-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const match = defineExperiment({
  name: "match",
  seed: 1,
  workers: 1,
  game: { rules: "tic-tac-toe" },
  agents: { uct: { use: "uct", simulations: 5 }, random: { use: "random" } },
  graph: { match: { use: "arena", agents: ["uct", "random"], games: 6 } },
});
const file = join(scratch, "match.yaml");
writeFileSync(
  file,
  `name: match
seed: 1
workers: 1
game: { rules: tic-tac-toe }
agents: { uct: { use: uct, simulations: 5 }, random: { use: random } }
graph: { match: { use: arena, agents: [uct, random], games: 6 } }
`,
);

const failure = async (work: Promise<unknown>) =>
  await work.then(
    () => undefined,
    (error: unknown) => (error instanceof LudoflowError ? error : undefined),
  );

describe("run", () => {
  it("reports mistakes with their paths, and writes nothing", async () => {
    const wrong = {
      ...match,
      graph: { match: { use: "arena", agents: ["uct", "rnadom"], games: 6 } },
    } as const;
    const folder = join(scratch, "wrong");
    const error = await failure(run(wrong, { folder }));
    expect(error?.code).toBe("ERR_EXPERIMENT");
    expect(error?.problems).toEqual([
      { path: "graph.match.agents.1", message: expect.stringContaining("random") as string },
    ]);
    expect(existsSync(folder)).toBe(false);
    for (const experiment of ["no-such-experiment", undefined, {}])
      expect((await failure(run(experiment as never)))?.code).toBe("ERR_EXPERIMENT");
  });
});

describe("check", () => {
  it("gives the same problems for an object as for a file, without lines", async () => {
    expect(await check(match)).toEqual({ problems: [], warnings: [] });
    const set = ["graph.match.games=0"];
    const ofFile = await check(file, { set });
    const ofObject = await check({
      ...match,
      graph: { match: { use: "arena", agents: ["uct", "random"], games: 0 } },
    });
    expect(ofFile.problems).toHaveLength(1);
    expect(ofObject.problems).toEqual(ofFile.problems.map(({ path, message }) => ({ path, message })));
  });

  it("refuses an object that contains itself", async () => {
    const circle: Record<string, unknown> = { use: "uct" };
    circle["simulations"] = circle;
    const { problems } = await check({ ...match, agents: { circle } } as unknown as typeof match);
    expect(problems).toEqual([
      { path: "", message: expect.stringContaining("at most 100 levels") as string },
    ]);
  });

  it("refuses the keys of files in objects", async () => {
    const { problems } = await check({ ...match, extends: "other.yaml" } as unknown as typeof match);
    expect(problems).toEqual([{ path: "extends", message: expect.stringContaining("for files") as string }]);
  });
});
