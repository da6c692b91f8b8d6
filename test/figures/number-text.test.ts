import { describe, expect, it } from "vitest";
import {
  decimalsFor,
  duration,
  estimateText,
  fixed,
  percent,
  readable,
} from "../../src/figures/number-text.ts";

describe("numbers as text", () => {
  it.each([
    [48008, "48,008"],
    [-1234.5, "−1,235"],
    [3.14159, "3.142"],
    [0.00123456, "0.001235"],
    [1.234e-7, "1.234e−7"],
    [0, "0"],
    [NaN, "–"],
    [Infinity, "∞"],
    [-Infinity, "−∞"],
  ])("%d reads %s", (value, text) => expect(readable(value)).toBe(text));

  it("shows two digits of an interval's half width", () => {
    const text = (value: number, half: number) =>
      estimateText({ value, interval: [value - half, value + half] });
    expect(text(48008.4, 1108)).toBe("48,008 (95% interval 46,900 to 49,116)");
    expect(text(0.5231, 0.0562)).toBe("0.523 (95% interval 0.467 to 0.579)");
    expect(text(12, 0)).toBe("12 (95% interval 12 to 12)");
    expect(text(7, Infinity)).toBe("7 (no interval)");
    expect(text(7, NaN)).toBe("7 (no interval)");
  });

  it.each([
    [0.44, "0.4 s"],
    [59.6, "1 min 0 s"],
    [3599.6, "1 h 0 min"],
    [725, "12 min 5 s"],
    [100 * 3600 + 61, "100 h 1 min"],
  ])("%d seconds read %s", (seconds, text) => expect(duration(seconds)).toBe(text));

  it("has no more decimals for an interval whose width is a rounding error", () => {
    const value = 0.1 + 0.2 + 0.3;
    expect(decimalsFor({ value, interval: [0.6, value] })).toBe(3);
    expect(decimalsFor({ value: 1e6, interval: [1e6 - 1e-2, 1e6 + 1e-2] })).toBe(3);
    expect(decimalsFor({ value: 0.5, interval: [0.499, 0.501] })).toBe(4);
  });

  it("keeps decimals and shares", () => {
    expect(fixed(1, 2)).toBe("1.00");
    expect(percent(0.1234)).toBe("12.3%");
  });
});
