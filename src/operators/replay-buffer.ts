import * as Effect from "effect/Effect";
import * as Stream from "effect/Stream";
import { Type } from "../schema.ts";
import { HeldGames } from "./learning/replay/held-games.ts";
import { toFill, windowOf } from "./learning/replay/window.ts";
import type { ReplayReady } from "./run/items.ts";
import { RunFailed } from "./run/run-error.ts";
import { operator, type SettingsOf } from "./operator.ts";
import type { Complaint } from "./run/complaint.ts";

const settings = {
  capacity: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100_000_000,
      description:
        "Maximum number of examples. The oldest games are dropped first. Give either this or `games`.",
    }),
  ),
  games: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000_000,
      description:
        "Maximum number of games. The oldest games are dropped first. Give either this or `capacity`.",
    }),
  ),
  growth: Type.Optional(
    Type.Object(
      {
        scale: Type.Number({
          minimum: 0,
          maximum: 1,
          default: 0.4,
          description: "beta: by how much the window grows with each game at the start.",
        }),
        exponent: Type.Number({
          exclusiveMinimum: 0,
          maximum: 1,
          default: 0.75,
          description: "alpha: how fast the growth slows down; 1: it does not slow down.",
        }),
      },
      {
        additionalProperties: false,
        description:
          "Lets the window grow with the N games played so far: n (1 + beta ((N/n)^alpha - 1) / alpha), with n = `games` (Wu 2019, appendix C). If absent, the window keeps its size.",
      },
    ),
  ),
  fill: Type.Integer({
    minimum: 0,
    maximum: 10_000_000,
    default: 0,
    description:
      "Minimum number of games in the buffer before training starts. Until then, self-play continues without training.",
  }),
  memory: Type.Number({
    minimum: 0,
    maximum: 1_000_000,
    default: 1000,
    description:
      "Megabytes of examples kept in memory: the newest ones, including the current generation. Others are read from the run's files when they are drawn.",
  }),
};

type Settings = SettingsOf<typeof settings>;

/** Keeps the newest games of its input. After each complete generation, a trainer draws examples from them. */
export const replayBuffer = operator({
  use: "replay-buffer",
  description:
    "Keeps the newest examples. After each generation of games, a trainer draws minibatches from them.",
  example: "replay: { use: replay-buffer, from: games, capacity: 100000 }",
  settings,
  inputs: { from: { kind: "games", description: "The stage that plays the games" } },
  output: "replay",
  check: (chosen: Settings, { offered }) => {
    const { capacity, games, growth, fill } = chosen;
    const complaints: Complaint[] = [];
    if ((capacity === undefined) === (games === undefined))
      complaints.push({
        ...(games === undefined ? {} : { key: "games" }),
        message: "a buffer has a size in examples (capacity) or in games (games): give one of the two",
      });
    if (growth !== undefined && games === undefined)
      complaints.push({
        key: "growth",
        message: "only a buffer with a size in games can grow with the number of games",
      });
    const played = offered("from", "games")?.games;
    if (played !== undefined && fill > played)
      complaints.push({
        key: "fill",
        message: `training would never start: the buffer waits for ${fill} games, and only ${played} are played`,
      });
    return complaints;
  },
  bounds: ({ capacity, games, growth, memory }: Settings) => [
    capacity !== undefined
      ? `at most ${capacity} examples, and the game that exceeds them`
      : `${growth === undefined ? "at most" : "at first"} ${games} games`,
    `at most ${memory} MB of examples in memory, and those of one generation`,
  ],
  offers: ({ capacity, fill }: Settings, { offered }) => {
    const games = offered("from", "games");
    return { games, capacity, onlyFilling: games === undefined ? 0 : toFill(fill, games.generation) };
  },
  build: (chosen: Settings, { from }, env) =>
    Effect.sync(() => {
      const held = new HeldGames({
        ...windowOf(chosen),
        memory: 1e6 * chosen.memory,
      });
      const { stage } = env;
      const { capacity } = chosen;
      /** Number of examples that had come when a generation was last learned from. */
      let learned = 0;
      env.addFlowSource((seconds) => [
        {
          type: "buffer-flow",
          stage,
          seconds,
          examples: held.size,
          ...(capacity === undefined ? {} : { capacity }),
          ages: held.ages,
        },
      ]);
      return from.pipe(
        // One game at a time: else the games of a whole chunk are in the buffer before the first generation is learned from.
        Stream.rechunk(1),
        Stream.map((game) => {
          if (game.heldOut !== true) held.add(game);
          return game;
        }),
        Stream.filter((game) => game.closes),
        Stream.mapEffect((game) =>
          held.size > 0
            ? Effect.succeed(game)
            : Effect.fail(
                new RunFailed({
                  stage,
                  reason: `there is nothing to learn from after generation ${game.generation}: all its games are held out or have no examples`,
                }),
              ),
        ),
        Stream.map((game): ReplayReady => {
          const oldest = held.oldestGeneration;
          const perGeneration = (game.index + 1) / (game.generation + 1);
          const rounds =
            game.generation + 1 - Math.min(game.generation + 1, toFill(chosen.fill, perGeneration));
          // A resumed run begins with the oldest games held, so what has left the buffer does not count.
          const fresh = Math.min(held.size, held.added - learned);
          if (rounds > 0) learned = held.added;
          return {
            generation: game.generation,
            last: game.last,
            rounds,
            layout: game.layout,
            size: held.size,
            fresh,
            age: held.ageInGames,
            at: (position) => held.at(position),
            keep: (reader) => env.files.keepExamples(game.source, `${stage}/${reader}`, oldest),
          };
        }),
      );
    }),
});
