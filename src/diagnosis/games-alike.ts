/** Fewer games than this are too few to call them alike. */
const LEAST_GAMES = 8;

/** If less than this share of the games are different, examples and intervals count each game five times or more. */
const FEW_DISTINCT = 0.2;

/** Says that too few of some games are different, in words; undefined if enough are. */
export function gamesAlike(
  { distinct, games }: { readonly distinct: number; readonly games: number },
  of: string,
): string | undefined {
  if (games < LEAST_GAMES || distinct > Math.max(2, FEW_DISTINCT * games)) return undefined;
  const alike = distinct === 1 ? "all one and the same" : `only ${distinct} different ones`;
  return `the ${games} games of ${of} are ${alike}`;
}
