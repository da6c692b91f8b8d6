/**
 * Whether a run takes all cases of comparisons with slow references: if `LUDOFLOW_CASES` is `all`, as `npm run trust` sets it.
 * `npm test` takes a fifth of them.
 */
export const allCases = process.env["LUDOFLOW_CASES"] === "all";

/** Has no factor in common with the small numbers by which cases alternate: every fifth case is of all their kinds. */
const EVERY = 5;

/**
 * How many of `all` cases of a comparison with a slow reference (random positions, games, seeds, runs of a property) a run
 * takes: all of them or a fifth, but not less than `least`.
 */
export function casesOf(all: number, least = 4): number {
  return allCases ? all : Math.min(all, Math.max(least, Math.ceil(all / EVERY)));
}

/** All of these cases, or every fifth from the first on. */
export function someOf<T>(cases: Iterable<T>): readonly T[] {
  return [...cases].filter((_, i) => allCases || i % EVERY === 0);
}
