import { TEXT_END } from "./cursor.ts";

/** The code of `(`. */
export const TREE_BEGINS = 0x28;
/** The code of `)`. */
export const TREE_ENDS = 0x29;
/** The code of `;`. */
export const NODE_BEGINS = 0x3b;
/** The code of `[`. */
export const VALUE_BEGINS = 0x5b;
/** The code of `]`. */
export const VALUE_ENDS = 0x5d;
/** The code of the backslash, which makes the next character of a text plain. */
export const ESCAPE = 0x5c;

/** Letters and digits: names of some games have digits. */
export function isNameCode(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}

/** Whether something that can be read may begin with a character, or the text ends. */
export function canGoOn(code: number): boolean {
  return (
    code === NODE_BEGINS ||
    code === TREE_BEGINS ||
    code === TREE_ENDS ||
    code === VALUE_BEGINS ||
    code === TEXT_END ||
    isNameCode(code)
  );
}

/**
 * Whether a closing bracket of a text can only be part of it: neither a value nor a node nor a tree nor a property
 * follows, and the next bracket closes too, and would close nothing, or opens after a word and a blank.
 */
export function mustBeText(text: string, bracket: number): boolean {
  let at = bracket + 1;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at++;
  if (at === text.length || ";()[".includes(text[at]!)) return false;
  for (let structure = false; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === ESCAPE) at++;
    else if (code === VALUE_ENDS) return true;
    else if (code === VALUE_BEGINS)
      return !structure && /[^A-Za-z0-9][a-z]+[\t\r\n ]+$/.test(text.slice(Math.max(bracket, at - 40), at));
    else structure ||= code === NODE_BEGINS || code === TREE_BEGINS || code === TREE_ENDS;
  }
  return false;
}

/** The index behind the game tree that begins here, by its brackets alone; the length of a text that ends before. */
export function treeEnd(text: string, from: number): number {
  let depth = 0;
  let inValue = false;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === ESCAPE) at++;
    else if (inValue) inValue = code !== VALUE_ENDS;
    else if (code === VALUE_BEGINS) inValue = true;
    else if (code === TREE_BEGINS) depth++;
    else if (code === TREE_ENDS && --depth <= 0) return at + 1;
  }
  return text.length;
}
