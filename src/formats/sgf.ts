/**
 * Collections of games in the Smart Game Format, whatever the game: trees of nodes, nodes of properties, properties of
 * values.
 *
 * The meaning of properties, and of compressed lists of points, belongs to the games. Source: A. Hollosi, "SGF File
 * Format FF[4]", sections 2 (EBNF) and 3.1 to 3.2 (text, compose), https://www.red-bean.com/sgf/.
 */

/** A property as a writer gives it. */
export interface SgfProperty {
  /** Letters and digits: `GM`, `AB`. */
  readonly name: string;
  /**
   * At least one, as they stand between brackets, with their escapes: see `sgfText`, `sgfSimpleText`, `sgfCompose` and
   * `sgfEscape`.
   */
  readonly values: readonly string[];
}

/** A place in a text. Lines end with a line feed; lines and columns are counted from 1, columns in UTF-16 units. */
export interface SgfPlace {
  readonly line: number;
  readonly column: number;
}

/** A property as a reader finds it, with the place of its name. */
export interface SgfFoundProperty extends SgfProperty, SgfPlace {}

/** The properties of a node in their order. A name may come twice, as the text has it. */
export type SgfNode<P extends SgfProperty = SgfProperty> = readonly P[];

/** A game tree: a sequence of nodes, and the variations that follow its last one. */
export interface SgfTree<P extends SgfProperty = SgfProperty> {
  /** At least one. */
  readonly nodes: readonly SgfNode<P>[];
  /** None, or several by the format; a single one is read and written all the same. */
  readonly variations: readonly SgfTree<P>[];
}

/** A game tree as a reader finds it. */
export type SgfGame = SgfTree<SgfFoundProperty>;

/**
 * What is wrong with a text, by kind. The codes are stable: programs may compare them.
 *
 * - `ERR_START`: no game tree where one should begin
 * - `ERR_NODE`: a game tree without a node at its start
 * - `ERR_PLACE`: a character that cannot stand there
 * - `ERR_VALUE`: a property without a value
 * - `ERR_VALUE_END`: a value that does not end
 * - `ERR_TREE_END`: a game tree that does not end
 */
export type SgfErrorCode =
  | "ERR_START"
  | "ERR_NODE"
  | "ERR_PLACE"
  | "ERR_VALUE"
  | "ERR_VALUE_END"
  | "ERR_TREE_END";

/** The text is not in the Smart Game Format. The message begins with the place. */
export class SgfInvalid extends Error implements SgfPlace {
  readonly _tag = "SgfInvalid";
  readonly code: SgfErrorCode;
  readonly line: number;
  readonly column: number;

  constructor(code: SgfErrorCode, { line, column }: SgfPlace, what: string) {
    super(`line ${line}, column ${column}: ${what}`);
    this.name = "SgfInvalid";
    this.code = code;
    this.line = line;
    this.column = column;
  }
}

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

/** The nodes of the main line: those of the tree, then those of the first variation at every fork. */
export function sgfMainLine<P extends SgfProperty>(tree: SgfTree<P>): SgfNode<P>[] {
  const nodes: SgfNode<P>[] = [];
  for (let at: SgfTree<P> | undefined = tree; at !== undefined; at = at.variations[0])
    for (const node of at.nodes) nodes.push(node);
  return nodes;
}

/** The number of variations at all forks beyond the first of each. */
export function sgfSideLines(tree: SgfTree): number {
  let count = 0;
  const open = [tree];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    count += Math.max(0, at.variations.length - 1);
    for (const variation of at.variations) open.push(variation);
  }
  return count;
}

/**
 * Writes a collection, a node a line. Throws RangeError for a tree without a node, a property without a value, a name
 * that is not of letters and digits, and a value with a bracket that is not escaped.
 */
export function writeSgf(games: Iterable<SgfTree>): string {
  const written: string[] = [];
  const open: (SgfTree | ")")[] = [];
  for (const game of games) {
    open.push(game);
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (next === ")") {
        written.push(")\n");
        continue;
      }
      if (next.nodes.length === 0) throw new RangeError("a game tree has at least one node");
      written.push("(", next.nodes.map(nodeText).join("\n"), "\n");
      open.push(")");
      for (const variation of next.variations.toReversed()) open.push(variation);
    }
  }
  return written.join("");
}

