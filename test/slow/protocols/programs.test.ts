import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import {
  agent,
  defineExperiment,
  defineSearch,
  type FollowedEvent,
  LudoflowError,
  openCheckpoint,
  openGame,
  play,
  resume,
  run,
} from "../../../src/api/index.ts";
import { recordedGames, recordedEvents, openRun, reportTables } from "../../../src/api/data.ts";

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

const code = async (work: Promise<unknown>) => (await failure(work))?.code;

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
    const facts = types.filter((type) => !["progress", "pace", "run-progress"].includes(type));
    expect(typesOf(await all(started.events()))).toEqual(facts);
    const second = join(scratch, "second");
    await using again = await run(file, { folder: second });
    await again.result;
    for (const path of ["experiment.yaml", "games/match.games"])
      expect(readFileSync(join(second, path)), path).toEqual(readFileSync(join(first, path)));
  });

  it("tells a slow reader how many events it has missed, and never waits for it", async () => {
    await using started = await run(match, { folder: join(scratch, "slow") });
    const reader = started.events({ bound: 2 });
    const begun = await reader.next();
    expect(begun.done).toBe(false);
    await started.result;
    const rest = await all(reader);
    // The number of those that it missed, the newest two, and what was known when it began.
    expect(rest.map(({ type }) => type).slice(-3)).toEqual(["skipped", expect.any(String), "run-ended"]);
    const skipped = rest.at(-3)!;
    expect(skipped.type === "skipped" && skipped.count > 0).toBe(true);
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
});

describe("openCheckpoint", () => {
  const root = join(import.meta.dirname, "../../..");

  it("evaluates nothing once it is disposed of", async () => {
    const net = await openCheckpoint(join(root, "experiments/blokuszero-net"));
    await net[Symbol.asyncDispose]();
    expect(await code(net.evaluate([net.game.initial()]))).toBe("ERR_COMPUTE");
  });

  it("says what a net is, and evaluates positions in any order and number", async () => {
    expect(await code(openCheckpoint(root))).toBe("ERR_CHECKPOINT");
    await using net = await openCheckpoint(join(root, "experiments/blokuszero-net"));
    const { game } = net;
    expect([game.name, net.rules.rules, net.hasValues, net.hasPolicy]).toEqual([
      "blokus",
      "blokus",
      true,
      true,
    ]);
    expect(net.learned).toBeGreaterThan(0);
    const { actions } = await play(game, await agent(game, { use: "random" }), { seed: 2 });
    const states = [0, 3, actions.length].map((plies) => {
      const state = game.initial();
      for (const action of actions.subarray(0, plies)) game.play(state, action);
      return state;
    });
    const { values, policy } = await net.evaluate(states);
    expect([values.length, policy.length]).toEqual([12, 3 * game.maxLegal]);
    const returns = new Float64Array(4);
    const legal = new Int32Array(game.maxLegal);
    for (const [i, state] of states.entries()) {
      const count = game.legal(state, legal);
      const row = policy.subarray(i * game.maxLegal, (i + 1) * game.maxLegal);
      expect(row.reduce((sum, each) => sum + each, 0)).toBeCloseTo(i === 2 ? 0 : 1, 4);
      expect(row.subarray(count).every((each) => each === 0)).toBe(true);
    }
    game.returns(states[2], returns);
    expect([...values.subarray(8)]).toEqual([...returns]);
    const alone = await net.evaluate([states[1]]);
    expect(alone.values).toEqual(values.slice(4, 8));
    expect(alone.policy).toEqual(policy.slice(game.maxLegal, 2 * game.maxLegal));
    const player = await agent(game, { use: "puct-max-n", net, simulations: 4 });
    expect((await player.think(states[1])).actions.length).toBe(game.legal(states[1], legal));
    expect(await code(agent(await openGame("tic-tac-toe"), { use: "puct-max-n", net }))).toBe("ERR_AGENT");
  });
});

describe("agents", () => {
  it("search as a search of one's own does", async () => {
    const last = defineSearch({
      name: "last",
      description: "The last legal move.",
      best: "neither",
      create: (_game, _options, tools) => ({
        // oxlint-disable-next-line require-yield -- it has nothing evaluated
        *search(state) {
          return tools.decide(state, { action: tools.legal(state).at(-1)! });
        },
      }),
    });
    const game = await openGame("tic-tac-toe");
    const player = await agent(game, { use: last });
    expect((await player.think(game.initial())).action).toBe(8);
    // It is known by then.
    expect((await agent(game, { use: last })).name).toBe("last");
    expect(await code(agent(game, { use: { name: "none" } as never }))).toBe("ERR_AGENT");
    expect(await code(agent(game, { use: { ...last, name: "uct" } as never, unknown: 1 }))).toBe("ERR_AGENT");
  });
});
