import { expect, it } from "vitest";
import type { AgentEffort, LimitedEffort } from "../../src/events/event.ts";
import {
  limitText,
  millisecondsADecision,
  millisecondsByPart,
  shortageText,
} from "../../src/events/match-effort.ts";

const effort = (...limited: LimitedEffort[]): AgentEffort => ({
  agent: "a",
  decisions: [10, 5, 30],
  evaluations: [0, 0, 0],
  seconds: [1, NaN, 1],
  ...(limited.length === 0 ? {} : { limited }),
});

it("milliseconds a decision are those of games with known times", () => {
  expect(millisecondsADecision(effort())).toBe(50);
});

it("milliseconds a decision have the parts of the search and of evaluators", () => {
  expect(millisecondsByPart(effort())).toEqual({ search: 50, evaluators: 0 });
  // Nothing is known of the second game, and no part of the third one.
  const parts = millisecondsByPart({ ...effort(), evaluatorSeconds: [0.25, NaN, NaN] });
  expect(parts).toEqual({ search: 75, evaluators: 25 });
});

it("time limits are named with their clocks", () => {
  expect(limitText(effort())).toBe(undefined);
  expect(limitText(effort({ clock: "processor", decisions: 4, allowed: 0.08 }))).toBe("20 ms processor");
  expect(
    limitText(
      effort(
        { clock: "processor", decisions: 4, allowed: 0.08 },
        { clock: "wall", decisions: 3, allowed: 0.1 },
      ),
    ),
  ).toBe("20 ms processor, 33.3 ms wall");
});

it.each([
  [0.0721, undefined],
  [undefined, undefined],
  [0.0719, "a got 18 ms of processor time of the 20 ms of wall time that ended its searches (90%)"],
  [0.014, "a got 3.5 ms of processor time of the 20 ms of wall time that ended its searches (18%)"],
])("a search that got less than 90%% of its time is named: %s of .08 s", (seconds, text) => {
  const got = seconds === undefined ? {} : { seconds };
  expect(shortageText(effort({ clock: "wall", decisions: 4, allowed: 0.08, ...got }))).toBe(text);
});
