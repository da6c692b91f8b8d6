import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readBlokusSgf } from "../../../src/games/blokus/sgf.ts";
import { ludoflow } from "../../cli/run-cli.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "ludoflow-sgf-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const runs = new Map<string, Promise<string>>();

/** The folder of a run of two games between random players. */
function runOf(rules: string): Promise<string> {
  const known = runs.get(rules) ?? startRun(rules);
  runs.set(rules, known);
  return known;
}

async function startRun(rules: string): Promise<string> {
  writeFileSync(
    join(folder, `${rules}.yaml`),
    `name: ${rules}\nseed: 1\ngame: { rules: ${rules} }\nagents:\n  a: { use: random }\n  b: { use: random }\n` +
      "graph:\n  match: { use: arena, games: 2, agents: [a, b] }\n",
  );
  expect((await ludoflow(["run", `${rules}.yaml`], folder).ended).code).toBe(0);
  const written = join(folder, "runs", rules);
  return join(written, readdirSync(written)[0]!);
}

describe("ludoflow replay", () => {
  it("prints the position after some plies, which is where the record was", async () => {
    const run = await runOf("tic-tac-toe");
    const replay = (...more: string[]) => ludoflow(["replay", run, "--game", "1", ...more]).ended;
    const { code, out } = await replay("--position", "2");
    expect([code, out.split("\n").length]).toEqual([0, 3]);
    const [verdict, position] = out.split("\n");
    expect(verdict).toMatch(/: every move, value and draw is the same$/);
    const board = position!.split(" ")[0]!;
    expect([board.split("x").length, board.split("o").length]).toEqual([2, 2]);
    expect(position).toMatch(/ x$/);
    expect((await replay("--position", "0")).out).toMatch(/\n3\/3\/3 x\n$/);
    const plies = Number(/(\d+) plies/.exec(verdict!)![1]);
    expect((await replay("--position", String(plies))).out).toMatch(/ -\n$/);
    const late = await replay("--position", String(plies + 1));
    expect([late.code, late.err]).toEqual([2, `--position ${plies + 1}: the game has ${plies} plies\n`]);
  });

  it("writes a stored game of Blokus with its agents, and refuses other games", async () => {
    const run = await runOf("blokus-duo");
    const file = join(folder, "game.blksgf");
    const { code, out } = await ludoflow(["replay", run, "--game", "1", "--sgf", file]).ended;
    expect(code).toBe(0);
    const game = readBlokusSgf(readFileSync(file, "utf8"));
    expect(game.game).toBe("blokus-duo");
    expect(game.players.toSorted()).toEqual(["a", "b"]);
    expect(out).toContain(`(${game.players.join(", ")}; ${game.actions.length} plies`);

    const other = await ludoflow(["replay", await runOf("tic-tac-toe"), "--game", "0", "--sgf", file]).ended;
    expect(other.code).toBe(2);
    expect(other.err).toBe(
      "--sgf writes games of blokus, blokus-duo and go, and this run plays tic-tac-toe\n",
    );
  });
});
