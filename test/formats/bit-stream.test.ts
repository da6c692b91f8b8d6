import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bestGolombOrder, BitReader, BitWriter, golombLength } from "../../src/formats/bit-stream.ts";

const inBits = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");

describe("bit streams", () => {
  it("write the codes of the definition", () => {
    // Order 0: 1, 010, 011, 00100; order 2 of 5: q = 2 (010), low digits 01.
    const out = new BitWriter();
    for (const value of [0, 1, 2, 3]) out.golomb(value, 0);
    out.golomb(5, 2);
    expect(inBits(out.bytes())).toBe("1010011001000100".padEnd(16, "0") + "10000000".slice(0, 8));
  });

  it("read what was written, in as many bits as were promised", () => {
    const value = fc.oneof(fc.nat({ max: 40 }), fc.nat({ max: 2 ** 30 - 1 }));
    fc.assert(
      fc.property(fc.array(fc.tuple(value, fc.nat({ max: 15 })), { maxLength: 300 }), (coded) => {
        const out = new BitWriter();
        for (const [number, order] of coded) out.golomb(number, order);
        const bytes = out.bytes();
        const bits = coded.reduce((sum, [number, order]) => sum + golombLength(number, order), 0);
        expect(bytes.length).toBe(Math.ceil(bits / 8));
        const from = new BitReader(bytes);
        expect(coded.map(([, order]) => from.golomb(order))).toEqual(coded.map(([number]) => number));
      }),
    );
  });

  it("choose the order that takes the fewest bits", () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 70_000 }), { minLength: 1, maxLength: 30 }), (values) => {
        const bits = Array.from({ length: 16 }, (_, order) =>
          values.reduce((sum, value) => sum + golombLength(value, order), 0),
        );
        expect(bestGolombOrder(values)).toBe(bits.indexOf(Math.min(...bits)));
      }),
    );
    expect(bestGolombOrder([0, 0, 1])).toBe(0);
    expect(bestGolombOrder([])).toBe(0);
  });

  it("refuse what is no such integer", () => {
    for (const value of [-1, 0.5, 2 ** 30, Number.NaN])
      expect(() => new BitWriter().golomb(value, 0)).toThrow(RangeError);
  });
});
