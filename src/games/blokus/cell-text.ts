/** A cell of a board of `size` rows as text: the column's letter from the left, the row's number from the bottom. */
export function cellText(size: number, x: number, y: number): string {
  return `${String.fromCharCode(97 + x)}${size - y}`;
}

/** The cell with this text, its letter in either case; undefined if the board has no such cell. */
export function cellOfText(size: number, text: string): readonly [x: number, y: number] | undefined {
  if (!/^[a-z][1-9]\d?$/i.test(text)) return undefined;
  const x = text.toLowerCase().charCodeAt(0) - 97;
  const y = size - Number(text.slice(1));
  return x < size && y >= 0 ? [x, y] : undefined;
}
