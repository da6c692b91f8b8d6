import { describe, expect, it } from "vitest";
import { textTable } from "../../src/cli/text-table.ts";
import { column, tabulated } from "../../src/formats/table.ts";

interface Row {
  readonly agent: string;
  readonly games: number;
  readonly gain?: { readonly value: number; readonly interval: readonly [number, number] };
  readonly limit?: string;
}

const cells = (rows: readonly Row[]) =>
  tabulated(rows, [
    column.text("agent", ({ agent }) => agent),
    column.integer("games", ({ games }) => games),
    column.estimate("gain", ({ gain }) => gain, { head: "more", signed: true }),
    column.number("won", ({ games }) => games / 3000, { share: true }),
    column.text("limit", ({ limit }) => limit, { align: "right" }),
  ]);

describe("a table as text", () => {
  it("aligns texts to the left and numbers to the right; an estimate has two digits of its interval", () => {
    const rows = [
      { agent: "a", games: 1000, gain: { value: 12.345, interval: [-3.21, 27.9] as const }, limit: "20 ms" },
      { agent: "黒石", games: 20, gain: { value: -Infinity, interval: [-Infinity, -3] as const } },
      { agent: "long name", games: 0 },
    ];
    expect(textTable(cells(rows))).toEqual([
      "agent      games  more    interval    won  limit",
      "a          1,000   +12   [-3, +28]  33.3%  20 ms",
      "黒石          20  -inf  [-inf, -3]   0.7%      -",
      "long name      0     -           -   0.0%      -",
    ]);
  });

  it("leaves out columns without values, and those that are named", () => {
    expect(textTable(cells([{ agent: "a", games: 3 }]), ["won"])).toEqual(["agent  games", "a          3"]);
    expect(textTable(cells([]), ["limit"])).toEqual(["agent  games  more  interval  won"]);
  });
});