/** The text that a raw value of type Text stands for: escapes resolved, lines kept, other white space as blanks. */
export function sgfText(raw: string): string {
  return unescaped(raw, "\n");
}

/** The text that a raw value of type SimpleText stands for: as `sgfText`, with a blank for a line end. */
export function sgfSimpleText(raw: string): string {
  return unescaped(raw, " ");
}

/** The two raw values of a composed one, split at the first colon that is not escaped; undefined where there is none. */
export function sgfCompose(raw: string): readonly [string, string] | undefined {
  for (let i = 0; i < raw.length; i++) {
    if (raw[i] === "\\") i++;
    else if (raw[i] === ":") return [raw.slice(0, i), raw.slice(i + 1)];
  }
  return undefined;
}

/** A text as a raw value: brackets and backslashes escaped, in a part of a composed value also colons. */
export function sgfEscape(text: string, composed = false): string {
  return text.replaceAll(composed ? /[\\\]:]/g : /[\\\]]/g, "\\$&");
}

function unescaped(raw: string, lineEnd: string): string {
  let text = "";
  for (let i = 0; i < raw.length; i++) {
    const escaped = raw[i] === "\\";
    if (escaped) i++;
    const character = raw[i] ?? "";
    if (character === "\n" || character === "\r") {
      // Two different characters in a row are one line end; one after a backslash is no part of the text.
      const next = raw[i + 1];
      if (next !== character && (next === "\n" || next === "\r")) i++;
      if (!escaped) text += lineEnd;
    } else text += character === "\t" || character === "\v" || character === "\f" ? " " : character;
  }
  return text;
}

function nodeText(node: SgfNode): string {
  return `;${node.map(propertyText).join("")}`;
}

function propertyText({ name, values }: SgfProperty): string {
  if (!/^[A-Za-z0-9]+$/.test(name)) throw new RangeError(`"${name}" is no name of an SGF property`);
  if (values.length === 0) throw new RangeError(`property ${name} has no value`);
  for (const value of values)
    if (!endsAsWritten(value)) throw new RangeError(`a value of property ${name} is not escaped: "${value}"`);
  return `${name}${values.map((value) => `[${value}]`).join("")}`;
}

/** Whether a raw value ends with the bracket that is written after it, not before, nor later. */
function endsAsWritten(raw: string): boolean {
  for (let i = 0; i < raw.length; i++) {
    if (raw[i] === "]") return false;
    if (raw[i] === "\\" && ++i === raw.length) return false;
  }
  return true;
}

/** The pieces of a source as characters. */
function* pieces(source: SgfSource, charset: string): Generator<string, void, undefined> {
  const decoder = new TextDecoder(charset);
  const parts = typeof source === "string" || source instanceof Uint8Array ? [source] : source;
  for (const part of parts) yield typeof part === "string" ? part : decoder.decode(part, { stream: true });
  yield decoder.decode();
}

const END = -1;
const TREE_BEGINS = 0x28;
const TREE_ENDS = 0x29;
const NODE_BEGINS = 0x3b;
const VALUE_BEGINS = 0x5b;
const VALUE_ENDS = 0x5d;
const ESCAPE = 0x5c;
const BYTE_ORDER_MARK = 0xfeff;

/** A tree while it is read. */
interface OpenTree {
  readonly nodes: SgfNode<SgfFoundProperty>[];
  readonly variations: OpenTree[];
  readonly place: SgfPlace;
}

/** Reads a text piece by piece; only the present piece is kept. */
class Reader {
  readonly #pieces: Iterator<string>;
  #piece = "";
  #at = 0;
  #line = 1;
  /** The index of the line's first character in this piece; below 0 where it was in an earlier one. */
  #lineStart = 0;
  /** The index of the next line feed that has not been counted; Infinity where this piece has none. */
  #lineEnd = Infinity;

  constructor(pieces: Iterator<string>) {
    this.#pieces = pieces;
  }

  /** Skips white space; says whether nothing else is left. */
  atEnd(): boolean {
    return this.#skipSpace() === END;
  }

