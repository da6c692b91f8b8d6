/** The letters of columns from the left, as on Go boards and in GTP: I is left out. */
const COLUMNS = "ABCDEFGHJKLMNOPQRST";

/** The letters of the columns of a board from the left. */
export function columnLetters(size: number): readonly string[] {
  return COLUMNS.slice(0, size).split("");
}

/** A point or the pass as GTP writes it: the column's letter, then the row's number from the bottom, or `pass`. */
export function goMoveText(size: number, action: number): string {
  if (action === size * size) return "pass";
  return `${COLUMNS[action % size]!}${size - Math.floor(action / size)}`;
}

/** The action that a text names on a board of this size, letters in either case; undefined if it names none. */
export function goMoveOfText(size: number, text: string): number | undefined {
  if (/^pass$/i.test(text)) return size * size;
  if (!/^[a-hj-t][1-9]\d?$/i.test(text)) return undefined;
  const column = COLUMNS.indexOf(text[0]!.toUpperCase());
  const row = size - Number(text.slice(1));
  return column < size && row >= 0 ? row * size + column : undefined;
}
