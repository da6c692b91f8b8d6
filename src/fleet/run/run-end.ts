import type { OpenExperiment } from "../../operators/experiment/open-experiment.ts";
import type { GameReport, GameTask } from "../../operators/play/game-task.ts";
import type { WeightsOf } from "../../operators/run/weights/weights-board.ts";
import type { Dismissals } from "./dismissals.ts";
import type { FleetGame } from "./fleet-games.ts";
import type { Roster } from "./roster.ts";
import type { SharedWeights } from "./shared-weights.ts";
import { bitsKey } from "../wire/hello.ts";
import type { FleetWeights } from "../wire/task-message.ts";

/** How a run uses its fleet. */
export interface FleetUse {
  /** Whether joiners may play whose processors compute other bits. */
  readonly mixed: boolean;
  /** Notes a sentence for the user. */
  readonly note: (level: "info" | "warning", message: string) => void;
  /** Takes what has happened to the results: a reason why they are no function of file and seed. */
  readonly taint: (reason: string) => void;
}

/** What a fleet asks of the machine of its run. */
export interface RunMachine {
  readonly opened: OpenExperiment;
  /** Games that its threads can have under way; 0 if only joiners play. */
  readonly places: number;
  readonly weightsOf: WeightsOf;
  /** Plays a game on its threads. */
  readonly play: (game: FleetGame) => void;
  /** Plays a game on its threads, to compare the result. */
  readonly playAgain: (task: GameTask) => Promise<GameReport>;
  /** Counts what a game of a joiner has taken. */
  readonly counts: (task: GameTask, report: GameReport) => void;
}

/** What the parts of a run's end of a fleet share. */
export interface RunEnd {
  readonly use: FleetUse;
  readonly machine: RunMachine;
  /** The hash by which joiners know the run: see `describedBy`. */
  readonly described: string;
  readonly roster: Roster;
  readonly weights: SharedWeights;
  readonly dismissals: Dismissals;
}

/** Why a joiner may not play with weights: it computes other bits. Undefined if it may. */
export async function refusalOfBits(
  { use, weights }: RunEnd,
  named: FleetWeights,
  bits: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  const own = await weights.bits(named);
  const theirs = bits[bitsKey(named)];
  if (theirs === own) return undefined;
  if (!use.mixed || typeof theirs !== "string")
    return `its processor computes other bits than that of the run (net "${named.net}"), so the results would not be those of one machine. Take a machine with a processor of the run's kind, or start the run with --mixed`;
  use.taint("games were also played by machines that compute other bits (--mixed)");
  return undefined;
}
