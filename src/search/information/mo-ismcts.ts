import { ismctsDefinition } from "./ismcts-options.ts";

/** MO-ISMCTS: a tree for each player of what that player sees; each mover chooses in its own. */
export const moIsmcts = ismctsDefinition(
  "mo-ismcts",
  "Multiple-observer information set Monte Carlo tree search: a tree for what each player sees.",
  "each",
);
