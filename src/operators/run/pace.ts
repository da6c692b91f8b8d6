import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import type { StagePace } from "../../events/event.ts";
import { listed } from "../../figures/number-text.ts";
import type { StageActivity } from "./stage-activity.ts";

/** The interval between two events of a stage. */
const PACE_MS = 1000;

/**
 * Emits the pace of every stage that works or waits each second, until the scope closes. When a stage comes to rest, what it
 * did since its last pace is emitted, once. `busy` names the stages at work that a stage waits for.
 */
export const tellPace = (
  activities: ReadonlyMap<string, StageActivity>,
  emit: (event: StagePace) => void,
  busy: (stage: string) => readonly string[] = () => [],
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.asVoid(
    Effect.acquireRelease(
      Effect.sync(() => {
        const active = new Set<string>();
        let told = performance.now();
        return setInterval(() => {
          const now = performance.now();
          const seconds = (now - told) / 1000;
          told = now;
          for (const [stage, activity] of activities) {
            const { state, waitsFor, ...done } = activity.read();
            const rests = state === "idle" || state === "ended";
            if (rests && !active.delete(stage)) continue;
            if (!rests) active.add(stage);
            const wait = state === "waits" ? { waitsFor: waitText(waitsFor, busy(stage)) } : {};
            emit({ type: "pace", stage, seconds, ...done, ...wait });
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
