import {
  canGoOn,
  ESCAPE,
  isNameCode,
  mustBeText,
  NODE_BEGINS,
  TREE_BEGINS,
  TREE_ENDS,
  treeEnd,
  VALUE_BEGINS,
  VALUE_ENDS,
} from "./characters.ts";
import { TEXT_END, SgfCursor } from "./cursor.ts";
import { type SgfErrorCode, SgfInvalid, type SgfWarning, warn } from "./faults.ts";
import type { SgfFoundProperty, SgfGame, SgfPlace } from "./sgf.ts";

/** A text in one piece or in several, as characters or as bytes. */
export type SgfSource = string | Uint8Array | Iterable<string | Uint8Array>;

/**
 * Reads a collection game by game: the text is pulled only as far as the next game. Bytes are decoded as
 * `charset`, a label of the Encoding Standard; malformed bytes become U+FFFD.
 *
 * Throws SgfInvalid at the first mistake, after the games before it; RangeError for an unknown charset. The depth of
 * variations is bounded by memory alone.
 */
export function* readSgf(source: SgfSource, charset = "utf-8"): Generator<SgfGame, void, undefined> {
  const reader = new Reader(pieces(source, charset));
  do yield reader.tree();
  while (!reader.atEnd());
}

/**
 * Reads the games of a text that need not be sound, as files of many programs are not, in time linear in its length.
 * Each fault adds a warning: text around the games is left out, a missing `;` is supplied, unescaped brackets belong to
 * their text if nothing else is possible, characters out of place and properties without a value are left out, and
 * what the end of the text cuts off is closed. A sound text gives the games of `readSgf`.
 *
 * Throws SgfInvalid (ERR_START) for a text without any game.
 */
export function readSgfLeniently(text: string, warnings: SgfWarning[]): SgfGame[] {
  const reader = new Reader([text].values(), warnings);
  const games: SgfGame[] = [];
  while (reader.seekTree()) games.push(reader.tree());
  // Whatever the text has instead, its first character is where a game should begin.
  if (games.length === 0) new Reader([text].values()).tree();
  return games;
}

/** A game tree of a text, or why there is none. */
export interface SgfReading {
  /** Where the tree begins. */
  readonly place: SgfPlace;
  /** SgfInvalid (ERR_LONG): the tree has more parts than were allowed. */
  readonly game: SgfGame | SgfInvalid;
  /** The faults of the tree, and of the text before it. */
  readonly warnings: readonly SgfWarning[];
}

/**
 * Reads the games of a text one by one, leniently as `readSgfLeniently` does. A tree of more than `mostParts` nodes,
 * properties, values and variations together is passed over, so that no text takes more memory than that.
 *
 * Throws SgfInvalid (ERR_START) for a text without any game.
 */
export function* readSgfOneByOne(text: string, mostParts: number): Generator<SgfReading, void, undefined> {
  const warnings: SgfWarning[] = [];
  const reader = new Reader([text].values(), warnings, mostParts);
  let none = true;
  while (reader.seekTree()) {
    const place = reader.place();
    const game = reader.treeOrSkip();
    yield { place, game, warnings: warnings.splice(0) };
    none = false;
  }
  if (none) new Reader([text].values()).tree();
}

/** The pieces of a source as characters. */
function* pieces(source: SgfSource, charset: string): Generator<string, void, undefined> {
  const decoder = new TextDecoder(charset);
  const parts = typeof source === "string" || source instanceof Uint8Array ? [source] : source;
  for (const part of parts) yield typeof part === "string" ? part : decoder.decode(part, { stream: true });
  yield decoder.decode();
}

/** The properties of FF[4] whose values are texts, which may contain brackets and line ends. */
const TEXTS = new Set("AN AP BR BT C CP DT EV GC GN LB N ON OT PB PC PW RE RO RU SO US WR WT".split(" "));

/** A tree while it is read. */
interface OpenTree {
  readonly nodes: SgfFoundProperty[][];
  readonly variations: OpenTree[];
  readonly place: SgfPlace;
  /** Whether it began without a bracket; then it ends with its parent. */
  readonly implied: boolean;
}

/** Reads trees; with warnings leniently, and then the text is one piece. */
class Reader {
  readonly #cursor: SgfCursor;
  readonly #warnings: SgfWarning[] | undefined;
  readonly #mostParts: number;
  /** Nodes, properties, values and variations of the present tree. */
  #parts = 0;
  /** The index of the next "(;", once it has been looked up; Infinity if there is none. */
  #nextStart = -1;

  constructor(pieces: Iterator<string>, warnings?: SgfWarning[], mostParts = Infinity) {
    this.#cursor = new SgfCursor(pieces);
    this.#warnings = warnings;
    this.#mostParts = mostParts;
  }

