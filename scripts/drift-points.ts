import type { RecordedEvent } from "../src/events/event.ts";

/** A learner that plays by a search, after some of its games. */
export interface DriftPoint {
  readonly games: number;
  /** Processor time of the run so far, in minutes of one core. */
  readonly coreMinutes: number;
  /** Mean score of the last games, as many as the monitor's window. */
  readonly meanScore: number;
  /** The best score of all games so far. */
  readonly bestGame: number;
  /** Mean value of the start in those last games, as the search finds it. */
  readonly startValue: number;
}

/**
 * The points of a learning curve of a TD learner whose games a search plays, one for each report of its monitor. Processor time is
 * measured at intervals of seconds; between two measurements it is that of the earlier one.
 */
export function driftPoints(events: readonly RecordedEvent[], stage: string): DriftPoint[] {
  const points: DriftPoint[] = [];
  let [seconds, bestGame] = [0, -Infinity];
  for (const event of events)
    if (event.type === "machine-flow") seconds += event.processor;
    else if (event.type === "games" && event.stage === stage) bestGame = Math.max(bestGame, event.max);
    else if (event.type === "value-drift" && event.stage === stage)
      points.push({
        games: event.learned,
        coreMinutes: seconds / 60,
        meanScore: event.meanReturn,
        bestGame,
        startValue: event.startValue,
      });
  return points;
}
