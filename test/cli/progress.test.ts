import { Writable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Progress } from "../../src/cli/progress.ts";

/** The plain lines of a stage of 20 games that is at `done` games so many milliseconds after it began to tell. */
function lines(...told: readonly (readonly [milliseconds: number, done: number])[]): string[] {
  let text = "";
  const out = new Writable({
    write(chunk, _encoding, next) {
      text += String(chunk);
      next();
    },
  });
  const progress = new Progress(out as NodeJS.WriteStream);
  let now = 0;
  for (const [at, done] of told) {
    vi.advanceTimersByTime(at - now);
    now = at;
    progress.listen({ type: "progress", stage: "games", done, total: 20, unit: "games" });
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
});
