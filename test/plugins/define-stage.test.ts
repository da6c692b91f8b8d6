import * as Effect from "effect/Effect";
import * as Stream from "effect/Stream";
import { describe, expect, it } from "vitest";
import type { RunEvent } from "../../src/events/event.ts";
import { ticTacToe } from "../../src/games/tic-tac-toe/tic-tac-toe.ts";
import type { StageEnv } from "../../src/operators/operator.ts";
import type { GameCollection, PlayedGame, WeightsVersion } from "../../src/operators/run/items.ts";
import { RunFiles } from "../../src/operators/run/run-files.ts";
import { StopSignal } from "../../src/operators/run/stop-signal.ts";
import { type Definition, defined } from "../../src/definitions/definition.ts";
import { defineStage } from "../../src/plugins/define-stage.ts";
import type { StageDescription } from "../../src/plugins/stage-description.ts";
import { stageOperator } from "../../src/plugins/stage-operator.ts";
import type { FinishedGame } from "../../src/plugins/stage-items.ts";
import { integer } from "../../src/definitions/options.ts";
import { scratchFolder } from "../formats/scratch-folder.ts";

/** A game with so many plies, in generations of three. */
function gameOf(index: number, plies: number): PlayedGame {
  return {
    source: "games",
    index,
    generation: Math.floor(index / 3),
    closes: index % 3 === 2,
    last: false,
    record: () => ({
      game: index,
      generation: 0,
      seats: ["one", "other"],
      actions: Int32Array.from({ length: plies }, (_, ply) => ply),
      values: new Float32Array(0),
      returns: [1, 0],
      facts: {},
    }),
    layout: "games",
    samples: new Uint8Array(0),
    reread: () => new Uint8Array(0),
  };
}

/** Runs a stage in a folder over items; stops reading after so many. */
async function run(
  folder: string,
  definition: Definition,
  items: Iterable<unknown>,
  settings: object = {},
  most = Infinity,
) {
  const stage = stageOperator(defined(definition)!.made as StageDescription<any, any>);
  const events: RunEvent[] = [];
  const files = new RunFiles(folder);
  const env = {
    stage: "own",
    opened: { game: ticTacToe, experiment: { seed: 7 } },
    files,
    stop: new StopSignal(),
    emit: (event: RunEvent) => void events.push(event),
  } as unknown as StageEnv;
  const out = await Effect.runPromise(
    Effect.scoped(
      Effect.flatMap(stage.build(settings, { from: Stream.fromIterable(items) as never }, env), (stream) =>
        Stream.runCollect(Stream.take(stream as Stream.Stream<PlayedGame, Error>, most)),
      ),
    ),
  );
  files.close();
  const figures = events.flatMap((event) => (event.type === "figure" ? [[event.learned, event.value]] : []));
  return {
    figures,
    games: out.map(({ index, heldOut }) => (heldOut === true ? `${index} held out` : index)),
  };
}

const longGames = defineStage({
  name: "long-games",
  description: "Gives on games of a length.",
  settings: { plies: integer({ default: 9, description: "Least length." }) },
  reads: "games",
  gives: "games",
  async *run(items, { plies }, env) {
    let long = (env.state as number | undefined) ?? 0;
    for await (const game of items) {
      if (game.actions.length >= plies) env.state = ++long;
      env.figure("share of long games", long / (game.index + 1));
      if (game.actions.length >= plies) yield game;
    }
  },
});

const lengths = [5, 9, 6, 9, 9, 5, 5, 9, 9];
const games = lengths.map((plies, index) => gameOf(index, plies));

