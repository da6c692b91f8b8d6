import { execFileSync } from "node:child_process";
import { lstatSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { FileNotWritten } from "../../../../src/formats/files/file-not-written.ts";
import { openGameSink } from "../../../../src/operators/learning/collection/game-sinks.ts";
import { scratchFolder } from "../../../formats/scratch-folder.ts";

it("is written where a symbolic link leads, and is no pipe", async () => {
  const [link, real] = [join(scratchFolder(), "games.sgf"), join(scratchFolder(), "real")];
  symlinkSync(real, link);
  const sink = await openGameSink(link, 2);
  await sink.finish([], { version: "1", game: { rules: "go" }, sources: [], filters: {}, counts: {} });
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readFileSync(real, "utf8")).toBe("");
  const pipe = join(scratchFolder(), "pipe.sgf");
  execFileSync("mkfifo", [pipe]);
  await expect(openGameSink(pipe, 2)).rejects.toThrow(
    new FileNotWritten(pipe, "it is a device or a pipe", "name a file"),
  );
});
