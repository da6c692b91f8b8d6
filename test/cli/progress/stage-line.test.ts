import { describe, expect, it } from "vitest";
import { rateText, stageLine, wholeLine } from "../../../src/cli/progress/stage-line.ts";
import type { RecordedEvent, StagePace } from "../../../src/events/event.ts";
import { initialState, reduce } from "../../../src/events/run-state.ts";

const pace = (decisions: number, evaluations: number, waitsFor?: string): StagePace => ({
  type: "pace",
  stage: "games",
  seconds: 1,
  decisions,
  evaluations,
  steps: 0,
  ...(waitsFor === undefined ? {} : { waitsFor }),
});

/** The line of a stage after these paces, without its name. */
const paced = (...paces: readonly StagePace[]) => {
  const events = paces.map((event, second): RecordedEvent => ({ ...event, time: "", elapsed: second }));
  const { elapsed, stages } = events.reduce(reduce, initialState);
  return stageLine("games", stages["games"]!, elapsed).slice("games       ".length);
};

describe("the line of a stage", () => {
  it("shows moves and positions a second, over the last ten seconds", () => {
    const early = Array.from({ length: 5 }, () => pace(900, 9_000_000));
    const late = Array.from({ length: 10 }, (_, second) => pace(second % 5 === 0 ? 1 : 0, 1690));
    expect(paced(...early, ...late)).toBe("0.20 moves/s  1,690 positions/s");
  });

  it("shows nothing that was not counted", () => {
    expect(paced(pace(0, 0))).toBe("");
    expect(paced(pace(20, 0))).toBe("20 moves/s");
    expect(paced({ ...pace(0, 620), games: 4 })).toBe("4 under way  620 positions/s");
  });

  it("shows what is waited for, and no rates of the time before", () => {
    const waiting = [pace(1, 100), pace(0, 0, "version 2 of zero")];
    expect(paced(...waiting)).toBe("waits for version 2 of zero");
    expect(paced(...waiting, pace(3, 0))).toBe("3.0 moves/s");
  });
});

describe("the count of a stage", () => {
  const line = (done: number, total: number, seconds: number) => {
    const progress = { type: "progress", stage: "games", total, unit: "games", time: "" } as const;
    const events: RecordedEvent[] = [
      { ...progress, done: 0, elapsed: 0 },
      { ...progress, done, elapsed: seconds },
    ];
    return stageLine("games", events.reduce(reduce, initialState).stages["games"]!, seconds).slice(12);
  };

  it("comes with its speed, and no time left: that is of the whole run", () => {
    expect(line(50, 100, 10)).toBe("50/100 games  50%  5.0/s");
    expect(line(50, 100, 10_000)).toBe("50/100 games  50%  0.0050/s");
    expect(line(10, 79_000, 4266)).toBe("10/79,000 games  0%  0.0023/s");
  });

  it("has no speed of waiting and start-up in it as soon as there is another", () => {
    const progress = { type: "progress", stage: "games", total: 5000, unit: "games", time: "" } as const;
    const times: readonly (readonly [done: number, elapsed: number])[] = [
      [0, 0],
      [1, 8],
      [14, 8.5],
      [40, 10],
      [61, 12],
    ];
    const lines = times.map((_, i) => {
      const events = times
        .slice(0, i + 1)
        .map(([done, elapsed]): RecordedEvent => ({ ...progress, done, elapsed }));
      return stageLine("games", events.reduce(reduce, initialState).stages["games"]!, times[i]![1]).slice(12);
    });
    expect(lines).toEqual([
      "0/5,000 games  0%",
      "1/5,000 games  0%  0.13/s",
      "14/5,000 games  0%  1.6/s",
      "40/5,000 games  0%  20/s",
      "61/5,000 games  1%  15/s",
    ]);
  });

  it("has no share and no time if there is nothing to do", () => {
    expect(line(0, 0, 10)).toBe("0/0 games");
  });
});

describe("the line of the whole run", () => {
  const whole = { type: "run-progress", share: 0.439 } as const;

  it("has the share and the time left: minutes and seconds, hours, days", () => {
    expect(wholeLine(whole)).toBe("whole run   43%");
    const texts = [9.6, 250, 10_000, 390 * 86_400].map((secondsLeft) => wholeLine({ ...whole, secondsLeft }));
    expect(texts.map((text) => text.slice(17))).toEqual([
      "about 00:10 left",
      "about 04:10 left",
      "about 2:46:40 left",
      "about 390 days left",
    ]);
  });

  it("names the stage at work, and says if a test may end the run earlier", () => {
    const now = { stage: "gain", done: 3, total: 9, unit: "games" };
    expect(wholeLine({ ...whole, secondsLeft: 60, atMost: true, now })).toBe(
      "whole run   43%  at most 01:00 left  now gain",
    );
  });
});

describe("rateText", () => {
  it("has two digits below ten, else whole numbers", () => {
    expect([0.0123, 1, 9.94, 10.4, 12_345.6].map(rateText)).toEqual(["0.012", "1.0", "9.9", "10", "12,346"]);
  });
});
