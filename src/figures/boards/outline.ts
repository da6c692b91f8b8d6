/** The edges of cells that no other of them shares, as a path: each from its place in pixels. */
export function outlinePath(
  cells: readonly number[],
  columns: number,
  step: number,
  corner: (cell: number) => readonly [x: number, y: number],
): string {
  const has = new Set(cells);
  return cells
    .map((cell) => {
      const [x, y] = corner(cell).map(short) as [string, string];
      const s = short(step);
      const [far, low] = corner(cell).map((at) => short(at + step)) as [string, string];
      return [
        has.has(cell - columns) ? "" : `M${x} ${y}h${s}`,
        has.has(cell + columns) ? "" : `M${x} ${low}h${s}`,
        cell % columns > 0 && has.has(cell - 1) ? "" : `M${x} ${y}v${s}`,
        cell % columns < columns - 1 && has.has(cell + 1) ? "" : `M${far} ${y}v${s}`,
      ].join("");
    })
    .join("");
}

/** A length in pixels with two decimals at most. */
export function short(length: number): string {
  return String(Math.round(100 * length) / 100);
}