  /** Reads a game tree from here on. */
  tree(): SgfGame {
    if (this.#skipSpace() !== TREE_BEGINS)
      throw this.#invalid("ERR_START", `${this.#found()} where a game tree should begin, with "("`);
    const open = [this.#openTree()];
    for (;;) {
      const top = open.at(-1)!;
      const code = this.#skipSpace();
      if (code === END)
        throw new SgfInvalid("ERR_TREE_END", top.place, "the game tree that begins here does not end");
      if (code === NODE_BEGINS && top.variations.length === 0) top.nodes.push(this.#node());
      else if (top.nodes.length === 0)
        throw this.#invalid("ERR_NODE", `${this.#found()} where the first node of a game tree should begin`);
      else if (code === TREE_BEGINS) {
        const variation = this.#openTree();
        top.variations.push(variation);
        open.push(variation);
      } else if (code === TREE_ENDS) {
        this.#at++;
        open.pop();
        if (open.length === 0) return top;
      } else
        throw this.#invalid("ERR_PLACE", `${this.#found()} where a node, a game tree or its end should be`);
    }
  }

  #openTree(): OpenTree {
    const place = this.#place();
    this.#at++;
    return { nodes: [], variations: [], place };
  }

  #node(): SgfNode<SgfFoundProperty> {
    this.#at++;
    const node: SgfFoundProperty[] = [];
    while (isNameCode(this.#skipSpace())) node.push(this.#property());
    return node;
  }

  #property(): SgfFoundProperty {
    const place = this.#place();
    let name = "";
    for (let code = this.#code(); isNameCode(code); code = this.#code()) {
      name += String.fromCharCode(code);
      this.#at++;
    }
    const values: string[] = [];
    while (this.#skipSpace() === VALUE_BEGINS) values.push(this.#value());
    if (values.length === 0) throw new SgfInvalid("ERR_VALUE", place, `property ${name} has no value`);
    // Up to FF[3] names had small letters, which do not count.
    return { name: name.replaceAll(/[a-z]/g, "") || name, values, ...place };
  }

  #value(): string {
    const place = this.#place();
    this.#at++;
    const parts: string[] = [];
    let escaped = false;
    while (this.#code() !== END) {
      const piece = this.#piece;
      const from = this.#at;
      let to = from;
      for (; to < piece.length; to++) {
        const code = piece.charCodeAt(to);
        if (escaped) escaped = false;
        else if (code === ESCAPE) escaped = true;
        else if (code === VALUE_ENDS) break;
      }
      parts.push(piece.slice(from, to));
      this.#at = Math.min(to + 1, piece.length);
      if (to < piece.length) return parts.length === 1 ? parts[0]! : parts.join("");
    }
    throw new SgfInvalid("ERR_VALUE_END", place, "the value that begins here does not end");
  }

  /** Skips white space and control characters; returns the code of what follows, or END. */
  #skipSpace(): number {
    let code = this.#code();
    while ((code <= 0x20 && code !== END) || code === BYTE_ORDER_MARK) {
      this.#at++;
      code = this.#code();
    }
    return code;
  }

  /** The code of the character here, or END; goes on to the next piece where this one is read to its end. */
  #code(): number {
    while (this.#at >= this.#piece.length) {
      const { done, value } = this.#pieces.next();
      if (done === true) return END;
      this.#place();
      this.#lineStart -= this.#piece.length;
      this.#piece = value;
      this.#at = 0;
      this.#lineEnd = nextLineEnd(value, 0);
    }
    return this.#piece.charCodeAt(this.#at);
  }

  /** The place here. Places are taken in increasing order. */
  #place(): SgfPlace {
    while (this.#lineEnd < this.#at) {
      this.#line++;
      this.#lineStart = this.#lineEnd + 1;
      this.#lineEnd = nextLineEnd(this.#piece, this.#lineStart);
    }
    return { line: this.#line, column: this.#at - this.#lineStart + 1 };
  }

  /** The character here, for a message. */
  #found(): string {
    const code = this.#code();
    return code === END
      ? "the text ends"
      : JSON.stringify(String.fromCodePoint(this.#piece.codePointAt(this.#at)!));
  }

  #invalid(code: SgfErrorCode, what: string): SgfInvalid {
    return new SgfInvalid(code, this.#place(), what);
  }
}

function nextLineEnd(text: string, from: number): number {
  const at = text.indexOf("\n", from);
  return at < 0 ? Infinity : at;
}

/** Letters and digits: names of some games have digits. */
function isNameCode(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}
