import { openConfiguredGame } from "../../../../src/games/registry.ts";
import {
  type FilterSettings,
  filterSchema,
} from "../../../../src/operators/learning/collection/collection-settings.ts";
import { GameReader } from "../../../../src/operators/learning/collection/game-reader.ts";
import type { GamesBatch } from "../../../../src/operators/learning/collection/batch.ts";
import { completeOptions } from "../../../../src/options.ts";
import { Random } from "../../../../src/random.ts";

/** Go on a small board. */
export const go5 = openConfiguredGame("go", { size: 5, komi: 0.5 });

/** The settings of filters, with their defaults. */
export function filters(given: Readonly<Record<string, unknown>> = {}): FilterSettings {
  const completed = completeOptions(filterSchema(), given);
  if ("wrong" in completed) throw new Error(completed.wrong);
  return completed.options;
}

/** A game of Go on the small board as SGF, its moves drawn at random. */
export function randomSgf(random: Random, properties = ""): string {
  const state: unknown = go5.game.initial();
  let text = `(;GM[1]SZ[5]KM[0.5]RU[Chinese]${properties}`;
  const moves = 2 + random.below(20);
  for (let ply = 0; ply < moves && go5.game.toMove(state) >= 0; ply++) {
    const action = go5.game.playouts!.uniform(state, random);
    const point = action === 25 ? "" : "abcde"[action % 5]! + "abcde"[Math.floor(action / 5)]!;
    text += `;${"BW"[ply % 2]}[${point}]`;
    go5.game.play(state, action);
  }
  return `${text})\n`;
}

/** What a thread makes of a file of SGF. */
export function readBatch(
  path: string,
  given: Readonly<Record<string, unknown>> = {},
  texts = false,
): GamesBatch {
  const reader = new GameReader({ game: go5.config, filters: filters(given), texts });
  return reader.read({ files: [{ label: "some.sgf", source: "some", content: { path } }] });
}

/** By game of a batch: its moves. */
export function movesOf({ lengths, moves }: Pick<GamesBatch, "lengths" | "moves">): number[][] {
  let at = 0;
  return Array.from(lengths, (length) => [...moves.subarray(at, (at += length))]);
}
