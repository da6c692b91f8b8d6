import { describe, expect, it } from "vitest";
import { sameValue } from "../src/same-value.ts";

describe("sameValue", () => {
  it("compares plain data whatever the order of keys", () => {
    expect(sameValue({ a: 1, b: [1, { c: 2, d: undefined }] }, { b: [1, { c: 2 }], a: 1 })).toBe(true);
    expect(sameValue({ a: [1, 2] }, { a: [2, 1] })).toBe(false);
    expect(sameValue({ a: "1" }, { a: 1 })).toBe(false);
    expect(sameValue({}, [])).toBe(false);
    expect(sameValue(null, undefined)).toBe(true);
  });
});
