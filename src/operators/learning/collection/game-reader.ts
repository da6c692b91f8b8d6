import { createHash } from "node:crypto";
import { basename, extname } from "node:path";
import { FileTooLarge, readBounded } from "../../../formats/files/bounded-file.ts";
import { readSgfGames } from "../../../formats/sgf/collection.ts";
import { SgfInvalid } from "../../../formats/sgf/faults.ts";
import { unpackFile, ZipInvalid } from "../../../formats/zip-reader.ts";
import { CHANCE, type Game, OVER } from "../../../games/game.ts";
import { createGame } from "../../../games/registry.ts";
import { sgfFormatOf } from "../../../games/sgf-games.ts";
import type { SgfFormat, SgfMoves } from "../../../games/sgf-moves.ts";
import { BatchBuilder, type GamesBatch } from "./batch.ts";
import { ContentKeys } from "./content-key.ts";
import { groupOf, refusalOf } from "./game-filter.ts";
import {
  MOST_SGF_BYTES,
  type MovesOfFile,
  type ReadingData,
  type ReadingTask,
  type SgfFile,
} from "./reading-task.ts";

/** Most nodes, properties and values of a game tree: a thousand times those of a long game. */
const MOST_PARTS = 500_000;

/** The greatest action that the 16 bits of a collection hold. */
const MOST_ACTION = 0xffff;

/** Faults of SGF that leave it open which moves were played. */
const BREAKS = new Set(["ERR_PLACE", "ERR_VALUE_END", "ERR_TREE_END"]);

/** Reads games for a collection: the work of a thread. */
export class GameReader {
  readonly #data: ReadingData;
  readonly #game: Game<unknown>;
  readonly #format: SgfFormat | undefined;
  readonly #keys: ContentKeys;
  readonly #legal: Int32Array;

  constructor(data: ReadingData) {
    const { rules, ...options } = data.game;
    this.#data = data;
    this.#game = createGame(rules, options) as Game<unknown>;
    this.#format = sgfFormatOf(data.game);
    this.#keys = new ContentKeys(this.#game);
    this.#legal = new Int32Array(this.#game.maxLegal);
  }

  /** The games of a task. No content of a file throws. */
  read(task: ReadingTask): GamesBatch {
    const batch = new BatchBuilder();
    if ("moves" in task) this.#readMoves(task.moves, batch);
    else for (const file of task.files) this.#readSgf(file, batch);
    return batch.finish();
  }

