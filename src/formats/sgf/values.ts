/**
 * The values of SGF properties: the raw text between brackets, with its escapes, and the text that it means.
 *
 * Source: A. Hollosi, "SGF File Format FF[4]", sections 3.1 (text) and 3.2 (compose), https://www.red-bean.com/sgf/.
 */

/** The text of a raw value of type Text: escapes resolved, lines kept, other white space as blanks. */
export function sgfText(raw: string): string {
  return unescaped(raw, "\n");
}

/** The text of a raw value of type SimpleText: as `sgfText`, with a blank for a line end. */
export function sgfSimpleText(raw: string): string {
  return unescaped(raw, " ");
}

/** The two raw values of a composed one, split at the first colon that is not escaped; undefined if there is none. */
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
