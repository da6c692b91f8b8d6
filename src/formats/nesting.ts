/** The deepest nesting of maps and lists that is read. Code that walks a value by recursion then needs no further limit. */
export const MOST_LEVELS = 100;

/** What is wrong with a value that has more. */
export const TOO_DEEP = `maps and lists are nested too deeply; at most ${MOST_LEVELS} levels are read`;

/** Whether a value, as JSON has it, has more maps and lists in each other than this. */
export function isTooDeep(value: unknown, levels = MOST_LEVELS): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isTooDeep(item, levels - 1));
}
