import { ismctsDefinition } from "./ismcts-options.ts";

/**
 * SO-ISMCTS+POM: one tree, in which moves of the opponents that look alike to the root player share a node. A draw
 * decides which of them is played.
 */
export const soIsmctsPom = ismctsDefinition(
  "so-ismcts-pom",
  "Single-observer information set Monte Carlo tree search that does not see hidden moves and treats them as random.",
  "partial",
);
