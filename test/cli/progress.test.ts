import { Writable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Progress } from "../../src/cli/progress.ts";
import type { RunEvent } from "../../src/events/event.ts";

/** The plain lines of a stage of 20 games that is at `done` games so many milliseconds after it began to tell. */
function lines(...told: readonly (readonly [milliseconds: number, done: number])[]): string[] {
  return linesOf(...told.map(([at, done]): [number, RunEvent] => [at, progressAt(done)]));
}

const progressAt = (done: number): RunEvent => ({
  type: "progress",
  stage: "games",
  done,
  total: 20,
  unit: "games",
});

/** The plain lines about these events. */
function linesOf(...events: readonly (readonly [milliseconds: number, event: RunEvent])[]): string[] {
  let text = "";
  const out = new Writable({
    write(chunk, _encoding, next) {
      text += String(chunk);
      next();
    },
  });
  const progress = new Progress(out as NodeJS.WriteStream);
  let now = 0;
  for (const [at, event] of events) {
    vi.advanceTimersByTime(at - now);
    now = at;
    progress.listen(event);
  }
  progress.end();
  return text.split("\n").slice(0, -1);
}

describe("Progress", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["performance"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("tells a stage's games, their rate and the time left", () => {
    expect(lines([0, 2], [10_000, 12])).toEqual(["games       12/20 games  60%  1.0/s  ETA 00:08"]);
  });

  it("writes a line every five seconds at most, and the last", () => {
    expect(lines([0, 1], [4000, 2], [5000, 6], [6000, 8], [10_000, 20])).toEqual([
      "games       6/20 games  30%  1.0/s  ETA 00:14",
      "games       20/20 games  100%  1.9/s",
    ]);
  });

  it("tells no rate of games that come all at once", () => {
    expect(lines([0, 1], [2, 20])).toEqual(["games       20/20 games  100%"]);
  });

  const pace = (waitsFor?: string): RunEvent => ({
    type: "pace",
    stage: "games",
    seconds: 1,
    decisions: waitsFor === undefined ? 2 : 0,
    evaluations: waitsFor === undefined ? 1600 : 0,
    steps: 0,
    ...(waitsFor === undefined ? {} : { waitsFor }),
  });
  const seconds = (count: number) => Array.from({ length: count }, (_, i) => 1000 * (i + 1));

  it("is heard within ten seconds of a stage whose first game lasts", () => {
    expect(linesOf([0, progressAt(0)], ...seconds(20).map((at) => [at, pace()] as const))).toEqual([
      "games       0/20 games  0%  2.0 moves/s  1,600 positions/s",
      "games       0/20 games  0%  2.0 moves/s  1,600 positions/s",
    ]);
  });

  it("is heard less often in a long run, at least each minute", () => {
    const hour = linesOf([0, progressAt(0)], ...seconds(3600).map((at) => [at, pace()] as const));
    expect(hour.length).toBeGreaterThan(60);
    expect(hour.length).toBeLessThan(90);
  });

  it("tells once what a stage waits for, and again every two minutes", () => {
    const waiting = seconds(120).map((at) => [at, pace("version 3 of zero")] as const);
    expect(linesOf(...waiting)).toEqual(["games       waits for version 3 of zero"]);
  });
});
