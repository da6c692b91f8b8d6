import { describe, expect, it } from "vitest";
import { FileCorrupt } from "../../src/formats/files/file-corrupt.ts";
import {
  decodeGameAnalysis,
  encodeGameAnalysis,
  type GameAnalysis,
} from "../../src/formats/game-analyses.ts";

/** Numbers are those that float32 holds exactly. */
const analysis: GameAnalysis = {
  game: 300,
  tops: [10, 50],
  decisions: [
    {
      ply: 4,
      seat: 2,
      action: 30_432,
      legal: 58,
      visits: 800,
      values: [0.5, -0.25, 1, -1],
      opinion: { values: [0.125, 0, 0, -1], entropy: 3.5, rank: 7, shares: [0.75, 1] },
      moves: [
        { action: 30_432, visits: 500, prior: 0.25, value: 0.5 },
        { action: 3, visits: 300, prior: 0.125, value: -0.5 },
      ],
    },
    {
      ply: 5,
      seat: 3,
      action: 0,
      legal: 1,
      visits: 0,
      values: [0, 0, 0, 0],
      moves: [{ action: 0, visits: 0, prior: NaN, value: 0 }],
    },
  ],
};

describe("analyses of games", () => {
  it("come back as they were written, with and without a net's opinion", () => {
    const bytes = encodeGameAnalysis(analysis);
    expect(decodeGameAnalysis(bytes, "x")).toEqual(analysis);
    expect(encodeGameAnalysis(decodeGameAnalysis(bytes, "x"))).toEqual(bytes);
  });

  it("are corrupt wherever they end too early or go on too long", () => {
    const bytes = encodeGameAnalysis(analysis);
    for (let length = 0; length < bytes.length; length++)
      expect(() => decodeGameAnalysis(bytes.subarray(0, length), "x")).toThrow(FileCorrupt);
    expect(() => decodeGameAnalysis(Uint8Array.of(...bytes, 0), "x")).toThrow(FileCorrupt);
  });
});
