import type { Cell, Column } from "../formats/table.ts";
import { fixed, readable } from "./number-text.ts";

/** A cell of a table as people read it; a dash if there is no value. */
export function printedCell(cell: Cell, { digits, share, signed, type }: Omit<Column, "name">): string {
  if (cell === null) return "–";
  if (typeof cell === "string") return cell;
  const value = share === true ? 100 * cell : cell;
  const decimals = digits ?? (share === true ? 1 : type === "integer" ? 0 : undefined);
  const text = decimals === undefined ? readable(value) : fixed(value, decimals);
  return `${signed === true && cell > 0 ? "+" : ""}${text}${share === true ? "%" : ""}`;
}
