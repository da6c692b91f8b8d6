import { ismctsDefinition } from "./ismcts-options.ts";

/** SO-ISMCTS: one tree of what the player to move has seen. Every move in the tree counts as seen by everyone. */
export const soIsmcts = ismctsDefinition(
  "so-ismcts",
  "Single-observer information set Monte Carlo tree search, for games with hidden information.",
  "all-seen",
);
