import { describe, expect, it } from "vitest";
import {
  blockOf,
  drawnBlock,
  type Lineup,
  type SeatsMode,
} from "../../../../src/operators/measuring/match/pairing.ts";
import { Random } from "../../../../src/random.ts";

const text = (block: readonly Lineup[]) => block.map(({ seats }) => seats.join(""));

describe("a block of lineups", () => {
  it("of a round-robin has every pair in both orders, pairs by turns", () => {
    expect(text(blockOf("round-robin", 3, 2))).toEqual(["01", "02", "12", "10", "20", "21"]);
    expect(blockOf("round-robin", 3, 2).map(({ group }) => group)).toEqual([0, 1, 2, 0, 1, 2]);
  });

  it("of a round-robin has every set of four in its four rotations", () => {
    const block = blockOf("round-robin", 6, 4);
    expect(block).toHaveLength(15 * 4);
    expect(new Set(block.map(({ seats }) => seats.toSorted((a, b) => a - b).join(""))).size).toBe(15);
    expect(text(block.filter(({ group }) => group === 0))).toEqual(["0123", "1230", "2301", "3012"]);
  });

  it("of a round-robin with fewer agents than seats fills the table by turns", () => {
    expect(text(blockOf("round-robin", 3, 4))).toEqual(["0120", "1201", "2012"]);
    expect(text(blockOf("round-robin", 1, 2))).toEqual(["00"]);
  });

  it("of all pairs has the 14 mixed ways of four seats, each before the one with the two exchanged", () => {
    const block = text(blockOf("all-pairs", 2, 4));
    expect(block).toHaveLength(14);
    expect(new Set(block).size).toBe(14);
    expect(block).not.toContain("0000");
    for (let i = 0; i < 14; i += 2)
      expect(block[i + 1]).toBe(block[i]!.replaceAll(/./g, (agent) => (agent === "0" ? "1" : "0")));
    expect(blockOf("all-pairs", 6, 4)).toHaveLength(15 * 14);
    expect(text(blockOf("all-pairs", 2, 2))).toEqual(["01", "10"]);
  });

  it("of one against the rest has the first in each seat, against each of the others", () => {
    expect(text(blockOf("one-vs-rest", 3, 3))).toEqual(["011", "022", "101", "202", "110", "220"]);
  });

  it("of pairs among the rest has each pair in all ways of two seats, each before the one exchanged", () => {
    expect(text(blockOf("pairs-among-rest", 3, 3))).toEqual(["012", "102", "021", "120", "201", "210"]);
    const block = blockOf("pairs-among-rest", 3, 5);
    expect(block).toHaveLength(20);
    expect(new Set(text(block)).size).toBe(20);
    expect(new Set(block.map(({ seats }) => seats.toSorted((a, b) => a - b).join("")))).toEqual(
      new Set(["01222"]),
    );
    const four = blockOf("pairs-among-rest", 5, 5);
    expect(four).toHaveLength(6 * 20);
    expect(new Set(four.map(({ group }) => group)).size).toBe(6);
  });

  const cases: [SeatsMode, number, number][] = [
    ["round-robin", 5, 3],
    ["round-robin", 2, 4],
    ["all-pairs", 4, 4],
    ["one-vs-rest", 4, 4],
    ["pairs-among-rest", 3, 5],
    ["pairs-among-rest", 5, 4],
  ];
  it.each(cases)(
    "of %s, %i agents and %i seats, has every agent in each seat equally often",
    (mode, n, seats) => {
      const random = Random.named("balance", mode);
      for (const block of [
        blockOf(mode, n, seats),
        ...[1, 2, 3].map(() => drawnBlock(mode, n, seats, random)),
      ]) {
        const counts = Array.from({ length: n }, () => Array.from({ length: seats }, () => 0));
        for (const lineup of block)
          for (const [seat, agent] of lineup.seats.entries()) counts[agent]![seat]!++;
        for (const own of counts) expect(new Set(own).size).toBe(1);
      }
    },
  );

  it("drawn at random differs from block to block, also in who follows whom", () => {
    const random = Random.named("drawn");
    const blocks = Array.from({ length: 8 }, () => text(drawnBlock("round-robin", 4, 4, random)));
    expect(new Set(blocks.map((block) => block.join())).size).toBeGreaterThan(4);
    const circles = blocks.map((block) => block.find((seats) => seats.startsWith("0")));
    expect(new Set(circles).size).toBeGreaterThan(2);
  });
});
