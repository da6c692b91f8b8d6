import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { collectionOf } from "../../../../src/operators/learning/collection/collection-of.ts";
import { collectionRecord } from "../../../../src/operators/learning/collection/collection-record.ts";
import { scratchFolder } from "../../../formats/scratch-folder.ts";

it("holds a resumed run to the games that it began with", () => {
  const folder = scratchFolder();
  const game = { moves: [1, 2], returns: [1, 0], part: 0, group: 0 };
  const summary = { sources: [], games: 1, positions: 2, groups: ["all"], leftOut: { duplicate: 1 } };
  const finish = (games: Parameters<typeof collectionOf>[3]) => {
    const record = collectionRecord(folder, "games");
    record.leaveOut({ where: "a.sgf:3", reason: "duplicate", why: "2 moves as in an earlier game" });
    return record.finish(collectionOf("games", 2, ["all"], games), summary);
  };
  expect(finish([game])).toBeUndefined();
  expect(finish([game])).toBeUndefined();
  for (const other of [
    { ...game, moves: [2, 1] },
    { ...game, returns: [0, 1] },
    { ...game, part: 1 },
    { ...game, start: "X" },
  ])
    expect(finish([other])).toMatch(/other games than when the run began .*games\.json/);
  const list = join(folder, "collections", "games.left-out.txt");
  expect(readFileSync(list, "utf8")).toBe("a.sgf:3: duplicate: 2 moves as in an earlier game\n");
});
