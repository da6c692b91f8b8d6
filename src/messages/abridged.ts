/** The most names that a message lists. */
const MOST_NAMES = 40;

/** Names as a message lists them: `a, b, c`; of very many the first, and the number of the rest. */
export function abridged(names: readonly string[]): string {
  return names.length <= MOST_NAMES
    ? names.join(", ")
    : `${names.slice(0, MOST_NAMES).join(", ")} and ${names.length - MOST_NAMES} more`;
}
