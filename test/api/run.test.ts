import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import {
  check,
  defineExperiment,
  type FollowedEvent,
  LudoflowError,
  resume,
  run,
} from "../../src/api/index.ts";
import { recordedGames, recordedEvents, openRun, reportTables } from "../../src/api/data.ts";

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

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

const failure = async (work: Promise<unknown>) =>
  await work.then(
    () => undefined,
    (error: unknown) => (error instanceof LudoflowError ? error : undefined),
  );

const typesOf = (events: readonly FollowedEvent[]) => events.map(({ type }) => type);

describe("run", () => {
  const first = join(scratch, "first");

  it("gives the events, the result and the bytes of a run of the same file", async () => {
    await using started = await run(match, { folder: first });
    expect(started.folder).toBe(first);
    const seen = await all(started.events());
    const { report, checkpoints } = await started.result;
    expect(existsSync(report)).toBe(true);
    expect(checkpoints).toEqual([]);
    const types = typesOf(seen);
    expect(types[0]).toBe("run-started");
    expect(types).toContain("match");
    expect(types.at(-1)).toBe("run-ended");
    // A reader that comes late has all facts.
    const facts = types.filter((type) => type !== "progress" && type !== "pace");
    expect(typesOf(await all(started.events()))).toEqual(facts);
    const second = join(scratch, "second");
    await using again = await run(file, { folder: second });
    await again.result;
    for (const path of ["experiment.yaml", "games/match.games"])
      expect(readFileSync(join(second, path)), path).toEqual(readFileSync(join(first, path)));
  });

  it("leaves what readers read", async () => {
    const told = await openRun(first);
    expect([told.name, told.seed, told.finished, told.reproducible, told.stages]).toEqual([
      "match",
      1,
      true,
      true,
      ["match"],
    ]);
    const games = await all(recordedGames(first));
    expect(games.map(({ number }) => number)).toEqual([0, 1, 2, 3, 4, 5]);
    const state = told.game.initial();
    for (const action of games[0]!.actions) told.game.play(state, action);
    const returns = new Float64Array(2);
    told.game.returns(state, returns);
    expect([...returns]).toEqual(games[0]!.returns);
    expect((await all(recordedEvents(first))).at(-1)!.type).toBe("run-ended");
    expect((await all(reportTables(first))).length).toBeGreaterThan(0);
    expect((await failure(all(recordedGames(first, { stage: "other" }))))?.code).toBe("ERR_RUN_FOLDER");
    expect((await failure(openRun(scratch)))?.code).toBe("ERR_RUN_FOLDER");
  });

  it("gives the result of a finished run when it is resumed", async () => {
    const resumed = await resume(first);
    expect((await resumed.result).folder).toBe(first);
    expect(typesOf(await all(resumed.events())).at(-1)).toBe("run-ended");
  });

  it("stops where it is told to, and goes on from there", async () => {
    const folder = join(scratch, "stopped");
    const stop = new AbortController();
    const long = {
      ...match,
      graph: { match: { use: "arena", agents: ["uct", "random"], games: 20_000 } },
    } as const;
    const started = await run(long, { folder, signal: stop.signal });
    for await (const event of started.events()) if (event.type === "progress") stop.abort();
    expect((await failure(started.result))?.code).toBe("ERR_INTERRUPTED");
    const resumed = await resume(folder);
    // Disposing stops it again, and waits.
    await resumed[Symbol.asyncDispose]();
    expect((await failure(resumed.result))?.code).toBe("ERR_INTERRUPTED");
    await expect(run(long, { folder: join(scratch, "none"), signal: AbortSignal.abort("no") })).rejects.toBe(
      "no",
    );
    expect(existsSync(join(scratch, "none"))).toBe(false);
  });

  it("tells mistakes with their paths, and writes nothing", async () => {
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
    expect((await failure(run(match, { folder: first })))?.code).toBe("ERR_RUN_FOLDER");
    expect((await failure(run("no-such-experiment")))?.code).toBe("ERR_EXPERIMENT");
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

  it("refuses the keys of files in objects", async () => {
    const { problems } = await check({ ...match, extends: "other.yaml" } as typeof match);
    expect(problems).toEqual([{ path: "extends", message: expect.stringContaining("for files") as string }]);
  });
});
