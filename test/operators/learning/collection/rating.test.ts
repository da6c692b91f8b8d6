import { expect, it } from "vitest";
import { ratingOf } from "../../../../src/operators/learning/collection/rating.ts";

it("orders ranks, and keeps ratings apart", () => {
  const ordered = ["30k", "2k", "1 kyu", "1d", "6段", "9 dan", "1p", "9p"];
  const values = ordered.map((text) => ratingOf(text)!);
  expect(values.map(({ scale }) => scale)).toEqual(ordered.map(() => "rank"));
  expect(values.map(({ value }) => value)).toEqual([-29, -1, 0, 1, 6, 9, 10, 18]);
  expect(ratingOf("2145?")).toEqual({ scale: "number", value: 2145 });
  expect(ratingOf("1d*")).toEqual(ratingOf("1d"));
  for (const text of ["", "?", "strong", "d", "1x", "0k", "99d", "1.5d"])
    expect(ratingOf(text), text).toBeUndefined();
});
