/** Characters that terminals show two columns wide: those of East Asian scripts, their full-width forms, and pictures. */
const WIDE =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]/u;

let segmenter: Intl.Segmenter | undefined;

/** The columns that a text takes in a terminal. */
export function columnsOf(text: string): number {
  // oxlint-disable-next-line no-control-regex -- plain ASCII, as most texts are
  if (/^[\x00-\x7f]*$/.test(text)) return text.length;
  segmenter ??= new Intl.Segmenter();
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}

/** A text with spaces behind it, up to this many columns. */
export function padEndTo(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - columnsOf(text)));
}
