import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fitted, spreadOut, textWidth } from "../../../src/figures/charts/frame.ts";

describe("spreadOut", () => {
  it("leaves places alone that are far enough apart", () => {
    expect(spreadOut([50, 10, 90], 16, [0, 100])).toEqual([50, 10, 90]);
  });

  it("keeps order, distance and bounds if there is room", () => {
    const place = fc.double({ min: 0, max: 200, noNaN: true });
    fc.assert(
      fc.property(fc.array(place, { minLength: 1, maxLength: 10 }), (places) => {
        const moved = spreadOut(places, 16, [0, 200]);
        const order = places.map((_, i) => i).sort((a, b) => moved[a]! - moved[b]!);
        for (let k = 1; k < order.length; k++) {
          expect(moved[order[k]!]! - moved[order[k - 1]!]!).toBeGreaterThan(16 - 1e-9);
          expect(places[order[k]!]!).toBeGreaterThanOrEqual(places[order[k - 1]!]!);
        }
        expect(Math.min(...moved)).toBeGreaterThanOrEqual(0);
        expect(Math.max(...moved)).toBeLessThanOrEqual(200);
      }),
    );
  });
});

describe("fitted", () => {
  it("cuts only what does not fit", () => {
    expect(fitted("greedy", 100)).toBe("greedy");
    const cut = fitted("a very long name of an agent", 100);
    expect(cut).toMatch(/^a very .*…$/);
    expect(textWidth(cut)).toBeLessThanOrEqual(100);
    expect(fitted("👩‍🔬👩‍🔬👩‍🔬👩‍🔬👩‍🔬", 60)).not.toContain("\ufffd");
  });
});
