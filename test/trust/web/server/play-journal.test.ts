import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { FollowedRuns } from "../../../../src/web/server/followed-runs.ts";
import { storedGame } from "../../../../src/web/server/games/stored-games.ts";
import { PlaySessions } from "../../../../src/web/server/play/play-sessions.ts";
import { startRun, writeExperiment, zeroExperiment } from "../../../graph/tiny-run.ts";

const YOU = "a".repeat(64);

let root: string;
let runs: FollowedRuns;
let play: PlaySessions;
const serve = () => {
  runs = new FollowedRuns(root);
  play = new PlaySessions(root, runs);
};
const end = () => {
  play.close();
  runs.close();
};
const journals = () => join(root, "played/.games");
const held = () => join(root, "played/.weights");

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "ludoflow-journal-"));
  await startRun(writeExperiment(root, zeroExperiment), join(root, "tiny-zero/A"));
  serve();
});
afterAll(() => {
  end();
  rmSync(root, { recursive: true });
});

/** Plays the first legal move of the person. */
async function move(id: string): Promise<void> {
  const session = await play.at(id);
  await expect.poll(() => session.view(YOU).state, { timeout: 60_000 }).not.toBe("thinking");
  const { moves, ply } = session.view(YOU);
  await session.act(YOU, { do: "move", ply, action: moves[0]!.action });
}

/** What a person sees once it is to move or the game is over. */
async function seen(id: string) {
  const session = await play.at(id);
  await expect.poll(() => session.view(YOU).state, { timeout: 60_000 }).toMatch(/waiting|over/);
  const { id: _, canUndo, decisions, played, ply, seats, state, stored, toMove } = session.view(YOU);
  return { canUndo, decisions, played, ply, seats, state, stored, toMove };
}

it("goes on after the end of its server and without the run that its player learned in, and is stored", async () => {
  const checkpoints = join(root, "tiny-zero/A/checkpoints/zero");
  const newest = readdirSync(checkpoints).toSorted().at(-1)!;
  cpSync(join(checkpoints, newest), join(checkpoints, "0000000099"), { recursive: true });
  // The page has offered one that is gone now.
  expect(JSON.stringify(await play.offers.players())).toContain("0000000099");
  rmSync(join(checkpoints, "0000000099"), { recursive: true });
  const { id } = await play.start(YOU, { player: "run:tiny-zero/A#learner", seed: 7 });
  // A run at work prunes its checkpoints, also before the player has read them.
  rmSync(join(root, "tiny-zero/A/checkpoints"), { recursive: true });
  await move(id);
  const before = await seen(id);
  expect(before).toMatchObject({ decisions: 2, state: "waiting", canUndo: true });
  const path = join(journals(), `${id}.jsonl`);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  end();
  // The server was killed in the midst of a line.
  appendFileSync(path, '{"from":2,"actions":[');
  serve();
  expect(await seen(id)).toEqual(before);
  const session = await play.at(id);
  await session.act(YOU, { do: "undo", ply: before.ply });
  expect(await seen(id)).toMatchObject({ decisions: 0, canUndo: false });
  end();
  serve();
  expect(await seen(id)).toMatchObject({ decisions: 0, canUndo: false });
  while ((await seen(id)).state !== "over") await move(id);
  const over = await seen(id);
  expect(over.stored).toMatchObject({ stage: "games", game: 0 });
  const record = storedGame(join(root, over.stored!.run), "games", 0);
  expect(record.actions).toHaveLength(over.ply);
  // Its page is there after the next start too.
  end();
  serve();
  expect(await seen(id)).toEqual(over);
});

it("is another one for a stranger, and none if its journal is doctored", async () => {
  const { id } = await play.start(YOU, { player: "run:tiny-zero/A#teacher", seed: 8 });
  await move(id);
  end();
  serve();
  expect((await play.at(id)).view("b".repeat(64)).seats[0]).toEqual({
    by: "person",
    you: false,
    open: false,
  });
  end();
  const path = join(journals(), `${id}.jsonl`);
  const text = readFileSync(path, "utf8");
  serve();
  for (const wrong of [
    text.replace('"use":"mcts-max-n"', '"use":"gtp","command":["touch","x"]'),
    "",
    "{}\n",
    "[]",
  ]) {
    writeFileSync(path, wrong);
    await expect(play.at(id)).rejects.toThrow("There is no such game here.");
  }
  for (const name of ["../../etc", "", "x".repeat(12)])
    await expect(play.at(name)).rejects.toThrow("There is no such game here.");
});

it("keeps weights that a played run names, and deletes others after a day", () => {
  const kept = readdirSync(held());
  expect(kept).toHaveLength(1);
  for (const name of ["0000000012-0123456789abcdef", "0000000012-fedcba9876543210"])
    mkdirSync(join(held(), name));
  const longAgo = new Date(Date.now() - 2 * 24 * 3600_000);
  for (const name of [...kept, "0000000012-0123456789abcdef"])
    utimesSync(join(held(), name), longAgo, longAgo);
  end();
  serve();
  expect(readdirSync(held()).toSorted()).toEqual([...kept, "0000000012-fedcba9876543210"].toSorted());
});
