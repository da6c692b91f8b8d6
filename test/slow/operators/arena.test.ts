import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RunEvent } from "../../../src/events/event.ts";
import { readMetrics } from "../../../src/events/metrics-file.ts";
import { decodeGameEffort } from "../../../src/formats/game-efforts.ts";
import { decodeGameRecord } from "../../../src/formats/game-records.ts";
import { replayGame } from "../../../src/graph/replay-game.ts";
import { openRunFolder } from "../../../src/graph/folder/run-folder.ts";
import { gamesPath, readLog } from "../../../src/operators/run/run-files.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { resultsOf, resumeRun, startRun, writeExperiment } from "../../graph/tiny-run.ts";

const experiment = (arena: string, agents = "", rules = "tic-tac-toe") => `
name: tiny-match
seed: 5
workers: 1
game: { rules: ${rules} }
agents:
  random: { use: random }
  uct: { use: uct, simulations: 12 }
  weak: { use: uct, simulations: 3 }
${agents}
graph:
  match: { use: arena, inFlight: 3, ${arena} }
`;

/** Starts a match; returns the run's folder and how it ended. */
async function played(
  text: string,
  set: readonly string[] = [],
  onEvent?: (event: RunEvent, folder: string) => void,
) {
  const scratch = scratchFolder();
  const folder = join(scratch, "run");
  const watch = onEvent && { onEvent: (event: RunEvent) => onEvent(event, folder) };
  const outcome = await startRun(writeExperiment(scratch, text), folder, set, watch);
  return { folder, outcome };
}

const gamesOf = (folder: string) =>
  readLog(gamesPath(folder, "match")).map((bytes) => decodeGameRecord(bytes, folder));
const matchOf = (folder: string) => {
  const event = readMetrics(join(folder, "metrics.jsonl")).findLast(({ type }) => type === "match");
  return event as Extract<RunEvent, { type: "match" }>;
};

describe("a round-robin with random openings", () => {
  const text = experiment("agents: [random, uct, weak], games: 18, seating: random, openings: { plies: 2 }");

  it("gives the same games with two threads as with one, and when killed and resumed", async () => {
    const killed = join(scratchFolder(), "killed");
    const { folder, outcome } = await played(text, [], (event, from) => {
      if (event.type === "progress" && event.done === 7) cpSync(from, killed, { recursive: true });
    });
    expect(outcome).toEqual({ outcome: "finished" });
    const results = resultsOf(folder);
    expect(resultsOf((await played(text, ["workers=2"])).folder)).toEqual(results);
    expect(resultsOf(killed)).not.toEqual(results);
    expect(await resumeRun(killed, { workers: 2 })).toEqual({ outcome: "finished" });
    expect(resultsOf(killed)).toEqual(results);
    expect(matchOf(killed).contest).toEqual(matchOf(folder).contest);

    const games = gamesOf(folder);
    expect(games.map(({ game }) => game)).toEqual(games.map((_, i) => i));
    // Every two that change seats begin alike; each block of six has three pairs in both orders.
    for (const block of [0, 6, 12]) {
      const pairs = Map.groupBy(games.slice(block, block + 6), ({ seats }) => seats.toSorted().join());
      expect(pairs.size).toBe(3);
      for (const [one, other] of pairs.values()) {
        expect(one!.seats).toEqual(other!.seats.toReversed());
        expect([...one!.actions.subarray(0, 2)]).toEqual([...other!.actions.subarray(0, 2)]);
      }
    }
    const { contest } = matchOf(folder);
    expect(contest!.standings.map(({ wins }) => wins.games)).toEqual([12, 12, 12]);
    expect(contest!.standings.reduce((sum, { wins }) => sum + 12 * wins.value, 0)).toBeCloseTo(18, 9);
    expect((await replayGame(folder, "match", 11)).difference).toBeUndefined();
  });
});

describe("a sequential test", () => {
  const text = experiment(
    "agents: [uct, random], games: 400, openings: { plies: 1 }, sequential: { elo0: 0, elo1: 200 }",
  );

  it("ends after the same game whatever the number of threads, and at a whole block", async () => {
    const one = await played(text);
    const two = await played(text, ["workers=2"]);
    expect(one.outcome).toEqual({ outcome: "finished" });
    expect(resultsOf(two.folder)).toEqual(resultsOf(one.folder));
    const { contest } = matchOf(one.folder);
    expect(contest!.test!.verdict).toBe("elo1");
    // Elo allows for the end of the test; the score is the plain one.
    expect(contest!.test!.score!.interval[0]).toBeLessThan(contest!.pairs[0]!.score.interval[0]);
    expect(contest!.games % 2).toBe(0);
    expect(contest!.games).toBeLessThan(400);
    expect(gamesOf(one.folder)).toHaveLength(contest!.games);
    // Going on with a run that has its verdict plays nothing more.
    await resumeRun(one.folder);
    expect(gamesOf(one.folder)).toHaveLength(contest!.games);
  });
});

describe("a book", () => {
  it("is played in turn, and a changed one is noticed at a resumption", async () => {
    const scratch = scratchFolder();
    const book = join(scratch, "book.txt");
    writeFileSync(book, "a3 b2\nc1\n");
    const { folder } = await played(
      experiment(`agents: [uct, random], games: 6, openings: { book: ${JSON.stringify(book)} }`),
    );
    const begins = gamesOf(folder).map(({ actions }) => actions[0]);
    expect(begins).toEqual([0, 0, 8, 8, 0, 0]);
    writeFileSync(book, "a1\nc1\n");
    const outcome = await resumeRun(folder);
    expect(outcome).toMatchObject({ outcome: "failed" });
    expect((outcome as { error: Error }).error.message).toMatch(
      /game 0 did not begin as the opening book says/,
    );
  });
});

