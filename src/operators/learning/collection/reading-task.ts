import type { GameConfig } from "../../../games/registry.ts";
import type { PackedFile } from "../../../formats/zip-reader.ts";
import type { FilterSettings } from "./collection-settings.ts";

/** What all threads that read games know. */
export interface ReadingData {
  readonly game: GameConfig;
  readonly filters: FilterSettings;
  /** Whether games are wanted as SGF too. */
  readonly texts: boolean;
}

/** A file of SGF: its bytes are read from a path, or are those of a file in a zip. */
export interface SgfFile {
  /** Names it in lists: `archive/2015.zip/a.sgf`. */
  readonly label: string;
  readonly source: string;
  readonly content: { readonly path: string } | { readonly packed: PackedFile };
}

/** Games that are moves already: of a run, or of an .h5 file. */
export interface MovesOfFile {
  readonly label: string;
  readonly source: string;
  readonly games: readonly {
    /** The number of the game in its file. */
    readonly place: number;
    readonly moves: ArrayLike<number>;
    readonly returns: readonly number[];
    readonly start?: string;
    /**
     * How many of its decisions its players made: the last ones. The position before them is the start of the game that is
     * read. Absent: all.
     */
    readonly decided?: number;
    /** Its group, if the file names one. */
    readonly group?: string;
    readonly players: readonly string[];
  }[];
}

/** What a thread reads at a time. */
export type ReadingTask = { readonly files: readonly SgfFile[] } | { readonly moves: MovesOfFile };

/** Most bytes of a file of SGF. A larger collection is to be split. */
export const MOST_SGF_BYTES = 128 * 2 ** 20;
