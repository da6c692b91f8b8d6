import { describe, expect, it } from "vitest";
import { type Palette, palettes } from "../../src/figures/palette.ts";

type Triple = readonly [number, number, number];
type Matrix = readonly [Triple, Triple, Triple];

/** Simulation of dichromats on linear sRGB (Machado, Oliveira and Fernandes 2009, table 1, severity 1). */
const visions: Readonly<Record<string, Matrix>> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

function times(matrix: Matrix, [a, b, c]: Triple): Triple {
  return matrix.map((row) => row[0] * a + row[1] * b + row[2] * c) as unknown as Triple;
}

function linear(hex: string): Triple {
  return [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as unknown as Triple;
}

/** CIE L*a*b* with the white of D65. */
function lab(rgb: Triple): Triple {
  const xyz = times(
    [
      [0.4124564, 0.3575761, 0.1804375],
      [0.2126729, 0.7151522, 0.072175],
      [0.0193339, 0.119192, 0.9503041],
    ],
    rgb.map((value) => Math.min(1, Math.max(0, value))) as unknown as Triple,
  );
  const [x, y, z] = xyz.map((value, i) => {
    const t = value / [0.95047, 1, 1.08883][i]!;
    return t > (6 / 29) ** 3 ? Math.cbrt(t) : t / (3 * (6 / 29) ** 2) + 4 / 29;
  }) as [number, number, number];
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** The least distance of two of these colours (CIE76 ΔE) as someone with this vision sees them. */
function leastDistance(colours: readonly string[], vision: Matrix): number {
  const seen = colours.map((colour) => lab(times(vision, linear(colour))));
  let least = Infinity;
  for (const [i, a] of seen.entries())
    for (const b of seen.slice(i + 1)) least = Math.min(least, Math.hypot(...a.map((x, k) => x - b[k]!)));
  return least;
}

/** Contrast of two colours (WCAG 2.2). */
function contrast(a: string, b: string): number {
  const luminance = (hex: string) => {
    const [red, green, blue] = linear(hex);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

describe.each(Object.entries<Palette>(palettes))("the colours of the %s theme", (_, palette) => {
  it.each(Object.entries(visions))("are distinguishable with %s vision", (_name, vision) => {
    expect(leastDistance(palette.series, vision)).toBeGreaterThan(22);
  });

  it("stand out from the paper", () => {
    for (const colour of palette.series) expect(contrast(colour, palette.paper)).toBeGreaterThanOrEqual(3);
    for (const { edge } of palette.seats) expect(contrast(edge, palette.paper)).toBeGreaterThanOrEqual(4.5);
  });
});

it("is a measure that finds colours which are not distinguishable", () => {
  // The first and the fourth colour of Okabe and Ito's order, as charts had them once.
  const former = ["#0072b2", "#d55e00", "#00825f", "#b0558c", "#a87400", "#3a8fc4", "#565c63"];
  expect(leastDistance(former, visions["protanopia"]!)).toBeLessThan(10);
});
