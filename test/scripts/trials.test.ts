import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { chunksOf, keepChunk, parts } from "../../scripts/trials.ts";
import { root } from "../docs/pages.ts";
import { scratchFolder } from "../formats/scratch-folder.ts";

it("each part of the large suites names a test that reads the variables which the part sets", () => {
  for (const { seed, sizes, tests } of parts) {
    const text = readFileSync(join(root, tests[0]!), "utf8");
    for (const variable of [...Object.keys(sizes), ...(seed === undefined ? [] : [seed])])
      expect(text, tests[0]).toContain(`process.env["${variable}"]`);
    expect(text, tests[0]).toContain("new Trials(");
  }
});

it("all chunks together try what the page promises", () => {
  const all = (name: string, variable: string) => {
    const part = parts.find((each) => each.name === name)!;
    return part.chunks * Number(part.sizes[variable]);
  };
  expect(all("lines", "LUDOFLOW_LINES")).toBeGreaterThanOrEqual(10_000);
  expect(all("memory", "LUDOFLOW_GAMES")).toBe(100_000);
  expect(all("damaged-files", "LUDOFLOW_MUTATIONS")).toBe(1000);
  expect(all("damaged-commands", "LUDOFLOW_DAMAGED")).toBe(1000);
  expect(all("kills", "LUDOFLOW_KILLS")).toBe(1000);
  expect(all("experiments", "LUDOFLOW_EXPERIMENTS")).toBe(10_000);
  expect(all("crashes", "LUDOFLOW_CRASHES")).toBe(150);
  expect(all("crashes", "LUDOFLOW_DISK_FAULTS")).toBe(50);
});

it("a chunk that is run again takes the place of the one before, and the page has the sums", () => {
  const scratch = scratchFolder();
  mkdirSync(join(scratch, "docs/notebook"), { recursive: true });
  const page = join(scratch, "docs/notebook/reliability.md");
  writeFileSync(page, "before\n<!-- trials -->\n<!-- /trials -->\nafter\n");
  const part = parts.find(({ name }) => name === "crashes")!;
  const chunk = (seed: number, failures: number, passed: boolean, tried: number) =>
    keepChunk(scratch, part, {
      seed,
      passed,
      failures,
      coreMinutes: 2,
      suites: [
        { suite: "crashes", tried, outcomes: { resumed: tried } },
        { suite: "faults of the disk", tried: 5, outcomes: { "EIO: failed": 5 } },
      ],
    });
  chunk(2, 0, true, 1000);
  chunk(1, 1, false, 3);
  expect(readFileSync(page, "utf8")).toContain(
    "| crashes and faults of the disk: crashes | 1,003 | resumed 1,003 | 2 | 1 | 1 | 4 |\n",
  );
  chunk(1, 1, true, 1000);
  const text = readFileSync(page, "utf8");
  expect(text).toContain(
    "| crashes and faults of the disk: crashes | 2,000 | resumed 2,000 | 2 | 1 | 0 | 4 |\n",
  );
  expect(text).toContain(
    "| crashes and faults of the disk: faults of the disk | 10 | EIO: failed 10 |  |  |  |  |\n",
  );
  expect(text).toMatch(/^before\n[^]*<!-- \/trials -->\nafter\n$/);
  expect(text.match(/<!-- trials -->/g)).toHaveLength(1);
  expect(chunksOf(scratch, part).map(({ seed }) => seed)).toEqual([1, 2]);
});
