import { describe, expect, it } from "vitest";
import { rateText, StagePaceText } from "../../src/cli/stage-pace.ts";
import type { StagePace } from "../../src/events/event.ts";

const pace = (decisions: number, evaluations: number, waitsFor?: string): StagePace => ({
  type: "pace",
  stage: "games",
  seconds: 1,
  decisions,
  evaluations,
  steps: 0,
  ...(waitsFor === undefined ? {} : { waitsFor }),
});

describe("StagePaceText", () => {
  it("tells moves and positions a second, over the last ten seconds", () => {
    const text = new StagePaceText();
    for (let second = 0; second < 5; second++) text.add(pace(900, 9_000_000));
    for (let second = 0; second < 10; second++) text.add(pace(second % 5 === 0 ? 1 : 0, 1690));
    expect(text.parts()).toEqual(["0.20 moves/s", "1,690 positions/s"]);
  });

  it("tells nothing that was not counted", () => {
    const text = new StagePaceText();
    expect(text.parts()).toEqual([]);
    text.add(pace(20, 0));
    expect(text.parts()).toEqual(["20 moves/s"]);
  });

  it("tells what is waited for, and no rates of the time before", () => {
    const text = new StagePaceText();
    text.add(pace(1, 100));
    text.add(pace(0, 0, "version 2 of zero"));
    expect(text.parts()).toEqual(["waits for version 2 of zero"]);
    text.add(pace(3, 0));
    expect(text.parts()).toEqual(["3.0 moves/s"]);
  });
});

describe("rateText", () => {
  it("has two digits below ten, else whole numbers", () => {
    expect([0.0123, 1, 9.94, 10.4, 12_345.6].map(rateText)).toEqual(["0.012", "1.0", "9.9", "10", "12,346"]);
  });
});
