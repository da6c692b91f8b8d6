import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { FileCorrupt } from "../../../../../src/formats/files/file-corrupt.ts";
import { FileNotWritten } from "../../../../../src/formats/files/file-not-written.ts";
import type { GameConfig } from "../../../../../src/games/registry.ts";
import { joinGames } from "../../../../../src/operators/learning/collection/collection-of.ts";
import { GamesFileWriter } from "../../../../../src/operators/learning/collection/games-file.ts";
import { readGamesFile } from "../../../../../src/operators/learning/collection/read-games-file.ts";
import type { KeptGames } from "../../../../../src/operators/learning/collection/kept-games.ts";
import { scratchFolder } from "../../../../formats/scratch-folder.ts";
import { go5 } from "../../../../operators/learning/collection/some-games.ts";

const provenance = { version: "0", game: go5.config, sources: [], filters: {}, counts: {} };

function games(lengths: readonly number[], from: number): KeptGames {
  const moves = Uint16Array.from(
    { length: lengths.reduce((a, b) => a + b, 0) },
    (_, i) => (from + i * i) & 0xffff,
  );
  return {
    moves,
    lengths: Uint32Array.from(lengths),
    returns: Float32Array.from(
      lengths.flatMap((_, i) => (i % 3 === 0 ? [Number.NaN, Number.NaN] : [i % 2, 1 - (i % 2)])),
    ),
    parts: Uint8Array.from(lengths, (_, i) => i % 3),
    groupOf: Uint8Array.from(lengths, (_, i) => i % 2),
    starts: new Map([[lengths.length - 1, `position ${from} 日本`]]),
    texts: [],
  };
}

it("has what was written, and is refused when it is damaged", async () => {
  const folder = scratchFolder();
  const path = join(folder, "games.h5");
  const batches = [games([3, 0, 40_000], 0), games([], 9), games([30_000, 1], 7)].map((batch) =>
    batch.lengths.length === 0 ? { ...batch, starts: new Map<number, string>() } : batch,
  );
  const writer = await GamesFileWriter.create(path, 2);
  for (const batch of batches) writer.add(batch);
  expect(readdirSync(folder)).not.toContain("games.h5");
  await writer.finish(["weak", "強"], provenance);
  expect(readdirSync(folder)).toEqual(["games.h5"]);
  const read = await readGamesFile(path);
  expect(read.game).toEqual(go5.config);
  expect(read.collection).toEqual(joinGames("games.h5", 2, ["weak", "強"], batches));

  const bytes = readFileSync(path);
  const wrong = join(folder, "wrong.h5");
  // In the middle are compressed moves.
  for (const damaged of [bytes.subarray(0, bytes.length / 2), Buffer.from("(;GM[1])"), Buffer.alloc(0)]) {
    writeFileSync(wrong, damaged);
    await expect(readGamesFile(wrong)).rejects.toThrow(FileCorrupt);
  }
  let changed = 0;
  for (let at = 3000; at < bytes.length; at += Math.ceil(bytes.length / 12)) {
    const damaged = Buffer.from(bytes);
    damaged[at]! ^= 0x10;
    writeFileSync(wrong, damaged);
    const found = await readGamesFile(wrong).catch((error: unknown) => error);
    // A byte that means nothing may change; whatever is read is what was written.
    if (!(found instanceof FileCorrupt))
      expect((found as typeof read).collection.moves).toEqual(read.collection.moves);
    else changed++;
  }
  expect(changed).toBeGreaterThan(5);
});

it("is refused where a text of it is changed", async () => {
  const path = join(scratchFolder(), "games.h5");
  const writer = await GamesFileWriter.create(path, 2);
  writer.add(games([5, 4], 0));
  await writer.finish(["weak", "strong"], { ...provenance, sources: ["archive.zip"] });
  const bytes = readFileSync(path);
  for (const text of ["strong", "archive.zip", '"komi"', "sha256"]) {
    const at = bytes.indexOf(text);
    expect(at, text).toBeGreaterThan(0);
    const changed = Buffer.from(bytes);
    changed[at + 1]! ^= 1;
    writeFileSync(path, changed);
    await expect(readGamesFile(path), text).rejects.toThrow(FileCorrupt);
  }
});

it("is refused where it names no game", async () => {
  const path = join(scratchFolder(), "games.h5");
  for (const game of [null, [], "go", { size: 9 }]) {
    const writer = await GamesFileWriter.create(path, 2);
    writer.add(games([5], 0));
    await writer.finish(["weak", "strong"], { ...provenance, game: game as unknown as GameConfig });
    await expect(readGamesFile(path)).rejects.toThrow(/games\.h5 is not a file of games: it names no game$/);
  }
});

it("leaves nothing behind where it is abandoned, and tells what cannot be written", async () => {
  const folder = scratchFolder();
  const writer = await GamesFileWriter.create(join(folder, "games.h5"), 2);
  writer.add(games([5], 0));
  writer.abandon();
  expect(readdirSync(folder)).toEqual([]);
  await expect(GamesFileWriter.create(join(folder, "none", "games.h5"), 2)).rejects.toThrow(FileNotWritten);
});

it("is refused where the HDF5 library finds no end in it", async () => {
  const folder = scratchFolder();
  const path = join(folder, "games.h5");
  const writer = await GamesFileWriter.create(path, 2);
  writer.add(games([3], 0));
  await writer.finish(["one"], provenance);
  const bytes = readFileSync(path);
  // Free room of no bytes among the texts of attributes: the library looks for the next text at the same place.
  const text = /\b[\da-f]{64}\b/.exec(bytes.toString("latin1"))!.index;
  expect(bytes.readBigUInt64LE(text - 8)).toBe(64n);
  bytes.fill(0, text - 8, text + 16);
  writeFileSync(path, bytes);
  const begun = performance.now();
  await expect(readGamesFile(path, 2)).rejects.toThrow(
    `${path} is not a file of games: the HDF5 library finds no end in it`,
  );
  expect(performance.now() - begun).toBeGreaterThan(1900);
});
