import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import type { StagePace } from "../../events/event.ts";
import { listed } from "../../figures/number-text.ts";
import type { StageActivity } from "./stage-activity.ts";

/** What is known of a stage in addition to its activity. */
export interface PaceAbout {
  /** The stages at work that a stage waits for. */
  readonly busy: (stage: string) => readonly string[];
  /** Games under way now; undefined for a stage that has played none. */
  readonly games: (stage: string) => number | undefined;
}

/** The interval between two events of a stage. */
const PACE_MS = 1000;

/**
 * Emits the pace of every stage that works or waits each second, until the scope closes. When a stage comes to rest, what it
 * did since its last pace is emitted, once.
 */
export const emitPace = (
  activities: ReadonlyMap<string, StageActivity>,
  emit: (event: StagePace) => void,
  about: PaceAbout,
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.asVoid(
    Effect.acquireRelease(
      Effect.sync(() => {
        const active = new Set<string>();
        let last = performance.now();
        return setInterval(() => {
          const now = performance.now();
          const seconds = (now - last) / 1000;
          last = now;
          for (const [stage, activity] of activities) {
            const { state, waitsFor, ...done } = activity.read();
            const rests = state === "idle" || state === "ended";
            if (rests && !active.delete(stage)) continue;
            if (!rests) active.add(stage);
            const wait = state === "waits" ? { waitsFor: waitText(waitsFor, about.busy(stage)) } : {};
            const games = about.games(stage);
            const underWay = games === undefined ? {} : { games };
            emit({ type: "pace", stage, seconds, ...done, ...underWay, ...wait });
          }
        }, PACE_MS);
      }),
      (timer) => Effect.sync(() => clearInterval(timer)),
    ),
  );

/** What a stage waits for, and which stages are at work meanwhile: `version 10 of zero (curve is at work)`. */
function waitText(what: string, busy: readonly string[]): string {
  if (busy.length === 0) return what;
  return `${what} (${listed(busy)} ${busy.length === 1 ? "is" : "are"} at work)`;
}
