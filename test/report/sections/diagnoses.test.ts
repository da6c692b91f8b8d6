import { describe, expect, it } from "vitest";
import { markup } from "../../../src/figures/markup.ts";
import { diagnosesSection } from "../../../src/report/sections/diagnoses.ts";
import { timed } from "../example-run.ts";

const diagnosis = {
  type: "diagnosis",
  stage: "games",
  name: "repeated-games",
  says: "the 40 games of a generation are only 2 different games",
  cure: "Give the learner a <temperature>",
  learned: 40,
  unit: "games",
} as const;
const event = timed(9, diagnosis);
const section = (events: (typeof event)[]) =>
  diagnosesSection({ name: "run", folder: ".", manifest: {}, events });

describe("the section on diagnoses", () => {
  it("is left out if nothing was found", () => {
    expect(section([])).toBeUndefined();
  });

  it("says what is seen, what to change, and where that is explained", () => {
    const text = String(markup`${section([event])!.body}`);
    expect(text).toContain("only 2 different games. Give the learner a &lt;temperature&gt;.");
    expect(text).toContain("docs/it-does-not-learn.md#repeated-games");
  });

  it("has a row for each", () => {
    expect(section([event])!.tables[0]!.rows).toEqual([
      ["games", "repeated-games", 40, "games", diagnosis.says, diagnosis.cure],
    ]);
  });
});