describe("a stage of one's own", () => {
  it("gives on what it chooses; the other games are held out, in their places", async () => {
    const found = await run(scratchFolder(), longGames, games, { plies: 9 });
    expect(found.games).toEqual(lengths.map((plies, index) => (plies === 9 ? index : `${index} held out`)));
    let long = 0;
    expect(found.figures).toEqual(
      lengths.map((plies, index) => [index + 1, (plies === 9 ? ++long : long) / (index + 1)]),
    );
  });

  it.each([1, 2, 3, 4, 5, 7])(
    "continues after %d games where its last whole generation ended",
    async (most) => {
      const folder = scratchFolder();
      const whole = await run(scratchFolder(), longGames, games, { plies: 9 });
      await run(folder, longGames, games, { plies: 9 }, most);
      const again = await run(folder, longGames, games, { plies: 9 });
      expect(again.games).toEqual(whole.games);
      // Each generation here ends with a game that it holds out: it has then asked for another one.
      const seen = 3 * Math.floor(most / 3);
      expect(again.figures).toEqual(whole.figures.slice(seen));
    },
  );

  it("reads games ply by ply, and has random numbers by name", async () => {
    const received: unknown[] = [];
    const reader = (folder: string) =>
      run(
        folder,
        defineStage({
          name: "reader",
          description: "Reads.",
          reads: "games",
          async run(read, _settings, env) {
            for await (const game of read)
              received.push(
                [...game.plies()].map(({ number, toMove, action }) => [number, toMove, action]),
                env.random("draw", game.index).float(),
              );
          },
        }),
        [gameOf(0, 3)],
      );
    expect((await reader(scratchFolder())).games).toEqual([]);
    await reader(scratchFolder());
    expect(received[0]).toEqual([
      [0, 0, 0],
      [1, 1, 1],
      [2, 0, 2],
    ]);
    expect(received.slice(2)).toEqual(received.slice(0, 2));
  });

  it("reads weights that are whole, and recorded games", async () => {
    const version = (number: number, state: WeightsVersion["state"]): WeightsVersion => ({
      net: "net",
      version: number,
      trainings: number,
      learned: 100 * number,
      unit: "games",
      state,
      snapshot: Effect.succeed(new Map([["weights/a", { shape: [1], data: Float32Array.of(number) }]])),
      progress: {},
      saved: () => undefined,
    });
    const norm = defineStage({
      name: "norm",
      description: "The first weight.",
      reads: "weights",
      async run(versions, _settings, env) {
        for await (const weights of versions)
          env.figure("first", (await weights.tensors()).get("weights/a")!.data[0]!);
      },
    });
    const versions = [version(0, "whole"), version(1, "partial"), version(2, "final")];
    expect((await run(scratchFolder(), norm, versions)).figures).toEqual([
      [0, 0],
      [200, 2],
    ]);
    const collection: GameCollection = {
      source: "files",
      games: 2,
      positions: 5,
      moves: Uint16Array.of(4, 0, 8, 1, 2),
      offsets: Uint32Array.of(0, 3, 5),
      returns: Float32Array.of(1, 0, NaN, NaN),
      parts: Uint8Array.of(0, 2),
      groupOf: Uint8Array.of(0, 0),
      groups: ["strong"],
      starts: new Map(),
    };
    const seen: unknown[] = [];
    await run(
      scratchFolder(),
      defineStage({
        name: "files",
        description: "Reads files.",
        reads: "collection",
        async run(all) {
          for await (const recorded of all)
            for (const one of recorded)
              seen.push([
                one.index,
                one.part,
                one.group,
                [...one.actions],
                [...one.returns],
                [...one.plies()].length,
              ]);
        },
      }),
      [collection],
    );
    expect(seen).toEqual([
      [0, "training", "strong", [4, 0, 8], [1, 0], 3],
      [1, "test", "strong", [1, 2], [NaN, NaN], 2],
    ]);
  });

  it.each<[string, (items: AsyncIterable<FinishedGame>) => AsyncIterable<FinishedGame>, RegExp]>([
    [
      "throws",
      async function* (items) {
        for await (const game of items) {
          if (game.index === 1) throw new Error("no such game");
          yield game;
        }
      },
      /stage "own": no such game/,
    ],
    [
      "gives a game on too late",
      async function* (items) {
        let before: FinishedGame | undefined;
        for await (const game of items) {
          if (before !== undefined) yield before;
          before = game;
        }
      },
      /not the game that it has read last/,
    ],
    [
      "gives a game on twice",
      async function* (items) {
        for await (const game of items) yield* [game, game];
      },
      /not the game that it has read last/,
    ],
  ])("that %s ends the run with the reason", async (_what, code, says) => {
    const stage = defineStage({ name: "x", description: "x", reads: "games", gives: "games", run: code });
    await expect(run(scratchFolder(), stage, games)).rejects.toThrow(says);
  });

  it("may give on only what its definition says, and reports finite figures only", async () => {
    const silent = defineStage({
      name: "silent",
      description: "x",
      reads: "games",
      run: async function* (items: AsyncIterable<FinishedGame>) {
        yield* items;
      } as never,
    });
    await expect(run(scratchFolder(), silent, games)).rejects.toThrow(/write gives: "games"/);
    const wild = defineStage({
      name: "wild",
      description: "x",
      reads: "games",
      async run(items, _settings, env) {
        for await (const { index } of items) env.figure("ratio", 1 / index);
      },
    });
    await expect(run(scratchFolder(), wild, games)).rejects.toThrow(/the figure "ratio" is Infinity/);
  });
});
