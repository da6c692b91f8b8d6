/** The version of the protocol that clients name in their first table. */
export const UECDA_PROTOCOL = 20070;
/** The host where servers listen and clients connect by default: this machine alone. */
export const UECDA_HOST = "127.0.0.1";
/** The port where servers listen and clients connect by default. */
export const UECDA_PORT = 42485;
/** Rows of a table. */
const TABLE_ROWS = 8;
/** Columns of a table. */
export const TABLE_COLUMNS = 15;
/** Bytes of a table on the wire. */
export const TABLE_BYTES: number = 4 * TABLE_ROWS * TABLE_COLUMNS;
/** Bytes of a number on the wire. */
export const NUMBER_BYTES = 4;
/** Most characters of a client's name: a row. */
export const LONGEST_NAME: number = TABLE_COLUMNS;

/** The number by which the server accepts a play. */
export const ACCEPTED = 9;
/** The number by which the server rejects a play, and a pass while cards lie on the table. */
export const REJECTED = 8;
/** After a turn: the game continues. */
export const CONTINUES = 0;
/** After a turn: the game is over, another follows. */
export const GAME_OVER = 1;
/** After a turn: all games are over. */
export const ALL_OVER = 2;

/** 8 rows of 15 numbers below 2^32, row by row; rows 0 to 4 are for cards, 5 and 6 for the state of the game. */
export type UecdaTable = Uint32Array;

/** A table of zeros: as a response, a pass. */
export function newTable(): UecdaTable {
  return new Uint32Array(TABLE_ROWS * TABLE_COLUMNS);
}

/** The place of row and column in a table. */
export function cell(row: number, column: number): number {
  return TABLE_COLUMNS * row + column;
}

/** A table as it is sent: 480 bytes, big-endian. */
export function tableBytes(table: UecdaTable): Uint8Array {
  const bytes = new Uint8Array(TABLE_BYTES);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < table.length; i++) view.setUint32(4 * i, table[i]!);
  return bytes;
}

/** The table that these bytes are, 480 of them. */
export function tableOfBytes(bytes: Uint8Array): UecdaTable {
  if (bytes.length !== TABLE_BYTES) throw new RangeError(`a table has ${TABLE_BYTES} bytes`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const table = newTable();
  for (let i = 0; i < table.length; i++) table[i] = view.getUint32(4 * i);
  return table;
}

/** A number as it is sent, big-endian; the protocol writes negative numbers as 0. */
export function numberBytes(value: number): Uint8Array {
  const bytes = new Uint8Array(NUMBER_BYTES);
  new DataView(bytes.buffer).setUint32(0, Math.max(0, value));
  return bytes;
}

/** The number that four bytes are. */
export function numberOfBytes(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset, NUMBER_BYTES).getUint32(0);
}

/** The first table that a client sends: the protocol's version and its name, at most `LONGEST_NAME` characters of ASCII. */
export function helloTable(name: string): UecdaTable {
  const table = newTable();
  table[cell(0, 0)] = UECDA_PROTOCOL;
  for (let i = 0; i < Math.min(name.length, LONGEST_NAME); i++) table[cell(1, i)] = name.charCodeAt(i);
  return table;
}

/** The protocol and the name of a client's first table; characters that cannot be printed become `?`. */
export function readHello(table: UecdaTable): { readonly protocol: number; readonly name: string } {
  const characters = Array.from(table.subarray(cell(1, 0), cell(2, 0)));
  const end = characters.indexOf(0);
  const name = characters
    .slice(0, end < 0 ? LONGEST_NAME : end)
    .map((code) => (code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : "?"))
    .join("");
  return { protocol: table[cell(0, 0)]!, name };
}

/** Rows 5 and 6 of a table that a server sends. */
export interface UecdaStatus {
  /** Whether cards are being dealt and exchanged: the first table of a game. */
  readonly dealing: boolean;
  /** The number of cards that the receiver of this table has to return. */
  readonly returns: number;
  /** Whether it is the turn of the receiver of this table. */
  readonly yourTurn: boolean;
  /** Whose turn it is, or was; 6 while cards are dealt. */
  readonly player: number;
  readonly empty: boolean;
  readonly jackBack: boolean;
  readonly revolution: boolean;
  readonly lock: boolean;
  /** By player: the number of cards that it holds. */
  readonly counts: readonly number[];
  /** By player: its place in the game before, from 0; all 0 in a first game. */
  readonly ranks: readonly number[];
  /** By seat in turn order: the player there. */
  readonly seats: readonly number[];
}

/** The player to move while cards are dealt: nobody. */
export const NOBODY = 6;

const PLAYERS = 5;

/** Writes rows 5 and 6. */
export function writeStatus(table: UecdaTable, status: UecdaStatus): void {
  const { dealing, returns, yourTurn, player, empty, jackBack, revolution, lock } = status;
  table.set([dealing, returns, yourTurn, player, empty, jackBack, revolution, lock].map(Number), cell(5, 0));
  table.set(status.counts, cell(6, 0));
  table.set(status.ranks, cell(6, PLAYERS));
  table.set(status.seats, cell(6, 2 * PLAYERS));
}

/** Reads rows 5 and 6 and checks nothing. */
export function readStatus(table: UecdaTable): UecdaStatus {
  const row = (from: number) => Array.from(table.subarray(from, from + PLAYERS));
  const flag = (column: number) => table[cell(5, column)] !== 0;
  return {
    dealing: flag(0),
    returns: table[cell(5, 1)]!,
    yourTurn: flag(2),
    player: table[cell(5, 3)]!,
    empty: flag(4),
    jackBack: flag(5),
    revolution: flag(6),
    lock: flag(7),
    counts: row(cell(6, 0)),
    ranks: row(cell(6, PLAYERS)),
    seats: row(cell(6, 2 * PLAYERS)),
  };
}
