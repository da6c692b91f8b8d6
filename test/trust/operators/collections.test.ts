import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as Effect from "effect/Effect";
import * as Stream from "effect/Stream";
import { describe, expect, it } from "vitest";
import { FileNotWritten } from "../../../src/formats/files/file-not-written.ts";
import { ZipWriter } from "../../../src/formats/zip-writer.ts";
import { joinGames } from "../../../src/operators/learning/collection/collection-of.ts";
import { GamesFileWriter } from "../../../src/operators/learning/collection/games-file.ts";
import { readGamesFile } from "../../../src/operators/learning/collection/read-games-file.ts";
import type { KeptGames } from "../../../src/operators/learning/collection/kept-games.ts";
import type { LeftOut } from "../../../src/operators/learning/collection/left-out.ts";
import { GamesReading } from "../../../src/operators/learning/collection/read-games.ts";
import { Random } from "../../../src/random.ts";
import { ludoflow } from "../../cli/run-cli.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { smallDisk } from "../../formats/small-disk.ts";
import { filters, go5, randomSgf } from "../../operators/learning/collection/some-games.ts";

/** A Python with h5py; Debian's is not always the first one. */
const python = ["python3", "/usr/bin/python3"].find(
  (each) => spawnSync(each, ["-c", "import h5py"]).status === 0,
);

/** An archive with folders, collections, a zip, and much that cannot be used. */
function archive(): string {
  const folder = join(scratchFolder(), "archive");
  const random = Random.named("archive");
  mkdirSync(join(folder, "b", "deep"), { recursive: true });
  writeFileSync(join(folder, "a.sgf"), Array.from({ length: 300 }, () => randomSgf(random)).join(""));
  for (let each = 0; each < 600; each++)
    writeFileSync(
      join(folder, "b", `${each}.SGF`),
      each % 50 === 0 ? "no game" : randomSgf(random, "PB[x]PW[y]"),
    );
  writeFileSync(join(folder, "b", "deep", "notes.txt"), "not of games");
  writeFileSync(join(folder, "b", "deep", "large.sgf"), randomSgf(random).repeat(20_000));
  // A game of two million nodes, one as deep as a million variations; a sound game behind them.
  const long = ";B[aa];W[bb]".repeat(1_000_000);
  const deep = `${"(;B[aa]".repeat(1_000_000)}${")".repeat(1_000_000)}`;
  writeFileSync(
    join(folder, "b", "deep", "long.sgf"),
    `(;SZ[5]${long})(;SZ[5]${deep})(;SZ[5];B[cc];W[cb];B[bc];W[dd])`,
  );
  symlinkSync(folder, join(folder, "b", "again"));
  execFileSync("mkfifo", [join(folder, "b", "pipe.sgf")]);
  const zip = new ZipWriter();
  zip.append("in/c.sgf", Buffer.from(randomSgf(random)));
  zip.append("../up.sgf", Buffer.from(randomSgf(random)));
  zip.append("bomb.sgf", Buffer.alloc(3_000_000, 0x20));
  writeFileSync(join(folder, "c.zip"), Buffer.concat(zip.finish()));
  writeFileSync(join(folder, "d.zip"), "PK\x03\x04 none");
  writeFileSync(join(folder, "e.h5"), "none");
  return folder;
}

async function collected(folder: string, threads: number) {
  const leftOut: LeftOut[] = [];
  const reading = new GamesReading(
    {
      sources: [{ name: "archive", path: folder }],
      game: go5.config,
      players: 2,
      filters: filters({ group: "player" }),
      texts: false,
      threads,
    },
    (each) => void leftOut.push(each),
  );
  const batches = await Effect.runPromise(Stream.runCollect(reading.games()));
  const summary = reading.summary();
  return { collection: joinGames("archive", 2, summary.groups, batches), leftOut, summary };
}

const disk = smallDisk();