  #readSgf(file: SgfFile, batch: BatchBuilder): void {
    const { content, label, source } = file;
    const bytes = bytesOf(file, batch);
    if (bytes === undefined) return;
    // The sum of a zip covers the files in it.
    if ("path" in content)
      batch.sum({ source, label, sha256: createHash("sha256").update(bytes).digest("hex") });
    try {
      for (const { game: tree, place, warnings } of readSgfGames(bytes, MOST_PARTS)) {
        const where = `${label}:${place.line}`;
        const broken = warnings.find(({ code }) => BREAKS.has(code));
        if (tree instanceof SgfInvalid)
          batch.leaveOut({
            where,
            reason: tree.code === "ERR_LONG" ? "too long" : "broken SGF",
            why: tree.message,
          });
        else if (broken !== undefined) batch.leaveOut({ where, reason: "broken SGF", why: broken.message });
        else {
          const read = this.#format!.read(tree);
          if ("refused" in read) batch.leaveOut({ where, reason: read.refused, why: read.why });
          else this.#take(read, file, place.line, batch);
        }
      }
    } catch (error) {
      if (!(error instanceof SgfInvalid)) throw error;
      batch.leaveOut({ where: label, reason: "not SGF", why: error.message });
    }
  }

  #readMoves({ games, label, source }: MovesOfFile, batch: BatchBuilder): void {
    for (const { decided, group, moves: all, place, players, returns, start: first } of games) {
      const where = `${label}:${place}`;
      const checked = this.#play(all, first);
      if (typeof checked === "string") batch.leaveOut({ where, reason: "illegal move", why: checked });
      else {
        const { moves, start } =
          decided === undefined ? { moves: all, start: first } : this.#afterOpening(all, first, decided);
        const game: SgfMoves = {
          moves: Array.from(moves),
          returns,
          ending: Number.isNaN(returns[0]) ? "unknown" : checked.over ? "score" : "other",
          result: "",
          ...(start === undefined ? {} : { start }),
          // The file does not say whether a position is a handicap.
          handicap: start === undefined ? 0 : undefined,
          players,
          ratings: players.map(() => ""),
          options: {},
        };
        const { start: _start, ...same } = game;
        const whole = first === undefined ? { ...same, moves: Array.from(all) } : undefined;
        this.#take(game, { label, source }, place, batch, { group, whole });
      }
    }
  }

  /** A game from the position on after which its players made so many decisions. */
  #afterOpening(
    moves: ArrayLike<number>,
    start: string | undefined,
    decided: number,
  ): { readonly moves: ArrayLike<number>; readonly start: string | undefined } {
    const game = this.#game;
    const state = this.#startOf(start) ?? game.initial();
    /** The plies of its decisions. */
    const decisions: number[] = [];
    for (let ply = 0; ply < moves.length; ply++) {
      if (game.toMove(state) !== CHANCE) decisions.push(ply);
      game.play(state, moves[ply]!);
    }
    if (decisions.length <= decided) return { moves, start };
    const first = decisions[decisions.length - decided] ?? moves.length;
    const begin = this.#startOf(start) ?? game.initial();
    for (let ply = 0; ply < first; ply++) game.play(begin, moves[ply]!);
    return { moves: Array.from(moves).slice(first), start: game.notation.position(begin) };
  }

  /** Plays moves; returns whether the game is over, or why they cannot be played. */
  #play(moves: ArrayLike<number>, start: string | undefined): { readonly over: boolean } | string {
    const game = this.#game;
    const state = this.#startOf(start) ?? game.initial();
    if (typeof state === "string") return state;
    for (let ply = 0; ply < moves.length; ply++) {
      if (game.toMove(state) === OVER) return `move ${ply + 1} comes after the end of the game`;
      if (!this.#isLegal(state, moves[ply]!)) return `move ${ply + 1} is not legal`;
      if (moves[ply]! > MOST_ACTION)
        return `move ${ply + 1} is action ${moves[ply]}, and collections of games hold actions up to ${MOST_ACTION}`;
      game.play(state, moves[ply]!);
    }
    return { over: game.toMove(state) === OVER };
  }

  #isLegal(state: unknown, action: number): boolean {
    const { actions, depthFirst } = this.#game;
    if (depthFirst?.isLegal !== undefined && this.#game.toMove(state) >= 0)
      return action < actions && depthFirst.isLegal(state, action);
    return this.#legal.subarray(0, this.#game.legal(state, this.#legal)).includes(action);
  }

  /** The state of the text of a start; the fault of a text that names none. */
  #startOf(start: string | undefined): unknown {
    if (start === undefined) return undefined;
    const reading = this.#game.notation.parsePosition(start);
    return "error" in reading ? reading.error.message : reading.state;
  }

  #take(
    game: SgfMoves,
    { label, source }: Pick<SgfFile, "label" | "source">,
    place: number,
    batch: BatchBuilder,
    {
      group,
      whole,
    }: {
      readonly group?: string | undefined;
      /** The game from the start of the rules on, if it is known. */
      readonly whole?: SgfMoves | undefined;
    } = {},
  ): void {
    const { filters, texts } = this.#data;
    const refusal = refusalOf(game, filters);
    if (refusal !== undefined) {
      batch.leaveOut({ where: `${label}:${place}`, ...refusal });
      return;
    }
    const key = this.#keys.key(game.moves, this.#startOf(game.start));
    const name = group ?? groupOf(game, filters.group, source, basename(label, extname(label)));
    let text: string | undefined;
    if (texts) {
      const written = game.start === undefined || this.#format!.starts ? game : whole;
      if (written === undefined) {
        batch.leaveOut({
          where: `${label}:${place}`,
          reason: "set-up position",
          why: `games of ${this.#game.name} in SGF begin at the start`,
        });
        return;
      }
      text = this.#format!.write(written);
    }
    batch.add(game, { file: label, place, group: name, key }, text);
  }
}

/** The bytes of a file; if they cannot be read, the file is left out. */
function bytesOf({ content, label }: SgfFile, batch: BatchBuilder): Uint8Array | undefined {
  try {
    if ("packed" in content) return unpackFile(content.packed);
    return readBounded(content.path, MOST_SGF_BYTES);
  } catch (error) {
    if (error instanceof FileTooLarge)
      batch.leaveOut({ where: label, reason: "too long", why: `${error.message}. Split the collection` });
    else if (error instanceof ZipInvalid)
      batch.leaveOut({ where: label, reason: "damaged zip", why: error.message });
    else if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    else batch.leaveOut({ where: label, reason: "cannot be read", why: (error as Error).message });
  }
  return undefined;
}
