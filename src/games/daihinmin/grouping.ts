import { NO_PLAY, GROUP, KIND_OF, PASS, SEQUENCE, SIZE_OF } from "./plays.ts";
import type { DaihinminState } from "./state.ts";
import { KIND, PHASE, PLAYING } from "./state.ts";
import type { Grouping } from "../game.ts";

const onEmptyTable = ({ words }: DaihinminState) => words[PHASE] === PLAYING && words[KIND] === NO_PLAY;

/** Cards of a play, a pass counting as one. */
const sizeOf = (action: number) => Math.max(1, SIZE_OF[action]!);

/** Kind of play: singles with pass, groups by size, sequences by size. */
const kindOf = (action: number) =>
  KIND_OF[action] === GROUP || KIND_OF[action] === SEQUENCE
    ? (KIND_OF[action] === GROUP ? 0 : 16) + SIZE_OF[action]!
    : 1;

/**
 * The groupings of Tsubokura and Nishino, section 4.3, all of nodes with an empty table: `AI1` by number of cards and
 * kind of play, pass with the single cards; `AI2` the same with pass by itself; `AI3` by number of cards alone, pass with
 * the single cards.
 */
export const daihinminGroupings: Readonly<Record<string, Grouping<DaihinminState>>> = {
  AI1: { applies: onEmptyTable, groups: 32, group: kindOf },
  AI2: { applies: onEmptyTable, groups: 32, group: (action) => (action === PASS ? 0 : kindOf(action)) },
  AI3: { applies: onEmptyTable, groups: 32, group: sizeOf },
};
