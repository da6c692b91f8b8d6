import * as Effect from "effect/Effect";
import { describe, expect, it } from "vitest";
import { countDecision, countEvaluations } from "../../../src/operators/run/shared-counts.ts";
import { StageActivity } from "../../../src/operators/run/stage-activity.ts";

describe("StageActivity", () => {
  it("tells what was counted since the last reading", () => {
    const activity = new StageActivity();
    countDecision(activity.counts);
    countEvaluations(activity.counts, 30);
    countEvaluations(activity.counts, 12);
    activity.stepped(8);
    expect(activity.read()).toMatchObject({ decisions: 1, evaluations: 42, steps: 8 });
    countDecision(activity.counts);
    expect(activity.read()).toMatchObject({ decisions: 1, evaluations: 0, steps: 0 });
  });

  it("counts on when a counter of 32 bits begins again", () => {
    const activity = new StageActivity();
    for (const positions of [2 ** 31 - 1, 2 ** 31 - 1]) countEvaluations(activity.counts, positions);
    expect(activity.read().evaluations).toBe(2 ** 32 - 2);
    countEvaluations(activity.counts, 5);
    expect(activity.read().evaluations).toBe(5);
  });

  it("works while something is under way, else waits for what it said, until it ends", async () => {
    const activity = new StageActivity();
    expect(activity.read()).toMatchObject({ state: "idle", waitsFor: "" });
    activity.waits("version 3 of zero");
    expect(activity.read()).toMatchObject({ state: "waits", waitsFor: "version 3 of zero" });
    const state = Effect.sync(() => activity.read().state);
    expect(
      await Effect.runPromise(activity.during(Effect.andThen(activity.during(Effect.void), state))),
    ).toBe("works");
    await Effect.runPromiseExit(activity.during(Effect.fail("no")));
    expect(activity.read().state).toBe("waits");
    activity.end();
    expect(activity.read()).toMatchObject({ state: "ended", waitsFor: "" });
  });
});
