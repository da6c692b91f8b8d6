import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import type { StagePace } from "../../events/event.ts";
import type { StageActivity } from "./stage-activity.ts";

/** The interval between two events of a stage. */
const PACE_MS = 1000;

/** The event about what a stage did in an interval; undefined for a stage that neither works nor waits for anything. */
function paceOf(stage: string, activity: StageActivity, seconds: number): StagePace | undefined {
  const { state, waitsFor, ...done } = activity.read();
  if (state === "idle" || state === "ended") return undefined;
  return { type: "pace", stage, seconds, ...done, ...(state === "waits" ? { waitsFor } : {}) };
}

/** Emits the pace of every stage each second, until the scope closes. */
export const tellPace = (
  activities: ReadonlyMap<string, StageActivity>,
  emit: (event: StagePace) => void,
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.asVoid(
    Effect.acquireRelease(
      Effect.sync(() => {
        let told = performance.now();
        return setInterval(() => {
          const now = performance.now();
          for (const [stage, activity] of activities) {
            const pace = paceOf(stage, activity, (now - told) / 1000);
            if (pace !== undefined) emit(pace);
          }
          told = now;
        }, PACE_MS);
      }),
      (timer) => Effect.sync(() => clearInterval(timer)),
    ),
  );
