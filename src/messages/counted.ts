/** A number with the name of what it counts, in the singular or the plural: `1 thread`, `2 threads`. `text` is the number as text. */
export function counted(count: number, what: string, text = String(count)): string {
  return `${text} ${what}${count === 1 ? "" : "s"}`;
}
