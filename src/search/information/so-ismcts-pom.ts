import { ismctsDefinition } from "./ismcts-options.ts";

/**
 * SO-ISMCTS+POM: one tree, in which moves of the others that look alike to the player at the root are one; which of them
 * is made, is drawn.
 */
export const soIsmctsPom = ismctsDefinition(
  "so-ismcts-pom",
  "Single-observer information set Monte Carlo tree search that does not see hidden moves: it takes them for random ones.",
  "partial",
);
