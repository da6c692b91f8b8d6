import { mkdirSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { checkGraph } from "../../../src/graph/check-graph.ts";
import { readExperiment } from "../../../src/graph/experiment-file.ts";
import { createRunFolder, openRunFolder } from "../../../src/graph/folder/run-folder.ts";
import { RunFolderInvalid } from "../../../src/graph/folder/run-folder-invalid.ts";
import { replayGame } from "../../../src/graph/replay-game.ts";
import { resumedRun } from "../../../src/graph/start-run.ts";
import { sha256 } from "../../../src/formats/sha256.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { writeExperiment } from "../../graph/tiny-run.ts";

const experiment = `
name: own-files
seed: 3
game: { rules: tic-tac-toe }
agents:
  one: { use: random }
  other: { use: random }
graph:
  match: { use: arena, agents: [one, other], games: 4, openings: { book: book.txt } }
  suite: { use: test-suite, agents: [one], file: positions.csv }
`;

it("a run continues with the book and the test suite that it began with, and with no others", async () => {
  const scratch = scratchFolder();
  const [book, suite] = [join(scratch, "book.txt"), join(scratch, "positions.csv")];
  // Of each the content, and another one that can be read as well.
  const contents = [
    [book, "a1 b2\nc3 b2\n", "c1 b2\nc3 b2\n"],
    [suite, "position,moves\n3/x1o/x2 o,a3\n", "position,moves\n3/x1o/x2 o,b2\n"],
  ] as const;
  for (const [path, content] of contents) writeFileSync(path, content);
  const file = writeExperiment(scratch, experiment);
  const { experiment: whole } = checkGraph(readExperiment(file)).opened;
  const { folder, release } = createRunFolder(whole, { file, set: [] }, join(scratch, "run"), new Date());
  release();
  expect(openRunFolder(folder).manifest.files).toEqual(
    contents.map(([path, content]) => ({ path, sha256: sha256(content) })),
  );
  for (const [path, content, other] of contents) {
    writeFileSync(path, other);
    await expect(resumedRun(folder, { asStarted: true })).rejects.toThrow(
      `${path}: the content has changed since this run began`,
    );
    writeFileSync(path, content);
  }
  // What cannot be read any more is reported by the stage.
  rmSync(book);
  mkdirSync(book);
  await expect(resumedRun(folder, { asStarted: true })).rejects.toThrow(/book\.txt: cannot be read/);
  rmdirSync(book);
  writeFileSync(book, contents[0][1]);
  const run = await resumedRun(folder, { asStarted: false });
  expect(await run!.start()).toEqual({ outcome: "finished" });
  // Its games are replayed with that book alone, and without the test suite.
  rmSync(suite);
  expect((await replayGame(folder, "match", 0)).difference).toBeUndefined();
  writeFileSync(book, contents[0][2]);
  const changed = `${book}, which stage "match" reads, has changed since the run began`;
  await expect(replayGame(folder, "match", 0)).rejects.toThrow(changed);
  rmSync(book);
  const gone = replayGame(folder, "match", 0);
  await expect(gone).rejects.toThrow(RunFolderInvalid);
  await expect(gone).rejects.toThrow(/book\.txt: cannot be read/);
});
