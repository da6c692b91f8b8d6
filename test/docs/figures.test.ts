import { readdirSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, it } from "vitest";
import { filesWithFigures, figuresOf, withFigures } from "../../scripts/figure-blocks.ts";
import { comparisons } from "./comparisons.ts";
import { data } from "./measured.ts";
import { filesUnder, pages, root, textOf } from "./pages.ts";
import { papers } from "./papers.ts";
import { allTables, isMeasured, placeOf, type Table, tablesOf, tellsFigures } from "./tables.ts";
import { someOf } from "../number-of-cases.ts";

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

/** Pages with tables by hand: other programs beside ours. No page joins them: a new table names its data. */
const BESIDE_OTHERS = ["docs/notebook/peers.md", "docs/notebook/search-speed.md"];

/** Tables of sizes on disk: a test below compares them with the packages, `npm run try-package` with an installation. */
const SIZES = ["docs/installation.md", "docs/dependencies.md"];

const withData = allTables.filter((table) => dataOf(table) !== undefined);

describe("measured figures", () => {
  it("say in every table where they come from", () => {
    const measured = allTables.filter(isMeasured);
    expect(measured.length).toBeGreaterThan(60);
    expect(
      measured.filter((table) => !SIZES.includes(table.page) && !isSourced(table)).map(placeOf),
      `add "Data: [..](..)" or "${BY_HAND}." after the table`,
    ).toEqual([]);
  });

  it("are by hand only beside other programs", () => {
    const byHand = allTables.filter(({ after }) => after.startsWith(BY_HAND)).map(({ page }) => page);
    expect(byHand.filter((page) => !BESIDE_OTHERS.includes(page))).toEqual([]);
    expect(byHand.length).toBeLessThanOrEqual(5);
  });

  it("are found where a table is added without its source", () => {
    const table = "| search | simulations/s |\n|---|---|\n| `uct` | 79,000 |\n";
    const without = (page: string) =>
      tablesOf(page, `# Page\n\n${table}\nMore.\n`).filter((each) => isMeasured(each) && !isSourced(each));
    expect(without("docs/notebook/new.md").length).toBe(1);
    expect(without("docs/new.md").length).toBe(1);
    expect(tablesOf("docs/new.md", `${table}\n${BY_HAND}.\n`).filter(isSourced).length).toBe(1);
  });

  it("have no data that neither a page nor a comparison names", () => {
    const named = [...pages, ...filesUnder("test/docs"), "scripts/figures.ts"].map(textOf).join("\n");
    const unnamed = filesUnder("docs/results")
      .filter((path) => path.endsWith(".csv"))
      // The rows of the peers' tables name their files without an ending.
      .filter(
        (path) => !named.includes(posix.basename(path, /\/(peers|duo-pentobi)\//.test(path) ? ".csv" : "")),
      );
    expect(unnamed).toEqual([]);
  });

  it("stand in the text of no reference page, and are told to be by hand in the notebook", () => {
    // The change log tells of earlier states.
    const told = pages.filter((page) => page !== "CHANGELOG.md" && tellsFigures(textOf(page)));
    expect(told.filter((page) => !page.startsWith("docs/notebook/"))).toEqual([]);
    expect(told.length).toBeGreaterThan(5);
    expect(textOf("docs/README.md")).toContain(`figures in the text were measured by hand, no data kept`);
  });

  it("of sizes are those of the packages, and of an installation that was measured", () => {
    const megabytes = (folder: string) =>
      readdirSync(join(root, "node_modules", folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0) / 1e6;
    const measured = (what: string) =>
      Number(
        data("results/installation.csv").find((row) => row["what"] === what && row["unit"] === "MB")![
          "value"
        ],
      );
    const installation = "docs/installation.md";
    for (const [page, before, size] of [
      [installation, /linux\/x64`, about (\d+) MB/, megabytes("onnxruntime-node/bin/napi-v6/linux/x64")],
      ["docs/dependencies.md", /`h5wasm`.*?(\d+) MB/, megabytes("h5wasm")],
      [installation, /\| \[ONNX Runtime\].*?about (\d+) MB/, megabytes("onnxruntime-node")],
      [installation, /\| \[ONNX Runtime\].*?about (\d+) MB/, measured("ONNX Runtime")],
      ["README.md", /ONNX Runtime \((\d+) MB\)/, measured("ONNX Runtime")],
      [installation, /\| ludoflow and its dependencies \| about (\d+) MB/, measured("installed")],
      ["README.md", /installation takes about (\d+) MB/, measured("installed")],
      [installation, /\| \[Node 24\]\(#node\) \| about (\d+) MB/, measured("Node fetched")],
      ["README.md", /Node 24 from npm \((\d+) MB\)/, measured("Node fetched")],
    ] as const) {
      const told = Number(before.exec(textOf(page))?.[1]);
      expect(Math.abs(told / size - 1), `${page}, ${before}: ${told} MB`).toBeLessThan(0.05);
    }
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
        const all = [...table.rows.keys()].filter((row) => /[1-9]/.test(table.rows[row]![column]!));
        const withFigure = all.length > 10 ? someOf(all) : all;
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
    // What the notebook says of the goal beside PyTorch.
    const { rows: computed } = JSON.parse(textOf("docs/results/bench/compute.json")) as {
      readonly rows: readonly { readonly case: string; readonly peer?: { name: string; ratio: number } }[];
    };
    const ratios = computed.flatMap(({ case: net, peer }) =>
      /^residual (64x5|128x10),.* 2 threads/.test(net) && peer?.name.startsWith("PyTorch")
        ? [peer.ratio]
        : [],
    );
    expect(ratios.length).toBe(4);
    expect(
      textOf("docs/notebook/training-speed.md").includes(
        "On two threads of this processor the goal is reached",
      ),
    ).toBe(Math.min(...ratios) >= 1.2);
    // Every bench has its place in the notebook: a block that its record goes into.
    const rows = [...textOf("docs/benchmarks.md").matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name!);
    expect(names.map((name) => name.replace(/-\d+$/, ""))).toEqual(expect.arrayContaining(rows));
  });
});
