import type { Extent } from "./recorder.ts";

/** What `npm test` records: a few decisions of each case. */
export const SHORT: Extent = { games: 1, plies: [2, 18], decisions: 3 };

/** What is compared after a change of the searches: several games, from the opening to the last moves. */
export const LONG: Extent = { games: 4, plies: [0, 7, 15, 30], decisions: 5 };
