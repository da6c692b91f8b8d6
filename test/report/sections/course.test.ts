import { describe, expect, it } from "vitest";
import type { RunEvent } from "../../../src/events/event.ts";
import { markup } from "../../../src/figures/markup.ts";
import { courseSection } from "../../../src/report/sections/course.ts";
import { Random } from "../../../src/random.ts";
import { agentResult, timed } from "../example-run.ts";

const match: RunEvent = {
  type: "match",
  stage: "duel",
  learned: 0,
  unit: "games",
  agents: [agentResult("greedy", 10, 500, Random.named(1, "course"))],
};
const section = (...events: RunEvent[]) =>
  courseSection({
    name: "course",
    folder: ".",
    manifest: {},
    events: events.map((event, i) => timed(10 * (i + 1), event)),
  });

describe("the section on a run's course", () => {
  it("is left out if there is nothing to show: before anything happened, and of matches alone", () => {
    expect(section()).toBeUndefined();
    expect(section(match)).toBeUndefined();
  });

  it("draws the stages at work, and says what the run had to say", () => {
    const learning: RunEvent = { type: "training", stage: "learn", step: 5, loss: 1, parts: {}, rate: 0.1 };
    const warning: RunEvent = {
      type: "note",
      level: "warning",
      stage: "duel",
      message: "a player fell asleep",
    };
    const text = String(markup`${section(learning, match, warning)!.body}`);
    expect(text).toContain('id="time-line"');
    expect(text).toContain("a player fell asleep");
    expect(String(markup`${section(match, warning)!.body}`)).not.toContain('id="time-line"');
  });
});
