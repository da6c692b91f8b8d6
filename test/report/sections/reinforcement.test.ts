import { describe, expect, it } from "vitest";
import { markup } from "../../../src/figures/markup.ts";
import { reinforcementSection } from "../../../src/report/sections/reinforcement.ts";
import { timed } from "../example-run.ts";

const step = (number: number, opponent: number, score: number) =>
  timed(number, {
    type: "pool-games",
    stage: "reinforced",
    step: number,
    opponent,
    games: 128,
    score,
    plies: 60 + number,
    entropy: 2 / number,
  });
const section = (events: ReturnType<typeof step>[]) =>
  reinforcementSection({ name: "pool", folder: ".", manifest: {}, events });

describe("the section on reinforcement", () => {
  it("is left out if no policy played against a pool", () => {
    expect(section([])).toBeUndefined();
  });

  it("draws score, entropy and length against the steps, and tables them as recorded", () => {
    const found = section([step(1, 0, 0.5), step(2, 0, 0.625)])!;
    const text = String(markup`${found.body}`);
    expect(text).toContain("reinforced: 2 steps, 256 games against 1 version of the pool.");
    for (const title of ["Score against the pool", "Entropy of the policy", "Length of the games"])
      expect(text).toContain(`${title}: reinforced`);
    expect(text).not.toContain("NaN");
    expect(found.tables[0]!.rows).toEqual([
      ["reinforced", 1, 0, 128, 0.5, 61, 2],
      ["reinforced", 2, 0, 128, 0.625, 62, 1],
    ]);
  });
});
