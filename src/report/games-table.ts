import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { decodeGameRecord, type StoredGame } from "../formats/game-records.ts";
import { RecordLogReader } from "../formats/record-log.ts";
import type { Cell, Column } from "../formats/table.ts";
import type { StreamedTable } from "./run-tables.ts";

/** The recorded games of a run: a row for each seat of each game, and a row for each of its facts. */
export function gameTables(folder: string): StreamedTable[] {
  return [
    {
      name: "games",
      title: "Every recorded game, a row for each seat",
      columns: seatColumns,
      rows: rowsOf(folder, seatRows),
    },
    {
      name: "game-facts",
      title: "Further figures of every recorded game",
      columns: factColumns,
      rows: rowsOf(folder, factRows),
    },
  ];
}

const seatColumns: readonly Column[] = [
  { name: "stage", type: "text" },
  { name: "game", type: "integer" },
  { name: "generation", type: "integer" },
  { name: "plies", type: "integer" },
  { name: "end", type: "text" },
  { name: "ended by seat", type: "integer" },
  { name: "seat", type: "integer" },
  { name: "agent", type: "text" },
  { name: "return", type: "number" },
];

function seatRows(stage: string, record: StoredGame): Cell[][] {
  const { actions, game, generation, returns, seats } = record;
  const { end, by } = endOf(record);
  return seats.map((agent, seat) => [
    stage,
    game,
    generation,
    actions.length,
    end,
    by === undefined ? null : by + 1,
    seat + 1,
    agent,
    returns[seat] ?? null,
  ]);
}

function endOf({ dispute, failure, resigned }: StoredGame): { readonly end: string; readonly by?: number } {
  if (failure !== undefined) return { end: "broken off", by: failure.seat };
  if (dispute !== undefined) return { end: "disputed", by: dispute.seat };
  return resigned === undefined ? { end: "played" } : { end: "given up", by: resigned };
}

const factColumns: readonly Column[] = [
  { name: "stage", type: "text" },
  { name: "game", type: "integer" },
  { name: "fact", type: "text" },
  { name: "value", type: "number" },
];

function factRows(stage: string, { facts, game }: StoredGame): Cell[][] {
  return Object.entries(facts).map(([fact, value]) => [stage, game, fact, value]);
}

/** Reads one game at a time; the rows can be asked for again. Throws `FileCorrupt`. */
function rowsOf(
  folder: string,
  rows: (stage: string, record: StoredGame) => Cell[][],
): Iterable<readonly Cell[]> {
  const games = join(folder, "games");
  return {
    *[Symbol.iterator]() {
      if (!existsSync(games)) return;
      for (const file of readdirSync(games)
        .filter((name) => name.endsWith(ENDING))
        .toSorted()) {
        const path = join(games, file);
        const log = new RecordLogReader(path);
        try {
          for (const bytes of log) yield* rows(file.slice(0, -ENDING.length), decodeGameRecord(bytes, path));
        } finally {
          log.close();
        }
      }
    },
  };
}

const ENDING = ".games";