describe("collections of files", () => {
  it("are the same for any number of threads, with every file and game taken or listed", async () => {
    const folder = archive();
    const [one, two, three] = [
      await collected(folder, 1),
      await collected(folder, 2),
      await collected(folder, 3),
    ];
    expect(two).toEqual(one);
    expect(three).toEqual(one);
    const { games, leftOut } = one.summary;
    const total = Object.values(leftOut).reduce((sum, count) => sum + count, 0);
    // 300 in a.sgf; 600 files; notes, a link, a pipe; 20,000 in large.sgf, 3 in long.sgf; a zip's 3; no zip and no HDF5.
    expect(games + total).toBe(300 + 600 + 3 + 20_000 + 3 + 3 + 2);
    expect(leftOut).toMatchObject({
      "not SGF": 12,
      "too long": 2,
      "not a file of games": 3,
      "unsafe zip": 2,
      "damaged zip": 1,
    });
    expect(leftOut).toMatchObject({ "damaged collection": 1 });
    expect(leftOut["duplicate"]).toBeGreaterThanOrEqual(19_999);
  });

  it("are written in memory that does not grow, a million positions and more, and read by h5py", async ({
    skip,
  }) => {
    const path = join(scratchFolder(), "games.h5");
    const writer = await GamesFileWriter.create(path, 2);
    const games = 1000;
    const batch = (from: number): KeptGames => ({
      moves: Uint16Array.from({ length: 100 * games }, (_, i) => (from + i * 7919) % 362),
      lengths: new Uint32Array(games).fill(100),
      returns: Float32Array.from({ length: 2 * games }, (_, i) => i % 2),
      parts: Uint8Array.from({ length: games }, (_, i) => (i % 20 === 0 ? 1 : 0)),
      groupOf: new Uint8Array(games),
      starts: from === 0 ? new Map([[1, "start 日本"]]) : new Map<number, string>(),
      texts: [],
    });
    const memory: number[] = [];
    for (let each = 0; each < 50; each++) {
      writer.add(batch(each));
      if (each % 10 === 9) memory.push(process.memoryUsage().rss / 2 ** 20);
    }
    await writer.finish(["日本"], { version: "1", game: go5.config, sources: [], filters: {}, counts: {} });
    // Five million positions are 10 MB, and garbage comes and goes.
    expect(Math.max(...memory.slice(1)) - memory[0]!).toBeLessThan(40);
    const { collection } = await readGamesFile(path);
    expect(collection.positions).toBe(5_000_000);
    skip(python === undefined, "no Python with h5py: Debian's package python3-h5py");
    const script = `
import h5py, json, hashlib, sys
f = h5py.File(sys.argv[1])
o = f["offsets"]
print(json.dumps({
  "format": f.attrs["format"], "game": json.loads(f.attrs["game"]), "positions": int(f.attrs["positions"]),
  "moves": f["moves"][o[50001-1000]:o[50001-1000]+5].tolist(), "types": [str(f[n].dtype) for n in ("moves", "offsets", "returns", "parts", "group_of")],
  "shape": f["returns"].shape, "chunked": f["moves"].chunks is not None and f["moves"].compression == "gzip",
  "groups": [g.decode() for g in f["groups"][:]], "sum": hashlib.sha256(f["moves"][:].tobytes()).hexdigest() == f["moves"].attrs["sha256"],
  "start": [int(f["starts/games"][0]), bytes(f["starts/text"][:f["starts/offsets"][1]]).decode()],
}))`;
    const told: unknown = JSON.parse(execFileSync(python!, ["-c", script, path], { encoding: "utf8" }));
    expect(told).toEqual({
      format: "ludoflow games 1",
      game: go5.config,
      positions: 5_000_000,
      moves: [...collection.moves.subarray(100 * 49_001, 100 * 49_001 + 5)],
      types: ["uint16", "uint32", "float32", "uint8", "uint8"],
      shape: [50_000, 2],
      chunked: true,
      groups: ["日本"],
      sum: true,
      start: [1, "start 日本"],
    });
  });
});

it("tells that a disk is full, and leaves nothing on it", async ({ skip }) => {
  skip(disk === undefined, "no right to mount a small file system");
  for (const finished of [false, true]) {
    const writer = await GamesFileWriter.create(join(disk!, "games.h5"), 2);
    const random = Random.named("noise");
    const write = async () => {
      // Noise, which is not compressed: the disk is full after about five of these.
      for (let each = 0; each < (finished ? 6 : 20); each++)
        writer.add({
          moves: Uint16Array.from({ length: 100_000 }, () => random.below(65_536)),
          lengths: Uint32Array.of(100_000),
          returns: Float32Array.of(1, 0),
          parts: Uint8Array.of(0),
          groupOf: Uint8Array.of(0),
          starts: new Map(),
          texts: [],
        });
      await writer.finish(["all"], { version: "1", game: go5.config, sources: [], filters: {}, counts: {} });
    };
    await expect(write()).rejects.toThrow(FileNotWritten);
    expect(readdirSync(disk!)).toEqual([]);
  }
});

