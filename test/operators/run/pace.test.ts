import * as Effect from "effect/Effect";
import { afterEach, expect, it, vi } from "vitest";
import type { StagePace } from "../../../src/events/event.ts";
import { emitPace } from "../../../src/operators/run/pace.ts";
import { countDecision } from "../../../src/operators/run/shared-counts.ts";
import { StageActivity } from "../../../src/operators/run/stage-activity.ts";

afterEach(() => void vi.useRealTimers());

it("is emitted each second, once more when a stage comes to rest, and not after the scope", async () => {
  vi.useFakeTimers();
  const activity = new StageActivity();
  const emitted: StagePace[] = [];
  let busy: string[] = [];
  let games: number | undefined;
  const second = Effect.sync(() => vi.advanceTimersByTime(1000));
  const course = Effect.gen(function* () {
    yield* emitPace(new Map([["games", activity]]), (pace) => void emitted.push(pace), {
      busy: () => busy,
      games: () => games,
    });
    yield* second;
    activity.waits("version 2 of zero");
    yield* second;
    busy = ["curve"];
    games = 3;
    yield* second;
    yield* activity.during(second);
    countDecision(activity.counts);
    activity.end();
    yield* second;
    yield* second;
  });
  await Effect.runPromise(Effect.scoped(course));
  vi.advanceTimersByTime(5000);
  const pace = { type: "pace", stage: "games", seconds: 1, decisions: 0, evaluations: 0, steps: 0 };
  expect(emitted).toEqual([
    { ...pace, waitsFor: "version 2 of zero" },
    { ...pace, waitsFor: "version 2 of zero (curve is at work)", games: 3 },
    { ...pace, games: 3 },
    { ...pace, decisions: 1, games: 3 },
  ]);
});
