import { arena } from "./arena.ts";
import { batchEvaluator } from "./play/evaluation/batch-evaluator.ts";
import { checkpoint } from "./checkpoint.ts";
import type { AnyOperator } from "./operator.ts";
import { policyAccuracy } from "./policy-accuracy.ts";
import { policyGradient } from "./policy-gradient.ts";
import { policyStatistics } from "./policy-statistics.ts";
import { reinforcement } from "./reinforcement.ts";
import { replayBuffer } from "./replay-buffer.ts";
import { selfPlay } from "./self-play.ts";
import type { AnyService } from "./play/service.ts";
import { sgf } from "./sgf.ts";
import { supervised } from "./supervised.ts";
import { tdLearner } from "./td-learner.ts";
import { testSuite } from "./test-suite.ts";
import { trainer } from "./trainer.ts";
import { uctOpenings } from "./uct-openings.ts";
import { valueError } from "./value-error.ts";
import { valueGames } from "./value-games.ts";

const all = [
  selfPlay,
  replayBuffer,
  trainer,
  tdLearner,
  policyGradient,
  supervised,
  reinforcement,
  valueGames,
  uctOpenings,
  sgf,
  checkpoint,
  arena,
  testSuite,
  policyStatistics,
  valueError,
  policyAccuracy,
] as AnyOperator[];

/** The stages that a graph can have, in the order of the catalogue: those of this project, then those of plug-ins. */
export const operators: readonly AnyOperator[] = all;

/** Adds a stage of a plug-in to those of this thread. No other stage or service may have its name. */
export function addOperator(operator: AnyOperator): void {
  all.push(operator);
}

/** What stages send requests to instead of reading a stream. */
export const services: readonly AnyService[] = [batchEvaluator] as readonly AnyService[];

/** The operator that a stage uses; undefined if `use` names none, as for a service, and for a stage that a file leaves empty. */
export function operatorOf(stage: { readonly use: string } | null): AnyOperator | undefined {
  return operators.find((operator) => operator.use === stage?.use);
}
