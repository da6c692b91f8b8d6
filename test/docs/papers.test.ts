import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { paperFigures } from "../../scripts/paper-figures.ts";
import { readExperiment } from "../../src/graph/experiment-file.ts";
import { root, textOf } from "./pages.ts";
import { allTables, placeOf, type Table } from "./tables.ts";

const PAGE = "docs/papers.md";

const STATES = ["reproduced", "contradicted", "open"];

/** The tables that compare, with the paper that each belongs to. */
const compared = allTables
  .filter(({ page, head }) => page === PAGE && head.at(-1) === "state")
  .map((table) => ({ table, paper: paperOf(table) }));

const rows = compared.flatMap(({ table, paper }) =>
  table.rows.map((cells) => ({
    paper,
    place: placeOf(table),
    label: cells[0]!,
    cell: (name: string) => cells[table.head.indexOf(name)],
    ours: cells.filter((_, i) => table.head[i]!.startsWith("ours")),
    state: cells.at(-1)!,
  })),
);

const isNotRun = ({ ours }: (typeof rows)[number]) =>
  ours.length > 0 && ours.every((cell) => cell === "not run");

function paperOf({ line }: Table): string {
  const before = textOf(PAGE).split("\n").slice(0, line);
  return before.findLast((each) => each.startsWith("## "))!.slice(3);
}

describe("docs/papers.md", () => {
  it("has a state for each row, which stands once in its paper", () => {
    for (const { state, place, label } of rows) expect(STATES, `${place}: ${label}`).toContain(state);
    const labels = rows.map(({ paper, label }) => `${paper}: ${label}`);
    expect(new Set(labels).size).toBe(labels.length);
    expect(rows.length).toBeGreaterThan(80);
  });

  it("sums the states up as they are", () => {
    const summary = allTables.find(({ page, head }) => page === PAGE && head[0] === "paper")!;
    const papers = [...new Set(rows.map(({ paper }) => paper))];
    const counts = (told: readonly (typeof rows)[number][]) => {
      const by = Map.groupBy(told, ({ state }) => state);
      const [reproduced, contradicted, open] = STATES.map((state) => by.get(state) ?? []);
      const parts = [
        reproduced!,
        reproduced!.filter(({ cell }) => cell("held by") !== undefined),
        contradicted!,
        open!,
        open!.filter(isNotRun),
      ];
      return parts.map(({ length }) => String(length));
    };
    expect(summary.rows).toEqual([
      ...papers.map((paper) => [paper, ...counts(rows.filter((row) => row.paper === paper))]),
      ["all", ...counts(rows)],
    ]);
  });

  it("has no figure where nothing was run, and leaves a row open then", () => {
    const without = rows.filter(isNotRun);
    expect(without.filter(({ state }) => state !== "open").map(({ label }) => label)).toEqual([]);
    expect(rows.filter(({ ours }) => ours.some((cell) => cell === "" || /not run\b./.test(cell)))).toEqual(
      [],
    );
  });

  it("names files that are there, with their own costs", () => {
    for (const { place, label, cell } of rows) {
      const name = cell("file")?.replaceAll("`", "");
      if (name === undefined || name === "") continue;
      const where = `${place}: ${label}`;
      const file = `experiments/${name}`;
      // Files of the 9x9 pipeline lie beside their plan until they have data; what they cost is still being found out.
      if (!existsSync(root + file))
        expect(existsSync(`${root}docs/notebook/alphago-9x9/${name}`), `${where}: ${name}`).toBe(true);
      else {
        const cost = /^cost: (.*)$/m.exec(textOf(file))![1]!;
        expect(cell("time"), where).toBe(cost.replace("; resumable", ""));
      }
    }
  });

  it("agrees with the notebook on what has become of the rows that were open or contradicted at b91e11bc", () => {
    const papers: Readonly<Record<string, string>> = {
      Daihinmin: "Grouped search in Daihinmin",
      "TD(lambda)": "TD(lambda) with UCT openings",
      "2048": "MC Softmax search for 2048",
    };
    const { rows: former } = allTables.find(
      ({ page, head }) => page === "docs/notebook/readings.md" && head[0] === "paper",
    )!;
    const states = new Map(rows.map(({ paper, label, state }) => [`${paper}: ${label}`, state]));
    for (const [paper, label, , now, reason] of former) {
      expect(states.get(`${papers[paper!] ?? paper}: ${label}`), label).toBe(now);
      expect(reason, label).not.toBe("");
    }
    const before = Map.groupBy(former, ([, , state]) => state);
    expect([before.get("open")!.length, before.get("contradicted")!.length]).toEqual([49, 9]);
    expect(new Set(former.map(([paper, label]) => `${paper}: ${label}`)).size).toBe(58);
  });

  it("has drawings that are those of their data", () => {
    for (const { file, page, svg } of paperFigures(root)) {
      expect(readFileSync(join(root, file), "utf8"), `${file}: run npm run figures`).toBe(svg);
      expect(textOf(page)).toContain(`](${relative(dirname(page), file)})`);
    }
  });
});

describe("tables of settings", () => {
  it("table 1 of Tsubokura and Nishino is in both files", () => {
    for (const file of ["daihinmin-grouping.yaml", "daihinmin-source.yaml"]) {
      const { agents } = readExperiment(join(root, "experiments", file)).experiment;
      for (const name of ["AI1", "AI2", "AI3", "ISMCTS"])
        expect(agents[name], `${file}: ${name}`).toMatchObject({
          simulations: 1000,
          expansion: 10,
          exploration: 1,
          grouping: name === "ISMCTS" ? "none" : name,
        });
    }
  });

  it("table 1 and section 4.2 of Watanabe and Matsuzaki are in experiment 1", () => {
    const { agents } = parse(textOf("experiments/2048-mcsoftmax.yaml")) as { agents: Record<string, object> };
    const laptop = parse(textOf("experiments/2048-mcsoftmax-laptop.yaml")) as { agents: { player: object } };
    const { sweep } = parse(textOf("experiments/2048-mcsoftmax-laptop-sweep.yaml")) as {
      sweep: { list: Record<string, number>[] };
    };
    for (const [i, [name, trees, simulations, samples]] of (
      [
        ["greedy", 1, 10, 1],
        ["1-tree", 1, 100, 5],
        ["5-tree", 5, 20, 2],
        ["10-tree", 10, 10, 2],
      ] as const
    ).entries()) {
      const settings = {
        trees,
        simulations,
        samples,
        randomness: "fixed",
        selection: { use: "linear" },
        backup: { use: "linear" },
        sampling: { use: "uniform", from: 0.005, to: 1 },
      };
      expect(agents[name], name).toMatchObject(settings);
      const changed = Object.entries(sweep.list[i]!).map(([key, value]) => [
        key.replace("agents.player.", ""),
        value,
      ]);
      expect({ ...laptop.agents.player, ...Object.fromEntries(changed) }, name).toMatchObject(settings);
    }
  });
});
