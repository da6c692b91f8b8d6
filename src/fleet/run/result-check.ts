import type { OpenExperiment } from "../../operators/experiment/open-experiment.ts";
import type { GameReport, GameTask } from "../../operators/play/game-task.ts";
import { Random } from "../../random.ts";
import { comparableReport } from "../wire/report-message.ts";

/** The share of the games of joiners that are played a second time. */
const CHECKED = 0.01;

/** Whether a game of a joiner is played a second time: a draw by the seed of the run and the name of the game. */
export function isDrawnForCheck({ experiment }: OpenExperiment, { name, stage }: GameTask): boolean {
  return isDrawn(experiment.seed, stage, name);
}

/** Whether the game of a stage with this name is played a second time, in a run with this seed. */
export function isDrawn(seed: number, stage: string, name: GameTask["name"]): boolean {
  return Random.named(seed, "fleet check", stage, ...name).float() < CHECKED;
}

/** Whether two reports of a game are equal in every bit that does not depend on the machine. */
export function equalReports(one: GameReport, other: GameReport): boolean {
  return Buffer.compare(comparableReport(one), comparableReport(other)) === 0;
}
