import { ismctsDefinition } from "./ismcts-options.ts";

/** MO-ISMCTS: every player has a tree of what it sees, and each mover chooses in its own tree. */
export const moIsmcts = ismctsDefinition(
  "mo-ismcts",
  "Multiple-observer information set Monte Carlo tree search: a tree for what each player sees.",
  "each",
);
