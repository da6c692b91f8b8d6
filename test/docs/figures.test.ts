import { readdirSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, it } from "vitest";
import { filesWithFigures, figuresOf, withFigures } from "../../scripts/figure-blocks.ts";
import { comparisons } from "./comparisons.ts";
import { pages, root, textOf } from "./pages.ts";
import { papers } from "./papers.ts";
import { allTables, isMeasured, placeOf, type Table, tablesOf, tellsFigures } from "./tables.ts";

const BY_HAND = "Measured by hand, no data kept";

/** What the paragraph after a table links to as its data, as a path from `docs`; undefined where it names none. */
function dataOf({ page, after }: Table): string | undefined {
  const link = /^Data: \[[^\]]*\]\(([^)]+)\)/.exec(after)?.[1];
  return link && posix.join(posix.dirname(page), link).replace(/^docs\//, "");
}

/** The comparisons of a page: the papers' tables repeat figures of the notebook, from the same data. */
const comparisonsOf = (page: string) => (page === "docs/papers.md" ? papers : comparisons);

/** Whether a table says where its figures come from: data, or that none were kept. */
const isSourced = (table: Table) =>
  dataOf(table) !== undefined ||
  table.after.startsWith(BY_HAND) ||
  table.after.startsWith("Not measured: ") ||
  (table.inBlock && isRecorded(table.page, table.line));

/** Whether the block of figures around this line was written from a record. */
function isRecorded(page: string, line: number): boolean {
  const before = textOf(page).split("\n").slice(0, line).join("\n");
  return before.slice(before.lastIndexOf("<!-- figures:")).includes("\nData: [");
}

/** Tables of sizes on disk: a test below compares them with the packages, `npm run try-package` with an installation. */
const SIZES = ["docs/installation.md", "docs/dependencies.md"];

const withData = allTables.filter((table) => dataOf(table) !== undefined);

describe("measured figures", () => {
  it("say in every table where they come from", () => {
    const measured = allTables.filter(isMeasured);
    expect(measured.length).toBeGreaterThan(80);
    expect(
      measured.filter((table) => !SIZES.includes(table.page) && !isSourced(table)).map(placeOf),
      `add "Data: [..](..)" or "${BY_HAND}." after the table`,
    ).toEqual([]);
  });

  it("are found where a table is added without its source", () => {
    const table = "| search | simulations/s |\n|---|---|\n| `uct` | 79,000 |\n";
    const without = (page: string) =>
      tablesOf(page, `# Page\n\n${table}\nMore.\n`).filter((each) => isMeasured(each) && !isSourced(each));
    expect(without("docs/notebook/new.md").length).toBe(1);
    expect(without("docs/new.md").length).toBe(1);
    expect(tablesOf("docs/new.md", `${table}\n${BY_HAND}.\n`).filter(isSourced).length).toBe(1);
  });

  it("stand in the text of no reference page, and are told to be by hand in the notebook", () => {
    // The change log tells of earlier states.
    const told = pages.filter((page) => page !== "CHANGELOG.md" && tellsFigures(textOf(page)));
    expect(told.filter((page) => !page.startsWith("docs/notebook/"))).toEqual([]);
    expect(told.length).toBeGreaterThan(5);
    expect(textOf("docs/README.md")).toContain(`figures in the text were measured by hand, no data kept`);
  });

  it("of sizes are those of the packages, and of the installation in both places", () => {
    const megabytes = (folder: string) =>
      readdirSync(join(root, "node_modules", folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0) / 1e6;
    const told = (page: string, before: RegExp) => Number(before.exec(textOf(page))?.[1]);
    const installation = "docs/installation.md";
    for (const [size, folder] of [
      [told(installation, /\| \[ONNX Runtime\].*?about (\d+) MB/), "onnxruntime-node"],
      [told(installation, /linux\/x64`, about (\d+) MB/), "onnxruntime-node/bin/napi-v6/linux/x64"],
      [told("docs/dependencies.md", /`h5wasm`.*?(\d+) MB/), "h5wasm"],
    ] as const)
      expect(Math.abs(megabytes(folder) / size - 1), `${folder}: ${size} MB`).toBeLessThan(0.1);
    // What `npm run try-package` compares with an installation.
    const sizes = (page: string) =>
      [...textOf(page).matchAll(/(?:about |, )?\(?(\d+) MB\)?(?! to download)/g)].map(([, size]) => size);
    expect(sizes("README.md")).toEqual(["156", "290", "120"]);
    expect(sizes(installation)).toEqual(expect.arrayContaining(sizes("README.md")));
  });

  it.each(withData.map((table) => [placeOf(table), table] as const))(
    "of %s agree with their data, and an altered one is found",
    (_place, table) => {
      const comparison = comparisonsOf(table.page)[dataOf(table)!];
      expect(comparison, `no comparison with ${dataOf(table)} in test/docs`).toBeDefined();
      const { compare, columns } = comparison!;
      compare(table.rows);
      for (const column of columns) {
        // The first digit that counts becomes another one.
        const alteredIn = (row: number) =>
          table.rows.map((cells, i) =>
            i === row
              ? cells.with(
                  column,
                  cells[column]!.replace(/[1-9]/, (digit) => (digit === "9" ? "8" : "9")),
                )
              : cells,
          );
        const withFigure = [...table.rows.keys()].filter((row) => /[1-9]/.test(table.rows[row]![column]!));
        const unnoticed = withFigure.filter((row) => {
          try {
            compare(alteredIn(row));
            return true;
          } catch {
            return false;
          }
        });
        // Rows that are told for comparison may have data elsewhere.
        expect(unnoticed.length, `column ${table.head[column]}`).toBeLessThanOrEqual(withFigure.length / 5);
      }
    },
  );

  it("have no comparison without its table", () => {
    for (const held of [comparisons, papers])
      expect(Object.keys(held).toSorted()).toEqual(
        withData.flatMap((table) => (comparisonsOf(table.page) === held ? [dataOf(table)!] : [])).toSorted(),
      );
  });

  it("of benches are those of their records; without a record, they say so", () => {
    const names = filesWithFigures(root).flatMap((page) => {
      const text = textOf(page);
      expect(withFigures(text, page, root), `${page}: run npm run figures`).toBe(text);
      const blocks = figuresOf(text, page);
      // A marker with a mistake would be no block.
      expect(text.match(/<!-- \/?figures/g)!.length, page).toBe(2 * blocks.length);
      for (const { text: inside, name } of blocks)
        expect(inside.includes(BY_HAND) || inside.includes("\nData: ["), `${page}, ${name}`).toBe(true);
      return blocks.map(({ name }) => name);
    });
    expect(new Set(names).size).toBe(names.length);
    // Every bench has its place in the notebook: a block that its record goes into.
    const rows = [...textOf("docs/benchmarks.md").matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name!);
    expect(names.map((name) => name.replace(/-\d+$/, ""))).toEqual(expect.arrayContaining(rows));
  });
});