describe("ludoflow convert", () => {
  it("writes files whose games are those of the sources, and says what is wrong with its arguments", async () => {
    const folder = archive();
    const inside = (name: string) => join(folder, "..", name);
    const game = "{ rules: go, size: 5, komi: 0.5 }";
    const convert = async (args: readonly string[]) =>
      await ludoflow(["convert", ...args, "--workers", "2"]).ended;
    const first = await convert([
      folder,
      "--to",
      inside("a.h5"),
      "--game",
      game,
      "--left-out",
      inside("list.txt"),
    ]);
    expect(first.code, first.err).toBe(0);
    expect(first.out).toMatch(/left out: 2\d,\d{3}\n +2\d,\d{3} {2}duplicate/);
    expect(readFileSync(inside("list.txt"), "utf8").split("\n").length).toBeGreaterThan(20_000);
    for (const [from, to] of [
      [folder, "b.zip"],
      [inside("b.zip"), "c.sgf"],
      [inside("c.sgf"), "d.h5"],
      [inside("a.h5"), "e.h5"],
    ] as const) {
      const ended = await convert([from, "--to", inside(to), "--game", game]);
      expect(ended.code, ended.err).toBe(0);
    }
    const [a, d, e] = await Promise.all(["a.h5", "d.h5", "e.h5"].map((name) => readGamesFile(inside(name))));
    const arrays = ({ collection: { moves, offsets, parts, returns } }: typeof a & {}) => ({
      moves,
      offsets,
      parts,
      returns,
    });
    expect(arrays(d!)).toEqual(arrays(a!));
    expect(arrays(e!)).toEqual(arrays(a!));

    const bytes = readFileSync(inside("a.h5"));
    for (const [args, message] of [
      [[folder, "--to", inside("a.h5"), "--game", game], /is there already; --force/],
      [[folder, "--to", inside("x.csv"), "--game", game], /must end in one of/],
      [[folder, "--to", inside("x.h5")], /name the game/],
      [[folder, "--to", inside("x.h5"), "--game", "{ rules: go, size: 30 }"], /size: expected/],
      [[folder, "--to", inside("x.h5"), "--game", "2048"], /2048 has no form of games in SGF/],
      [[folder, "--to", inside("x.h5"), "--game", game, "--set", "leastMove=3"], /did you mean "leastMoves"/],
      [[folder, "--to", inside("x.h5"), "--game", game, "--set", "leastMoves=500"], /no game is taken/],
      [
        [folder, "--to", inside("x.h5"), "--game", game, "--set", "rating={ least: strong }"],
        /"strong" is neither a rank/,
      ],
      [[inside("none"), "--to", inside("x.h5"), "--game", game], /no such file or folder/],
    ] as const) {
      const ended = await convert(args);
      expect(ended.code, ended.err).toBe(2);
      expect(ended.err).toMatch(message);
    }
    expect(readFileSync(inside("a.h5"))).toEqual(bytes);
    expect(readdirSync(inside(".")).toSorted()).toEqual([
      "a.h5",
      "archive",
      "b.zip",
      "c.sgf",
      "d.h5",
      "e.h5",
      "list.txt",
    ]);
  });

  it("takes the recorded games of a run, with the agents as players; a stage of a run reads them again", async () => {
    const folder = scratchFolder();
    const file = join(folder, "experiment.yaml");
    writeFileSync(
      file,
      `
name: matches
seed: 1
game: { rules: go, size: 5, komi: 0.5 }
agents: { one: { use: random }, two: { use: random } }
graph: { match: { use: arena, agents: [one, two], games: 20, openings: { plies: 3 } } }
`,
    );
    const run = async (args: readonly string[]) => {
      const ended = await ludoflow(args, folder).ended;
      expect(ended.code, ended.err).toBe(0);
      return ended.out;
    };
    await run(["run", file, "--out", join(folder, "run")]);
    const [id] = existsSync(join(folder, "run", "manifest.json")) ? [""] : readdirSync(join(folder, "run"));
    const told = await run([
      "convert",
      join(folder, "run", id!),
      "--to",
      "games.sgf",
      "--set",
      "group=player",
    ]);
    expect(told).toMatch(/^games\.sgf: 20 games, .* \(one - two, two - one\)$/m);
    expect(readFileSync(join(folder, "games.sgf"), "utf8")).toMatch(/PB\[one\]PW\[two\]RE\[[BW]\+\d+\.5\]/);
    // The moves that were drawn are no moves of the players: a game begins after them, and White has the next.
    expect(readFileSync(join(folder, "games.sgf"), "utf8").match(/AB.*PL\[W\]\n;W\[/g)).toHaveLength(20);
    const reading = `
name: reading
seed: 1
game: { rules: go, size: 5, komi: 0.5 }
graph: { games: { use: sgf, sources: [games.sgf], group: player } }
`;
    writeFileSync(join(folder, "reading.yaml"), reading);
    await run(["run", join(folder, "reading.yaml"), "--out", join(folder, "again")]);
    const [again] = existsSync(join(folder, "again", "manifest.json"))
      ? [""]
      : readdirSync(join(folder, "again"));
    const record: unknown = JSON.parse(
      readFileSync(join(folder, "again", again!, "collections", "games.json"), "utf8"),
    );
    expect(record).toMatchObject({ games: 20, groups: ["one - two", "two - one"], leftOut: {} });
  });
});
