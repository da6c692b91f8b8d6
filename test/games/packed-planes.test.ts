import { describe, expect, it } from "vitest";
import type { Planes } from "../../src/games/game.ts";
import { PlanePacker } from "../../src/games/packed-planes.ts";

/** Planes over 3 x 3 cells that show the numbers they are given. */
const shown = (channels: number, encoding?: Planes<number[]>["encoding"]): Planes<number[]> => ({
  shape: [3, 3, channels],
  write: (numbers, out, offset) => out.set(numbers, offset),
  ...(encoding === undefined ? {} : { encoding }),
});

describe("packed planes", () => {
  it("packs each group in its own way", () => {
    const packer = new PlanePacker(
      shown(4, [
        { as: "bytes", channels: 1, divisor: 5 },
        { as: "uniform", channels: 1 },
        { as: "bits", channels: 1 },
        { as: "floats", channels: 1 },
      ]),
    );
    expect([packer.bytes, packer.floats]).toEqual([9 + 2, 1 + 9]);
    const planes = Array.from({ length: 9 }, (_, cell) => [
      Math.fround(cell / 5),
      0.25,
      cell === 1 || cell === 8 ? 1 : 0,
      cell + 0.5,
    ]);
    const rows = { bytes: new Uint8Array(11), floats: new Float32Array(10) };
    packer.write(planes.flat(), rows, 0);
    expect([...rows.bytes]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 0b10, 0b1]);
    expect([...rows.floats]).toEqual([0.25, 0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5]);
    const three = { bytes: new Uint8Array(33).fill(0xa5), floats: new Float32Array(30).fill(-7) };
    packer.write(planes.flat(), three, 1);
    expect(three.bytes).toEqual(Uint8Array.from({ length: 33 }, (_, i) => rows.bytes[i - 11] ?? 0xa5));
    expect(three.floats).toEqual(Float32Array.from({ length: 30 }, (_, i) => rows.floats[i - 10] ?? -7));
  });

  it("packs planes without an encoding as floats, channel after channel", () => {
    const packer = new PlanePacker(shown(2));
    const rows = { bytes: new Uint8Array(0), floats: new Float32Array(18) };
    packer.write(
      Array.from({ length: 18 }, (_, i) => i),
      rows,
      0,
    );
    expect([...rows.floats]).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16, 1, 3, 5, 7, 9, 11, 13, 15, 17]);
  });

  it("refuses an encoding of another number of channels", () => {
    expect(() => new PlanePacker(shown(3, [{ as: "bits", channels: 2 }]))).toThrow(
      "the encoding of the planes describes 2 of 3 channels",
    );
  });
});
