import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readBlokusSgf } from "../../../src/games/blokus/sgf.ts";
import { ludoflow } from "../run-cli.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "ludoflow-sgf-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Plays two games between random players and returns the run's folder. */
async function runOf(rules: string): Promise<string> {
  writeFileSync(
    join(folder, `${rules}.yaml`),
    `name: ${rules}\nseed: 1\ngame: { rules: ${rules} }\nagents:\n  a: { use: random }\n  b: { use: random }\n` +
      "graph:\n  match: { use: arena, games: 2, agents: [a, b] }\n",
  );
  expect((await ludoflow(["run", `${rules}.yaml`], folder).ended).code).toBe(0);
  const runs = join(folder, "runs", rules);
  return join(runs, readdirSync(runs)[0]!);
}

describe("replay --sgf", () => {
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
    expect(other.err).toBe("--sgf writes games of blokus and blokus-duo, and this run plays tic-tac-toe\n");
  });
});
