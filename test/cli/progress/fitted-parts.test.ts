import fc from "fast-check";
import { expect, it } from "vitest";
import { fittedParts } from "../../../src/cli/progress/fitted-parts.ts";
import { columnsOf } from "../../../src/cli/text-columns.ts";

const parts = ["games     ", "12/20 games", "60%", "1.0/s", "ETA 00:08", "score 1,234,567"];

it("leaves out whole parts, never the end of a number", () => {
  const at = (width: number) => fittedParts(parts, width);
  expect(at(80)).toBe("games       12/20 games  60%  1.0/s  ETA 00:08  score 1,234,567");
  expect(at(62)).toBe("games       12/20 games  60%  1.0/s  ETA 00:08");
  expect(at(19)).toBe("games  12/20 games");
  // If the count is too long, shorter parts still fit.
  expect(fittedParts(["self-play ", "1,200/30,000 games", "4%", "102/s", "ETA 00:08"], 19)).toBe(
    "self-play  4%",
  );
  expect(fittedParts(["a-stage-with-a-long-name", "4%"], 19)).toBe("a-stage-with-a-long");
});

it("is never wider than it may be, and its parts are whole, whatever they are", () => {
  const word = fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom("a", "1", ",", "囲", "é") });
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 40 }),
      (some, width) => {
        const line = fittedParts(some, width, "|");
        expect(columnsOf(line)).toBeLessThanOrEqual(width);
        const [name, ...shown] = line.split("|");
        expect(some[0]!.startsWith(name!)).toBe(true);
        for (const part of shown) expect(some.slice(1)).toContain(part);
      },
    ),
  );
});
