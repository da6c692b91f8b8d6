import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { decodeGameRecord, type StoredGame } from "../formats/game-records.ts";
import { RecordLogReader } from "../formats/record-log.ts";
import type { Cell, Column } from "../formats/table.ts";
import type { StreamedTable } from "./run-tables.ts";

/** The logs of a run's games, in the order of their stages. */
export function recordedLogs(folder: string): string[] {
  const games = join(folder, "games");
  if (!existsSync(games)) return [];
  return readdirSync(games)
    .filter((name) => name.endsWith(ENDING))
    .toSorted()
    .map((name) => join(games, name));
}

/** The games of these logs: a row for each seat of each game, and a row for each of its facts. */
export function gameTables(logs: readonly string[]): StreamedTable[] {
  return [
    {
      name: "games",
      title: "Every recorded game, a row for each seat",
      columns: seatColumns,
      rows: rowsOf(logs, seatRows),
    },
    {
      name: "game-facts",
      title: "Further figures of every recorded game",
      columns: factColumns,
      rows: rowsOf(logs, factRows),
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
  logs: readonly string[],
  rows: (stage: string, record: StoredGame) => Cell[][],
): Iterable<readonly Cell[]> {
  return {
    *[Symbol.iterator]() {
      for (const path of logs) {
        const log = new RecordLogReader(path);
        try {
          const stage = basename(path, ENDING);
          for (const bytes of log) yield* rows(stage, decodeGameRecord(bytes, path));
        } finally {
          log.close();
        }
      }
    },
  };
}

const ENDING = ".games";
