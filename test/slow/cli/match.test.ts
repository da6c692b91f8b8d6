import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
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

  it("ends with exit code 1 if no game counts, because a program failed in each of them", async () => {
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

  it("prints its tables also if the report cannot be written", async () => {
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
    expect(err).toMatch(
      /graph\.games: self-play is not an arena; match plays only files whose stages are all arenas/,
    );
  });
});
