import { describe, expect, it } from "vitest";
import { DIAGNOSES } from "../../src/diagnosis/diagnosis.ts";
import { diagnosisText, explainedAt } from "../../src/messages/diagnosis-text.ts";
import { anchorsOf } from "../docs/pages.ts";

describe("the names of diagnoses", () => {
  it("are each explained on the page that they name", () => {
    for (const name of DIAGNOSES) {
      const [page, anchor] = explainedAt(name).split("#");
      expect(anchorsOf(page!)).toContain(anchor);
    }
    expect(diagnosisText({ name: "stale-buffer", says: "It is old", cure: "Make it new" })).toBe(
      "stale-buffer: It is old. Make it new (docs/it-does-not-learn.md#stale-buffer)",
    );
  });
});
