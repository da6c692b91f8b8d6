import { describe, expect, it } from "vitest";
import { expectOwnReports, expectReadableExamples } from "../../fleet/check/played-games.ts";

describe.each(["matches, openings, statistics", "earlier selves"] as const)("reports of %s", (name) => {
  it("are taken where they are honest, and those of other games are not", () => expectOwnReports(name));

  it("have no examples that a learner could not read, whichever bit of them is turned", async () => {
    const { refusals } = await expectReadableExamples(name);
    // Most bits of these examples are of shares of visits, which nobody but the search knows.
    expect(refusals).toBeGreaterThan(100);
  });
});
