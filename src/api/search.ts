/** `ludoflow/search`: parts of the built-in searches, as functions over arrays. All draws come from the `random` that is given. */
export type { EvaluationRequest } from "../games/evaluation.ts";
export { drawByTemperature } from "../search/choice/draw-by-temperature.ts";
export { drawIndex } from "../search/choice/draw-index.ts";
export { drawDirichlet } from "../search/policy/dirichlet.ts";
export { firstBest } from "../search/choice/decision-buffer.ts";
export { mostVisited } from "../search/choice/move-choice.ts";
export { sequentialHalving } from "../search/policy/sequential-halving.ts";
export type { Decision, Searching } from "../search/search.ts";
export {
  puct,
  type PuctExploration,
  type SearchedMoves,
  treeSearch,
  type TreeByFunction,
  type TreeEdges,
} from "../search/policy/tree-by-function.ts";
