import * as Effect from "effect/Effect";
import { checkReport } from "../../../src/fleet/check/report-check.ts";
import { isShareable } from "../../../src/fleet/wire/task-message.ts";
import type { HostOfRun } from "../../../src/graph/run-experiment.ts";
import { openLocalThreads } from "../../../src/operators/play/local-threads.ts";
import type { GameReport, GameTask } from "../../../src/operators/play/game-task.ts";
import type { OpenExperiment } from "../../../src/operators/experiment/open-experiment.ts";

/** A game that a thread has played, and that a joiner could have played. */
export interface PlayedTask {
  readonly opened: OpenExperiment;
  readonly task: GameTask;
  readonly report: GameReport;
}

/** Threads of this machine whose reports are checked as those of joiners are; `onPlayed` gets each. */
export const checkedHost =
  (onPlayed: (played: PlayedTask) => void = () => undefined): HostOfRun =>
  () =>
  (opened, env) =>
    Effect.map(openLocalThreads(opened, env), (host) => ({
      ...host,
      play: (task, retries) =>
        Effect.map(host.play(task, retries), (report) => {
          if (isShareable(opened, task)) {
            checkReport(opened, task, report);
            onPlayed({ opened, task, report });
          }
          return report;
        }),
    }));
