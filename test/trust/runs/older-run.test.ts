import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ARITHMETIC } from "../../../src/graph/folder/arithmetic.ts";
import { replayGame } from "../../../src/graph/replay-game.ts";
import { hasFinished } from "../../../src/graph/folder/run-folder.ts";
import { resumedRun } from "../../../src/graph/start-run.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";

it("a run of an earlier arithmetic is resumed to its end, says so, and its games are followed afterwards", async () => {
  const folder = join(scratchFolder(), "run");
  cpSync(join(import.meta.dirname, "../../graph/folder/golden/arithmetic-1"), folder, { recursive: true });
  const run = await resumedRun(folder, { asStarted: false });
  expect(run!.remarks).toEqual([
    `its nets were computed with arithmetic 1, and this program has arithmetic ${ARITHMETIC}: from here on its results are not a function of its file and seed, as manifest.json notes`,
  ]);
  expect(await run!.start()).toEqual({ outcome: "finished" });
  expect(hasFinished(folder)).toBe(true);
  const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as object;
  expect(manifest).toMatchObject({
    reproducible: false,
    parts: [{ arithmetic: 1 }, { arithmetic: ARITHMETIC }],
  });
  // Of each part: the last game before the interruption, the first one after it, and the last one of all.
  for (const game of [15, 16, 47]) {
    const { difference, departures, excuses } = await replayGame(folder, "games", game);
    expect(difference).toBeUndefined();
    expect(departures).toBeDefined();
    expect(excuses).toHaveLength(1);
    // What this program played itself, it plays again.
    if (game > 15) expect(departures).toEqual([]);
  }
});
