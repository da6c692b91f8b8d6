import { arena } from "./arena.ts";
import { batchEvaluator } from "./batch-evaluator.ts";
import { checkpoint } from "./checkpoint.ts";
import type { AnyOperator } from "./operator.ts";
import { policyGradient } from "./policy-gradient.ts";
import { policyStatistics } from "./policy-statistics.ts";
import { replayBuffer } from "./replay-buffer.ts";
import { selfPlay } from "./self-play.ts";
import { tdLearner } from "./td-learner.ts";
import { trainer } from "./trainer.ts";
import { uctOpenings } from "./uct-openings.ts";

/** The stages that a graph can have, in the order of the catalogue. */
export const operators: readonly AnyOperator[] = [
  selfPlay,
  replayBuffer,
  trainer,
  tdLearner,
  policyGradient,
  uctOpenings,
  checkpoint,
  arena,
  policyStatistics,
] as readonly AnyOperator[];

/** What stages ask instead of reading a stream. */
export const services: readonly AnyOperator[] = [batchEvaluator] as readonly AnyOperator[];
