import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { matchTable } from "../../../src/cli/match-table.ts";
import type { MatchEffort, MatchResult } from "../../../src/events/event.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { eventsIn, ludoflow } from "../../cli/run-cli.ts";

const experiment = (graph: string) => `
name: match
seed: 8
workers: 1
game: { rules: tic-tac-toe }
agents: { random: { use: random }, uct: { use: uct, simulations: 20 } }
graph: { ${graph} }
`;

describe("ludoflow match", () => {
  it("plays the matches of a file and prints their tables; the run is an ordinary one", async () => {
    const folder = scratchFolder();
    const file = "duel: { use: arena, agents: [random, uct], games: 10 }";
    writeFileSync(join(folder, "match.yaml"), experiment(file));
    const { code, out, err } = await ludoflow(["match", "match.yaml", "--out", "run"], folder).ended;
    expect(code).toBe(0);
    expect(out).toMatch(/^done\. Report: run.report\.html/);
    expect(out).toMatch(/duel: 10 games of 2 players/);
    expect(out).toMatch(/^uct +10 .*50\.0%/m);
    expect(out).toMatch(/^random +uct +10 /m);
    expect(err).toMatch(/duel: 10 games: random won/);
    const json = await ludoflow(["match", "match.yaml", "--out", "run2", "--json"], folder).ended;
    expect(eventsIn(json.out).some(({ type }) => type === "match")).toBe(true);
    expect(json.err).toMatch(/duel: 10 games of 2 players/);
  });

  it("ends with exit code 1 where no game counts, because a program failed in each of them", async () => {
    const folder = scratchFolder();
    writeFileSync(
      join(folder, "match.yaml"),
      `
name: failing
seed: 1
game: { rules: go, size: 5 }
agents: { e: { use: gtp, dialect: go, command: ["/bin/false"] }, random: { use: random } }
graph: { match: { use: arena, agents: [e, random], games: 2 } }
`,
    );
    const { code, out, err } = await ludoflow(["run", "match.yaml", "--allow-code", "--out", "run"], folder)
      .ended;
    expect([code, out]).toEqual([1, expect.stringMatching(/^done\. Report: /)]);
    expect(err).toMatch(
      /no game of "match" counts, because a player failed in each of them; the warnings above say why\n$/,
    );
  });

  it("prints its tables also where the report cannot be written", async () => {
    const folder = scratchFolder();
    writeFileSync(
      join(folder, "match.yaml"),
      experiment("duel: { use: arena, agents: [random, uct], games: 1000 }"),
    );
    const match = ludoflow(["match", "match.yaml", "--out", "run", "--json"], folder);
    await match.event(({ type }) => type === "run-started");
    mkdirSync(join(folder, "run", "report.html"));
    const { code, err } = await match.ended;
    expect(code).toBe(1);
    expect(err).toMatch(/the report is not written/);
    expect(err).toMatch(/duel: 1000 games of 2 players/);
  });

  it("refuses a file with other stages, and writes nothing", async () => {
    const folder = scratchFolder();
    writeFileSync(
      join(folder, "other.yaml"),
      experiment("games: { use: self-play, agent: uct, games: 10, generation: 10, examples: { use: td } }"),
    );
    const { code, err } = await ludoflow(["match", "other.yaml", "--out", "run"], folder).ended;
    expect(code).toBe(2);
    expect(err).toMatch(/stage "games" is a self-play: match plays only files whose stages are all arenas/);
  });
});

