import type { SgfPlace } from "./sgf.ts";

/** What `code` returns at the end of the text. */
export const TEXT_END = -1;

const BYTE_ORDER_MARK = 0xfeff;

/** A text that comes in pieces, read character by character. Only the present piece is kept. */
export class SgfCursor {
  /** The present piece. */
  piece = "";
  /** The index of the present character in the piece; may be its length. */
  at = 0;
  readonly #pieces: Iterator<string>;
  #line = 1;
  /** The index of the line's first character in this piece; below 0 if it was in an earlier one. */
  #lineStart = 0;
  /** The index of the next line feed that has not been counted; Infinity if this piece has none. */
  #lineEnd = Infinity;

  constructor(pieces: Iterator<string>) {
    this.#pieces = pieces;
  }

  /** The code of the character here, or TEXT_END; continues with the next piece after the end of this one. */
  code(): number {
    while (this.at >= this.piece.length) {
      const { done, value } = this.#pieces.next();
      if (done === true) return TEXT_END;
      this.place();
      this.#lineStart -= this.piece.length;
      this.piece = value;
      this.at = 0;
      this.#lineEnd = nextLineEnd(value, 0);
    }
    return this.piece.charCodeAt(this.at);
  }

  /** Skips white space and control characters; returns the code of what follows, or TEXT_END. */
  skipSpace(): number {
    let code = this.code();
    while ((code <= 0x20 && code !== TEXT_END) || code === BYTE_ORDER_MARK) {
      this.at++;
      code = this.code();
    }
    return code;
  }

  /** The place here. Places are taken in increasing order. */
  place(): SgfPlace {
    while (this.#lineEnd < this.at) {
      this.#line++;
      this.#lineStart = this.#lineEnd + 1;
      this.#lineEnd = nextLineEnd(this.piece, this.#lineStart);
    }
    return { line: this.#line, column: this.at - this.#lineStart + 1 };
  }

  /** The character here, for a message. */
  found(): string {
    const code = this.code();
    return code === TEXT_END
      ? "the text ends"
      : JSON.stringify(String.fromCodePoint(this.piece.codePointAt(this.at)!));
  }
}

function nextLineEnd(text: string, from: number): number {
  const at = text.indexOf("\n", from);
  return at < 0 ? Infinity : at;
}