describe("a player that cannot continue", () => {
  const dead = `  dead: { use: gtp, command: [${JSON.stringify(process.execPath)}, "-e", "process.exit(3)"] }`;
  const text = (policy: string) =>
    experiment(`agents: [dead, random], games: 2, onFailure: ${policy}`, dead, "blokus-duo");

  it("forfeits its games; where it finishes none they count for nobody", async () => {
    const { folder, outcome } = await played(text("forfeit"));
    expect(outcome).toEqual({ outcome: "finished" });
    const { agents, contest } = matchOf(folder);
    expect(contest!.games).toBe(0);
    expect(contest!.standings.map(({ wins }) => wins.games)).toEqual([0, 0]);
    expect(contest!.failures).toMatchObject([{ agent: "dead", games: 2 }]);
    expect(agents.map(({ games }) => games)).toEqual([0, 0]);
    expect(gamesOf(folder).every(({ failure }) => failure !== undefined)).toBe(true);
    expect(openRunFolder(folder).manifest.irreproducible).toEqual(["these agents are other programs: dead"]);
  });

  it("has its games dropped", async () => {
    const { folder, outcome } = await played(text("drop-game"));
    expect(outcome).toEqual({ outcome: "finished" });
    expect(matchOf(folder).contest).toMatchObject({ games: 0, failures: [{ agent: "dead", games: 2 }] });
  });

  it("stops the run, whose error names the player and the reason", async () => {
    const { outcome } = await played(text("stop"));
    expect(outcome).toMatchObject({ outcome: "failed" });
    expect((outcome as { error: Error }).error.message).toMatch(
      /"dead" could not continue in game 0: .*onFailure: stop/,
    );
  });
});

it("a time limit counts processor time, and wall time for a search that waits for a net", async () => {
  const agents = `
  quick: { use: uct, milliseconds: 2 }
  waits: { use: apv-mcts, net: net, milliseconds: 2, lambda: 0 }
nets:
  net: { use: mlp, hidden: [4] }`;
  const { folder } = await played(experiment("agents: [quick, waits], games: 2", agents));
  const effort = readMetrics(join(folder, "metrics.jsonl")).findLast((event) => event.type === "effort")!;
  const [quick, waits] = effort.agents.map(({ limited }) => limited!);
  expect([quick!.length, quick![0]!.clock, waits!.length, waits![0]!.clock]).toEqual([
    1,
    "processor",
    1,
    "wall",
  ]);
  for (const { allowed, decisions } of [quick![0]!, waits![0]!])
    expect(allowed).toBeCloseTo(0.002 * decisions, 9);
  expect(quick![0]!.seconds).toBeGreaterThan(0.95 * quick![0]!.allowed);
});

describe("what the games of a one-player match took", () => {
  const text = `
name: tiny-effort
seed: 6
workers: 1
game: { rules: 2048, rows: 2, columns: 2 }
nets:
  table: { use: n-tuple, tuples: board }
  net: { use: mlp, hidden: [4] }
agents:
  greedy: { use: greedy, net: table }
  softmax: { use: mc-softmax, net: table, simulations: 5 }
  batched: { use: greedy, net: net }
graph:
  match: { use: arena, agents: [greedy, softmax, batched], games: 3 }
`;
  const effortOf = (folder: string) =>
    readMetrics(join(folder, "metrics.jsonl")).findLast((event) => event.type === "effort")!.agents;

  it("reports decisions, evaluations and processor time, also of nets that another thread computes", async () => {
    const { folder, outcome } = await played(text);
    expect(outcome).toEqual({ outcome: "finished" });
    const games = gamesOf(folder);
    const [greedy, softmax, batched] = effortOf(folder);
    for (const { agent, decisions, evaluations } of [greedy!, softmax!, batched!]) {
      const own = games.filter(({ seats }) => seats[0] === agent);
      expect(decisions).toEqual(own.map(({ values }) => values.length));
      expect(evaluations.every((count, i) => count >= decisions[i]!)).toBe(true);
    }
    expect(softmax!.evaluations[0]! / softmax!.decisions[0]!).toBeGreaterThan(
      greedy!.evaluations[0]! / greedy!.decisions[0]!,
    );
    for (const { seconds } of [greedy!, softmax!]) expect(seconds.every((each) => each >= 0)).toBe(true);
    // The thread of the evaluator computes a position of this net in no less than a microsecond.
    for (const [i, seconds] of batched!.seconds.entries())
      expect(seconds).toBeGreaterThan(1e-6 * batched!.evaluations[i]!);
  });

  it("knows it of games that an earlier part of the run has played", async () => {
    let copy = "";
    await played(text, ["graph.match.inFlight=1"], (event, folder) => {
      if (copy !== "" || event.type !== "progress" || event.done !== 2) return;
      copy = join(scratchFolder(), "killed");
      cpSync(folder, copy, { recursive: true });
    });
    const efforts = readLog(join(copy, "efforts", "match.efforts"));
    expect(efforts).toHaveLength(2);
    await resumeRun(copy);
    const [greedy, softmax] = effortOf(copy);
    expect(decodeGameEffort(efforts[0]!, "x")).toEqual({
      game: 0,
      seats: [
        {
          decisions: greedy!.decisions[0],
          evaluations: greedy!.evaluations[0],
          seconds: greedy!.seconds[0],
        },
      ],
    });
    for (const { decisions, evaluations, seconds } of [greedy!, softmax!]) {
      expect([decisions.length, evaluations.length, seconds.length]).toEqual([3, 3, 3]);
      expect([...decisions, ...evaluations].every((each) => each > 0)).toBe(true);
      expect(seconds.every((each) => each >= 0)).toBe(true);
    }
  });
});