describe("the table of a match", () => {
  const share = (value: number, low: number, high: number) =>
    ({ games: 20, value, interval: [low, high] }) as const;
  const result: MatchResult = {
    type: "match",
    stage: "m",
    learned: 0,
    unit: "games",
    agents: [],
    contest: {
      players: 2,
      games: 20,
      distinct: 12,
      standings: ["a", "b"].map((agent, i) => ({
        agent,
        wins: i === 0 ? share(1, 0.84, 1) : share(0, 0, 0.16),
        fair: 0.5,
        rating: { value: i === 0 ? 300 : -300, interval: [-400, 400] as const },
        bySeat: [share(1, 0.7, 1), { games: 0, value: 0, interval: [0, 1] as const }],
      })),
      // As it is read from a file of events: infinities have become NaN.
      pairs: [
        { agent: "a", against: "b", score: share(1, 0.84, 1), elo: { value: NaN, interval: [288, NaN] } },
      ],
      seats: [share(0.5, 0.3, 0.7), share(0.5, 0.3, 0.7)],
      failures: [{ agent: "b", games: 2, message: "b: died" }],
      disputes: [{ game: 7, agent: "b", message: 'counts "W+3", and by the rules it is "B+1"' }],
      test: { elo0: 0, elo1: 10, alpha: 0.05, beta: 0.05, ratio: 3, bounds: [-2.94, 2.94], verdict: "elo1" },
    },
  };

  it("tells a clean sweep, repeats, failures and the test", () => {
    const text = matchTable(result, ["seat 1", "seat 2"], {
      type: "effort",
      stage: "m",
      learned: 0,
      unit: "games",
      agents: [
        // The time of the second game is not known: it tells nothing of the time of a decision.
        { agent: "a", decisions: [10, 30, 10], evaluations: [0, 0, 0], seconds: [1, NaN, 1.4684] },
        { agent: "b", decisions: [10], evaluations: [0], seconds: [NaN] },
      ],
    });
    expect(text).toMatch(/12 of them different; repeats make intervals too narrow/);
    expect(text).toMatch(
      /^a +20 +100\.0% +\[84\.0%, 100\.0%\] +50\.0% +\+300 +\[-400, \+400\] +100\.0% +- +123$/m,
    );
    expect(text).toMatch(/^b .* - +-$/m);
    expect(text).toMatch(/^a +b +20 +100\.0% .*\+inf +\[\+288, \+inf\]$/m);
    expect(text).toMatch(/b could not go on in 2 games; the first time: b: died/);
    expect(text).toContain(
      '1 game does not count, because a player disputes the result:\n  game 7: b counts "W+3", and by the rules it is "B+1"',
    );
    expect(text).toMatch(/log likelihood ratio 3\.00 in \[-2\.94, 2\.94\]: elo1 \(10\) accepted/);
    expect(text).not.toMatch(/NaN|undefined/);
  });

  it("names time limits with their clocks, and who got less of them", () => {
    const effort = (seconds: number): MatchEffort => ({
      type: "effort",
      stage: "m",
      learned: 0,
      unit: "games",
      agents: [
        {
          agent: "a",
          decisions: [10],
          evaluations: [0],
          seconds: [0.1],
          limited: [{ clock: "wall", decisions: 5, allowed: 0.1, seconds }],
        },
        { agent: "b", decisions: [10], evaluations: [0], seconds: [NaN] },
      ],
    });
    const text = matchTable(result, ["seat 1", "seat 2"], effort(0.05));
    expect(text).toMatch(/ seat 2 +time limit +ms a move$/m);
    expect(text).toMatch(/^a .* 20 ms wall +10$/m);
    expect(text).toMatch(/^b .* - +-$/m);
    expect(text).toMatch(
      /^a got 10 ms of processor time of the 20 ms of wall time that ended its searches \(50%\)$/m,
    );
    expect(matchTable(result, ["seat 1", "seat 2"], effort(0.095))).not.toContain(" got ");
  });

  it("of one-player games gives means", () => {
    const solo = {
      agent: "greedy",
      games: 2,
      mean: 1234.5,
      interval: [1000, 1469] as const,
      returns: [1000, 1469],
      facts: {},
    };
    const { contest: _, ...rest } = result;
    expect(matchTable({ ...rest, agents: [solo] }, ["seat 1"])).toMatch(
      /^greedy +2 +1,235 +\[1,000, 1,469\] +-$/m,
    );
  });
});
