/** A rank or rating that can be compared with others of its scale. */
interface Rating {
  readonly scale: "rank" | "number";
  readonly value: number;
}

/** What the ranks of a kind begin after: 1k is just below 1d, and 1p just above 9d. */
const KINDS: Readonly<Record<string, (number: number) => number>> = {
  k: (number) => 1 - number,
  d: (number) => number,
  p: (number) => 9 + number,
};

/** The letters of words for ranks. */
const WORDS: Readonly<Record<string, string>> = {
  kyu: "k",
  gup: "k",
  k: "k",
  級: "k",
  级: "k",
  dan: "d",
  d: "d",
  段: "d",
  p: "p",
  pro: "p",
};

/**
 * The rank or rating that a text names: `5k`, `3 dan`, `9p`, `6段`, `2145`, also with a `?` or `*` of uncertain ones;
 * undefined if it names none.
 */
export function ratingOf(text: string): Rating | undefined {
  const parts = /^\s*(\d{1,5}(?:\.\d+)?)\s*([\p{L}]*)\s*[?*]*\s*$/u.exec(text.replace(/\(.*\)\s*$/, ""));
  if (parts === null) return undefined;
  const number = Number(parts[1]);
  const word = parts[2]!.toLowerCase();
  if (word === "") return { scale: "number", value: number };
  const kind = WORDS[word];
  if (kind === undefined || !Number.isInteger(number) || number < 1 || number > 40) return undefined;
  return { scale: "rank", value: KINDS[kind]!(number) };
}
