import type { IndexPart, IndexPlan } from "./indexing.ts";

/** What a line puts into the indices of two tuples, from some place on the board; nothing for a second tuple not there. */
export type LineRole = readonly [first: readonly IndexPart[], second: readonly IndexPart[]];

/** Two tuples whose indices are made together, or one. */
export interface TuplePair {
  readonly tuples: readonly number[];
  /** The lines that they look at, and the role of each, by its number. */
  readonly lines: readonly { readonly line: number; readonly role: number }[];
}

/** How indices are put together of what whole lines contribute: an index is the or of what its lines put into it. */
export interface LineRoles {
  readonly roles: readonly LineRole[];
  readonly pairs: readonly TuplePair[];
}

/**
 * Pairs the tuples, those that look at the same lines first, and names the roles of lines; a line has the same role for
 * tuples that are the same ones moved across the board.
 */
export function lineRoles({ tuples }: IndexPlan): LineRoles {
  const roles: LineRole[] = [];
  const numbers = new Map<string, number>();
  const linesOf = (members: readonly number[]) =>
    [...new Set(members.flatMap((tuple) => tuples[tuple]!.parts.map(({ line }) => line)))].toSorted(
      (a, b) => a - b,
    );
  const order = [...tuples.keys()].toSorted(
    (a, b) =>
      linesOf([a])
        .join()
        .localeCompare(linesOf([b]).join()) || a - b,
  );
  const pairs: TuplePair[] = [];
  for (let i = 0; i < order.length; i += 2) {
    const members = order.slice(i, i + 2);
    const lines = linesOf(members).map((line) => {
      const parts = [0, 1].map((member) =>
        (tuples[members[member]!]?.parts ?? [])
          .filter((part) => part.line === line)
          .map(({ mask, shift }) => ({ line: 0, mask, shift })),
      );
      const key = JSON.stringify(parts);
      let role = numbers.get(key);
      if (role === undefined) {
        role = roles.push([parts[0]!, parts[1]!]) - 1;
        numbers.set(key, role);
      }
      return { line, role };
    });
    pairs.push({ tuples: members, lines });
  }
  return { roles, pairs };
}

/** What the parts of a role take from a line's form. */
export function contribution(parts: readonly IndexPart[], form: number): number {
  let bits = 0;
  for (const { mask, shift } of parts) bits |= shift >= 0 ? (form & mask) << shift : (form & mask) >> -shift;
  return bits;
}
