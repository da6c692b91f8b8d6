import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { gone, pidsIn } from "../../../workers/processes.ts";
import { searchEffort } from "../../../../src/operators/measuring/cost/search-effort.ts";
import { randomLength, randomReplay } from "../../../../src/operators/measuring/cost/random-games.ts";
import { openExperiment } from "../../../../src/operators/experiment/open-experiment.ts";

const folder = mkdtempSync(join(tmpdir(), "ludoflow-effort-"));
afterAll(() => rmSync(folder, { recursive: true }));
const pids = join(folder, "pids");
const fake = join(import.meta.dirname, "../../../protocols/gtp/fake-gtp.ts");

const opened = openExperiment({
  name: "effort",
  seed: 1,
  schedule: "synchronous",
  compute: { engine: "auto", device: "cpu", threads: 1 },
  game: { rules: "tic-tac-toe" },
  nets: { zero: { use: "residual", filters: 1, blocks: 1 } },
  agents: {
    zero: { use: "puct-max-n", net: "zero", simulations: 20 },
    uct: { use: "uct", simulations: 20 },
    endless: { use: "uct", simulations: 10_000_000 },
    hours: { use: "uct", milliseconds: 10_000_000 },
    program: { use: "gtp", command: [process.execPath, fake, "nothing", "0", pids], timeoutMs: 30_000 },
    dying: { use: "gtp", command: [process.execPath, fake, "die", "2", pids], timeoutMs: 30_000 },
  },
  graph: {},
});

it("counts the evaluations of a search: about one for each simulation from the start", () => {
  const { evaluations } = searchEffort(opened, "zero");
  // The root and the leaves of simulations; those that end in a finished game evaluate nothing.
  expect(evaluations).toBeGreaterThan(5);
  expect(evaluations).toBeLessThanOrEqual(21);
  expect(searchEffort(opened, "uct").evaluations).toBe(0);
});

it("takes no longer for a search whose decision takes hours", () => {
  expect(searchEffort(opened, "hours")).toEqual({ evaluations: 0, seconds: 10_000 });
  // A simulation of tic-tac-toe takes about a microsecond.
  const { seconds } = searchEffort(opened, "endless");
  expect(seconds).toBeGreaterThan(1);
});

it.each(["program", "dying"])("plays with another program in a game, and ends it: %s", async (agent) => {
  const before = performance.now();
  const { evaluations, seconds } = searchEffort(opened, agent);
  expect(evaluations).toBe(0);
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual((performance.now() - before) / 1000);
  await gone(pidsIn(pids));
});

it("measures random games: tic-tac-toe has 7.6 moves", () => {
  // The expected length of random tic-tac-toe is 7.636 moves; 40 games have a standard error of .2.
  const { decisions, plies } = randomLength(opened.game);
  expect(decisions).toBe(plies);
  expect(decisions).toBeGreaterThan(6.6);
  expect(decisions).toBeLessThan(8.6);
});

it.each([
  { use: "td", lambda: 0, values: "search" },
  { use: "alphazero", resultWeight: 1, quick: "values" },
] as const)("makes a buffer of random games with examples %j", (examples) => {
  const replay = randomReplay(opened, { agent: "zero", examples, games: 10, generation: 1 });
  expect(replay).toMatchObject({ rounds: 1, layout: examples.use === "td" ? "positions" : "games" });
  expect(replay.size).toBeGreaterThanOrEqual(8 * 5);
  expect(replay.at(replay.size - 1).bytes.length).toBeGreaterThan(0);
});
