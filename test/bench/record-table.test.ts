import { describe, expect, it } from "vitest";
import type { BenchRecord } from "../../bench/record.ts";
import { recordTable } from "../../bench/record-table.ts";

const record = (rows: BenchRecord["rows"]): BenchRecord => ({
  bench: "games",
  command: "ludoflow bench games",
  date: "2026-11-23",
  machine: { processor: "AMD EPYC", cores: 2, node: "24.21.0", busy: 0.0124 },
  rows,
});

describe("the table of a record", () => {
  it("names the command, the machine, its data, and figures with three digits", () => {
    const row = { case: "2048", metric: "random moves", unit: "moves/s" };
    expect(
      recordTable(
        record([
          {
            ...row,
            value: 11_946_028.6,
            peer: { name: "tables of rows in C", value: 31_228_414.5, ratio: 0.38253 },
          },
          { ...row, case: "tic-tac-toe", value: 0.0864089, interval: [0.08123, 0.09] },
        ]),
        "../results/bench/games.json",
      ),
    ).toBe(`\`ludoflow bench games\`, 2026-11-23: AMD EPYC, 2 cores, Node 24.21.0, 1.24% busy before it.
Data: [games.json](../results/bench/games.json).

| case | measured | figure | ratio | beside |
| --- | --- | --- | --- | --- |
| 2048 | random moves | 11,900,000 moves/s | 0.383 | tables of rows in C (31,200,000) |
| tic-tac-toe | random moves | 0.0864 moves/s [0.0812, 0.09] | | |`);
  });

  it("has no columns for a peer where no row has one", () => {
    const table = recordTable(record([{ case: "a", metric: "b", unit: "ms", value: 2 }]), "games.json");
    expect(table.split("\n").slice(3)).toEqual([
      "| case | measured | figure |",
      "| --- | --- | --- |",
      "| a | b | 2 ms |",
    ]);
  });
});
