import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { BenchRecord } from "../../bench/record.ts";
import { figuresOf, withFigures } from "../../scripts/figure-blocks.ts";
import { scratchFolder } from "../formats/scratch-folder.ts";

const PAGE = "docs/notebook/page.md";
const record: BenchRecord = {
  bench: "games",
  command: "ludoflow bench games",
  date: "2026-11-23",
  machine: { processor: "AMD EPYC", cores: 2, node: "24.21.0", busy: 0 },
  rows: [{ case: "2048", metric: "random moves", value: 12_345_678, unit: "moves/s" }],
};
const page = (command: string, inside: string) =>
  `# Page\n\n<!-- figures: ../results/bench/games.json by ${command} -->\n\n${inside}\n\n<!-- /figures -->\n\nMore.\n`;

/** A checkout with the record. */
function checkout(): string {
  const root = scratchFolder();
  mkdirSync(join(root, "docs/results/bench"), { recursive: true });
  writeFileSync(join(root, "docs/results/bench/games.json"), JSON.stringify(record));
  return root;
}

describe("blocks of figures", () => {
  it("are written from their records, and again without a change", () => {
    const root = checkout();
    const written = withFigures(page(record.command, "| by hand | 1 |"), PAGE, root);
    expect(written).toContain("| 2048 | random moves | 12,300,000 moves/s |");
    expect(written).not.toContain("by hand");
    expect(written.startsWith("# Page\n\n<!-- figures:")).toBe(true);
    expect(written.endsWith("<!-- /figures -->\n\nMore.\n")).toBe(true);
    expect(withFigures(written, PAGE, root)).toBe(written);
    expect(withFigures(written.replace("12,300,000", "13,300,000"), PAGE, root)).toBe(written);
  });

  it("stay as they are without a record", () => {
    const text = page(record.command, "| by hand | 1 |");
    expect(withFigures(text, PAGE, scratchFolder())).toBe(text);
  });

  it("refuse a record of another command", () => {
    expect(() => withFigures(page("ludoflow bench games --only go", ""), PAGE, checkout())).toThrow(
      "docs/notebook/page.md: ../results/bench/games.json was measured by ludoflow bench games, not by ludoflow bench games --only go; measure it again",
    );
  });

  it("name their record and its command", () => {
    expect(figuresOf(page("ludoflow bench compute --threads 1", "x"), PAGE)).toEqual([
      {
        name: "games",
        file: "docs/results/bench/games.json",
        command: "ludoflow bench compute --threads 1",
        text: "\nx\n\n",
      },
    ]);
  });
});
