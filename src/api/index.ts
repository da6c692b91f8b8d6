/**
 * The package `ludoflow`, as programs and plug-ins import it. Importing it starts nothing and loads no engine: functions load
 * what they need when they are called.
 */
export { CHANCE, type Game, OVER } from "../games/game.ts";
export type { GameRules } from "../games/complete-game.ts";
export { defineGame, type GameDescription } from "../games/define-game.ts";
export {
  defineNet,
  type HeadOutputs,
  type NetDescription,
  type NetInput,
  type OwnNet,
} from "../plugins/define-net.ts";
export {
  type Chosen,
  defineSearch,
  type Evaluations,
  type OwnSearch,
  type SearchDescription,
  type SearchTools,
} from "../plugins/define-search.ts";
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
export type { Definition } from "../definitions/definition.ts";
export { choice, flag, integer, number, type Option, text } from "../definitions/options.ts";
export { Random } from "../random.ts";
export type { PlayedPly, PlayResult, SeatPlayer } from "../protocols/play-game.ts";
export {
  type Agent,
  agent,
  type PlayerNet,
  type AgentOptions,
  type AgentThought,
  type OwnAgentOptions,
  type ThinkOptions,
} from "./agents.ts";
export { type NetEvaluations, openCheckpoint, type OpenCheckpoint } from "./checkpoints.ts";
export { type ErrorCode, type ExperimentProblem, LudoflowError } from "./errors.ts";
export type * from "./experiment.ts";
export { loadOwnPlugins as loadPlugins, openGameOf as openGame } from "./games.ts";
export type { LearningExample } from "../graph/example-learner.ts";
export { type Learner, learner, type NetLearnerOptions } from "./learner.ts";
export { human, type MoveQuestion, play, type Player, type PlayOptions } from "./play.ts";
export {
  check,
  defineExperiment,
  type EventOptions,
  type ExperimentCheck,
  type ExperimentSource,
  type FollowedEvent,
  resume,
  type ResumeOptions,
  run,
  type RunOptions,
  type RunResult,
  type StartedRun,
} from "./run.ts";
export type { SavedCheckpoint } from "./saved-checkpoints.ts";
export { type Estimate, proportionEstimate } from "../stats/intervals.ts";
