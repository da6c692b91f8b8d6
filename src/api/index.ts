/** The package `ludoflow`, as programs and plug-ins import it. Importing it starts nothing and loads no engine. */
export { defineGame, type GameDescription } from "../plugins/define-game.ts";
export {
  type Chosen,
  defineSearch,
  type Evaluations,
  type OwnSearch,
  type SearchDescription,
  type SearchTools,
} from "../plugins/define-search.ts";
export {
  defineNet,
  type HeadOutputs,
  type NetDescription,
  type NetInput,
  type OwnNet,
} from "../plugins/define-net.ts";
export { defineStage } from "../plugins/define-stage.ts";
export type { StageDescription, StageTools } from "../plugins/stage-description.ts";
export type {
  CollectionGame,
  FinishedGame,
  LearnedWeights,
  Ply,
  StageItemKind,
  StageItems,
} from "../plugins/stage-items.ts";
export type { Definition } from "../plugins/definition.ts";
export { choice, flag, integer, number, type Option, text } from "../plugins/options.ts";
export type { GameRules } from "../games/complete-game.ts";
export { CHANCE, OVER } from "../games/game.ts";