  /** The place here. */
  place(): SgfPlace {
    return this.#cursor.place();
  }

  /** Skips white space; says whether nothing else is left. */
  atEnd(): boolean {
    return this.#cursor.skipSpace() === TEXT_END;
  }

  /** Goes to the next game tree, leniently; says whether there is one. */
  seekTree(): boolean {
    const cursor = this.#cursor;
    if (cursor.skipSpace() === TEXT_END) return false;
    const { at, piece } = cursor;
    const start = this.#treeStart();
    if (start === at) return true;
    const length = Math.min(start, piece.length) - at;
    const where = this.#nextStart === Infinity && start === Infinity ? "after the games" : "before a game";
    this.#warn("ERR_START", cursor.place(), `${count(length)} ${where}; left out`);
    cursor.at = Math.min(start, piece.length);
    return start !== Infinity;
  }

  /** The index where the next game tree begins, here or later: "(;", or "(" and a property if there is none. */
  #treeStart(): number {
    const { at, piece } = this.#cursor;
    const search = (pattern: RegExp): number => {
      pattern.lastIndex = at;
      return pattern.exec(piece)?.index ?? Infinity;
    };
    if (search(/\([\0-\x20]*[A-Za-z]{1,20}[\0-\x20]*\[/y) === at) return at;
    if (this.#nextStart < at) this.#nextStart = search(/\([\0-\x20]*;/g);
    return this.#nextStart < Infinity ? this.#nextStart : search(/\([\0-\x20]*[A-Z]{1,2}[\0-\x20]*\[/g);
  }

  /** Reads a game tree from here on; one with too many parts is passed over, and the error is returned. */
  treeOrSkip(): SgfGame | SgfInvalid {
    const cursor = this.#cursor;
    const { at } = cursor;
    try {
      return this.tree();
    } catch (error) {
      if (!(error instanceof SgfInvalid)) throw error;
      cursor.at = Math.max(cursor.at, treeEnd(cursor.piece, at));
      return error;
    }
  }

  /** Reads a game tree from here on. */
  tree(): SgfGame {
    const cursor = this.#cursor;
    this.#parts = 0;
    if (cursor.skipSpace() !== TREE_BEGINS)
      throw new SgfInvalid(
        "ERR_START",
        cursor.place(),
        `${cursor.found()} where a game tree should begin, with "("`,
      );
    const root = this.#openTree();
    const open = [root];
    for (;;) {
      const top = open.at(-1)!;
      const code = cursor.skipSpace();
      if (code === TEXT_END) {
        this.#fault(
          "ERR_TREE_END",
          top.place,
          "the game tree that begins here does not end",
          "it ends with the text",
        );
        if (top.nodes.length === 0) open.at(-2)!.variations.pop();
        return root;
      }
      if (code === NODE_BEGINS && top.variations.length === 0) top.nodes.push(this.#node());
      else if (top.nodes.length === 0) this.#withoutNode(code, open);
      else if (code === TREE_BEGINS) {
        const variation = this.#openTree();
        top.variations.push(variation);
        open.push(variation);
      } else if (code === TREE_ENDS) {
        cursor.at++;
        while (open.pop()!.implied);
        if (open.length === 0) return root;
      } else this.#misplaced(code, open);
    }
  }

  /** Counts a part of the tree. */
  #count(): void {
    if (++this.#parts > this.#mostParts)
      throw new SgfInvalid("ERR_LONG", this.#cursor.place(), `a game of more than ${this.#mostParts} parts`);
  }

  #openTree(): OpenTree {
    this.#count();
    const place = this.#cursor.place();
    this.#cursor.at++;
    return { nodes: [], variations: [], place, implied: false };
  }

  /** Continues after something else in the place of the first node of a tree. */
  #withoutNode(code: number, open: OpenTree[]): void {
    const what = `${this.#cursor.found()} where the first node of a game tree should begin`;
    const place = this.#cursor.place();
    if (code === TREE_ENDS && open.length > 1) {
      this.#fault("ERR_NODE", place, what, "the tree is left out");
      this.#cursor.at++;
      open.pop();
      open.at(-1)!.variations.pop();
    } else {
      this.#fault("ERR_NODE", place, what, "a node begins here");
      open.at(-1)!.nodes.push(this.#properties([]));
    }
  }

  /** Continues after something else in the place of a node, a tree or its end. */
  #misplaced(code: number, open: OpenTree[]): void {
    const cursor = this.#cursor;
    const { nodes, variations } = open.at(-1)!;
    const what = `${cursor.found()} where a node, a game tree or its end should be`;
    const place = cursor.place();
    if (code === NODE_BEGINS || isNameCode(code)) {
      if (variations.length > 0) {
        this.#fault("ERR_PLACE", place, what, "one more variation begins here");
        const first = code === NODE_BEGINS ? this.#node() : this.#properties([]);
        const variation = { nodes: [first], variations: [], place, implied: true };
        variations.push(variation);
        open.push(variation);
      } else if (this.#warnings === undefined) throw new SgfInvalid("ERR_PLACE", place, what);
      // The misplaced text before it has its warning already.
      else this.#properties(nodes.at(-1)!);
    } else if (code === VALUE_BEGINS) {
      this.#fault("ERR_PLACE", place, what, "the value is left out");
      this.#value(false);
    } else {
      this.#fault("ERR_PLACE", place, what, "left out up to what can be read");
      do cursor.at++;
      while (!canGoOn(cursor.code()));
    }
  }

  #node(): SgfFoundProperty[] {
    this.#cursor.at++;
    return this.#properties([]);
  }

  /** Reads properties, as many as follow, and adds them to a node. */
  #properties(node: SgfFoundProperty[]): SgfFoundProperty[] {
    this.#count();
    while (isNameCode(this.#cursor.skipSpace())) {
      const property = this.#property();
      if (property !== undefined) node.push(property);
    }
    return node;
  }

  /** Reads a property; undefined if no value is left of it. */
  #property(): SgfFoundProperty | undefined {
    this.#count();
    const cursor = this.#cursor;
    const place = cursor.place();
    let found = "";
    while (isNameCode(cursor.code())) {
      const { at, piece } = cursor;
      let to = at + 1;
      while (to < piece.length && isNameCode(piece.charCodeAt(to))) to++;
      found += piece.slice(at, to);
      cursor.at = to;
    }
    // Up to FF[3] names had small letters, which do not count.
    const capitals = /[a-z]/.test(found) ? found.replaceAll(/[a-z]/g, "") : found;
    const name = capitals || (this.#warnings === undefined ? found : found.toUpperCase());
    const values: string[] = [];
    const isText = TEXTS.has(name);
    let cut = false;
    while (cursor.skipSpace() === VALUE_BEGINS) {
      const value = this.#value(isText);
      if (value === undefined) cut = true;
      else values.push(value);
    }
    if (values.length > 0) {
      if (capitals === "")
        this.#warn("ERR_NAME", place, `${brief(found)} has no capital; read as ${brief(name)}`);
      return { name, values, ...place };
    }
    if (!cut) this.#fault("ERR_VALUE", place, `property ${brief(found)} has no value`, "it is left out");
    return undefined;
  }

  /** Reads a value; undefined if the text ends before it, unless the value is a text. */
  #value(isText: boolean): string | undefined {
    this.#count();
    const cursor = this.#cursor;
    const place = cursor.place();
    cursor.at++;
    const parts: string[] = [];
    let escaped = false;
    while (cursor.code() !== TEXT_END) {
      const { piece } = cursor;
      let from = cursor.at;
      let to = from;
      for (; to < piece.length; to++) {
        const code = piece.charCodeAt(to);
        if (escaped) escaped = false;
        else if (code === ESCAPE) escaped = true;
        else if (code === VALUE_ENDS) {
          if (this.#warnings === undefined || !isText || !mustBeText(piece, to)) break;
          parts.push(piece.slice(from, to), "\\");
          from = to;
          cursor.at = to;
          this.#warn(
            "ERR_BRACKET",
            cursor.place(),
            "a bracket in a text is not escaped; it belongs to the text",
          );
        }
      }
      parts.push(piece.slice(from, to));
      cursor.at = Math.min(to + 1, piece.length);
      if (to < piece.length) return parts.length === 1 ? parts[0]! : parts.join("");
    }
    const remedy = isText ? "it ends with the text" : "it is left out";
    this.#fault("ERR_VALUE_END", place, "the value that begins here does not end", remedy);
    // A backslash at the end would escape the bracket that a writer adds.
    if (escaped) parts.push("\\");
    return isText ? parts.join("") : undefined;
  }

  /** Throws, or adds a warning with what is done instead. */
  #fault(code: SgfErrorCode, place: SgfPlace, what: string, remedy: string): void {
    if (this.#warnings === undefined) throw new SgfInvalid(code, place, what);
    this.#warn(code, place, `${what}; ${remedy}`);
  }

  #warn(code: SgfErrorCode, place: SgfPlace, what: string): void {
    if (this.#warnings !== undefined) warn(this.#warnings, code, place, what);
  }
}

function count(characters: number): string {
  return characters === 1 ? "1 character" : `${characters} characters`;
}

/** The beginning of a name, for a message. */
function brief(name: string): string {
  return name.length > 20 ? `${name.slice(0, 20)}...` : name;
}
