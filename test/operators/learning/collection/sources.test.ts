import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { encodeGameRecord, type GameRecord } from "../../../../src/formats/game-records.ts";
import { RecordLogWriter } from "../../../../src/formats/record-log-writer.ts";
import { readBlokusSgf } from "../../../../src/games/blokus/sgf.ts";
import type { Game } from "../../../../src/games/game.ts";
import { openGame } from "../../../../src/games/registry.ts";
import { GameReader } from "../../../../src/operators/learning/collection/game-reader.ts";
import {
  type GamesSource,
  partsOf,
  type SourcePart,
} from "../../../../src/operators/learning/collection/sources.ts";
import { scratchFolder } from "../../../formats/scratch-folder.ts";
import { filters, go5, movesOf } from "./some-games.ts";

async function parts(source: GamesSource, written?: readonly string[]): Promise<SourcePart[]> {
  const all: SourcePart[] = [];
  for await (const part of partsOf(source, go5.config, written)) all.push(part);
  return all;
}

it("are the sound games of a run, from the end of an opening that was drawn", async () => {
  const path = join(scratchFolder(), "match.games");
  const log = RecordLogWriter.open(path);
  const record: GameRecord = {
    game: 0,
    generation: 0,
    seats: ["one", "two"],
    actions: [12, 7, 6, 8],
    values: new Float64Array(6),
    returns: [1, 0],
    facts: {},
  };
  const told = { seat: 1, message: "counts otherwise" };
  for (const each of [
    record,
    { ...record, game: 1, failure: { seat: 0, message: "has ended" } },
    { ...record, game: 2, dispute: told },
    { ...record, game: 3, actions: [12, 7, 12] },
    { ...record, game: 4, actions: [12], values: new Float64Array() },
  ])
    log.append(encodeGameRecord(each));
  log.close();
  const found = await parts({ name: "run", path: "", records: [{ path, openings: true }] });
  expect(found.map((part) => Object.keys(part)[0])).toEqual(["sum", "leftOut", "leftOut", "moves"]);
  expect(found).toMatchObject([
    {},
    { leftOut: { where: "run/match.games:1", reason: "broken off", why: "has ended" } },
    { leftOut: { where: "run/match.games:2", reason: "disputed", why: "two: counts otherwise" } },
    {},
  ]);
  const reader = new GameReader({ game: go5.config, filters: filters({ group: "player" }), texts: true });
  const batch = reader.read(found[3] as Parameters<GameReader["read"]>[0]);
  expect(movesOf(batch)).toEqual([[7, 6, 8]]);
  expect([...batch.starts.values()]).toEqual(["5/5/2X2/5/5 O 5/5/5/5/5 X C3"]);
  expect(batch.leftOut.map(({ reason }) => reason)).toEqual(["illegal move", "too few moves"]);
  expect(batch.groups).toEqual(["one - two"]);
  expect(batch.texts[0]).toMatch(/PB\[one\]PW\[two\]RE\[B\+\].*AB\[cc\]PL\[W\]\n;W\[cb\]/);
});

it.each([true, false])(
  "are whole games as SGF of Blokus, which tells no start: openings drawn %s",
  (drawn) => {
    const game = openGame("blokus-duo", {}) as Game<unknown>;
    const state = game.initial();
    const legal = new Int32Array(game.maxLegal);
    const actions = Array.from({ length: 6 }, () => {
      const action = legal[game.legal(state, legal) >> 1]!;
      game.play(state, action);
      return action;
    });
    const data = { game: { rules: "blokus-duo" }, filters: filters(), texts: true };
    const one = { place: 0, moves: actions, returns: [0, 1], players: ["one", "two"] };
    const file = { label: "run", source: "run" };
    const batch = new GameReader(data).read({
      moves: { ...file, games: [{ ...one, ...(drawn ? { decided: 4 } : {}) }] },
    });
    expect(movesOf(batch)).toEqual([actions.slice(drawn ? 2 : 0)]);
    expect(readBlokusSgf(batch.texts[0]!).actions).toEqual(actions);
    // Of a game of an .h5 file its first moves are not known.
    const start = [...batch.starts.values()][0];
    if (start === undefined) return;
    const cut = new GameReader(data).read({
      moves: { ...file, games: [{ ...one, moves: actions.slice(2), start }] },
    });
    expect(cut.leftOut).toMatchObject([
      { reason: "set-up position", why: expect.stringMatching(/in SGF begin at the start/) as string },
    ]);
  },
);

it("are the files of a folder in the order of their names, in tasks of a bounded size", async () => {
  const folder = scratchFolder();
  mkdirSync(join(folder, "b"));
  for (const name of ["c.sgf", "b/2.sgf", "b/10.sgf", "b/readme", "a.SGF"])
    writeFileSync(join(folder, name), "(;)");
  const found = await parts({ name: "all", path: folder });
  const labels = found.map((part) =>
    "files" in part ? part.files.map(({ label }) => label) : "leftOut" in part ? part.leftOut.where : "",
  );
  expect(labels).toEqual([["all/a.SGF", "all/b/10.sgf", "all/b/2.sgf"], "all/b/readme", ["all/c.sgf"]]);
  // What is being written there is none of them.
  const written = ["b/left-out.txt", "out.h5"].map((name) => join(folder, name));
  for (const path of [...written, join(folder, ".out.h5.7.part")]) writeFileSync(path, "");
  expect(await parts({ name: "all", path: folder }, written)).toEqual(found);
  for (const path of written) rmSync(path);
  writeFileSync(join(folder, "large.sgf"), "(;)".repeat(500_000));
  const sizes = (await parts({ name: "all", path: folder })).map((part) =>
    "files" in part ? part.files.length : 0,
  );
  expect(sizes).toEqual([3, 0, 1, 1]);
});
