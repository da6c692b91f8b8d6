import { expect, it } from "vitest";
import { Dismissals } from "../../../src/fleet/run/dismissals.ts";

it("reports once that a joiner is dismissed, and keeps the first reason", () => {
  const dismissed: string[] = [];
  const dismissals = new Dismissals((joiner, why) => dismissed.push(`${joiner}: ${why}`));
  expect(dismissals.why("a")).toBeUndefined();
  expect(dismissals.dismiss("a", "it lies")).toBe("it lies");
  expect(dismissals.dismiss("a", "again")).toBe("it lies");
  expect([dismissals.why("a"), dismissed]).toEqual(["it lies", ["a: it lies"]]);
});

it("bears two results that are refused, and dismisses at the third", () => {
  const dismissals = new Dismissals(() => undefined);
  expect(dismissals.countBad("a", "cut off")).toBeUndefined();
  expect(dismissals.countBad("a", "cut off")).toBeUndefined();
  expect(dismissals.countBad("b", "cut off")).toBeUndefined();
  expect(dismissals.countBad("a", "no result")).toBe(
    "3 of its results were refused, the last one because no result",
  );
  expect(dismissals.why("b")).toBeUndefined();
});
