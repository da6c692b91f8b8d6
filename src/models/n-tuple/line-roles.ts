import type { IndexPart, IndexPlan } from "./indexing.ts";

/** The parts that a line, at some place on the board, gives to the indices of two tuples; none for a missing second tuple. */
export type LineRole = readonly [first: readonly IndexPart[], second: readonly IndexPart[]];

/** Two tuples whose indices are made together, or a single tuple. */
export interface TuplePair {
  readonly tuples: readonly number[];
  /** The lines of these tuples, each with the number of its role. */
  readonly lines: readonly { readonly line: number; readonly role: number }[];
}

/** How indices are made from contributions of whole lines: an index is the bitwise or of its lines' contributions. */
export interface LineRoles {
  readonly roles: readonly LineRole[];
  readonly pairs: readonly TuplePair[];
}

/**
 * Pairs the tuples, beginning with tuples on the same lines, and numbers the roles of lines. Tuples that are translations of
 * each other share the roles of their lines.
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

/** The bits of an index that the parts of a role take from a line's form. */
export function contribution(parts: readonly IndexPart[], form: number): number {
  let bits = 0;
  for (const { mask, shift } of parts) bits |= shift >= 0 ? (form & mask) << shift : (form & mask) >> -shift;
  return bits;
}
