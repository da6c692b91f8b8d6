import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { COVERAGE_FILE, regionAt, regionsOf, withMarks } from "../../mutation/regions.ts";
import { scratchFolder } from "../formats/scratch-folder.ts";

const source = `
export const double = (x: number) => x + x;
export function sign(x: number): number {
  if (x < 0) return -1;
  else if (x > 0) return 1;
  switch (x) {
    case 0:
      return 0;
    default:
  }
  for (const y of [x]) console.log(y);
  return x;
}
`;

describe("the regions of a source", () => {
  const regions = regionsOf("a.ts", source);
  const texts = regions.map(({ start, end }) => source.slice(start, end));

  it("are the module, blocks, branches, cases and bodies of functions", () => {
    expect(texts.slice(0, 2)).toEqual([source, "x + x"]);
    expect(texts.slice(3)).toEqual([
      "return -1;",
      "if (x > 0) return 1;",
      "return 1;",
      "return 0;",
      "console.log(y);",
    ]);
  });

  it("are found by the smallest one that a place lies in", () => {
    const at = (piece: string) => texts[regionAt(regions, source.indexOf(piece))];
    expect(at("x + x")).toBe("x + x");
    expect(at("-1")).toBe("return -1;");
    expect(at("x > 0")).toBe("if (x > 0) return 1;");
    expect(at("for (")).toBe(texts[2]);
    expect(at("export")).toBe(source);
  });
});

describe("a source with marks", () => {
  afterEach(() => void delete process.env[COVERAGE_FILE]);

  it("does what it did, in the same lines, and writes each region that it enters once", async () => {
    const folder = scratchFolder();
    process.env[COVERAGE_FILE] = join(folder, "entered.txt");
    const marked = withMarks("a.ts", source, 100);
    expect(marked.split("\n")).toHaveLength(source.split("\n").length);
    writeFileSync(join(folder, "marked.ts"), marked);
    // As every other source is loaded: by Node, types and all.
    const { double, sign } = (await import(
      /* @vite-ignore */ pathToFileURL(join(folder, "marked.ts")).href
    )) as { double: (x: number) => number; sign: (x: number) => number };
    expect([double(3), sign(-2), sign(-3), sign(0)]).toEqual([6, -1, -1, 0]);
    const entered = readFileSync(join(folder, "entered.txt"), "utf8").trim().split("\n").map(Number);
    expect(entered).toEqual([100, 101, 102, 103, 104, 106]);
  });
});
