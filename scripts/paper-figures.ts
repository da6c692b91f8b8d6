import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chartStyle } from "../src/figures/chart-style.ts";
import { drawFigure } from "../src/figures/figure.ts";
import { palettes, paletteVariables } from "../src/figures/palette.ts";

/** A drawing of the documentation that is made of committed data. */
interface PaperFigure {
  /** The page that shows it, from the root of the checkout. */
  readonly page: string;
  /** Its path from the root of the checkout. */
  readonly file: string;
  readonly svg: string;
}

/** Learning curves, and drawings that show figures of a paper and ours together. `npm run figures` writes them. */
export const paperFigures = (root: string): PaperFigure[] => [
  { page: "docs/papers.md", file: "docs/results/papers/2048-figure-a-1.svg", svg: figureA1(root) },
  { page: "docs/notebook/go9-zero.md", file: "docs/results/go9-zero/curve.svg", svg: go9Zero(root) },
  {
    page: "docs/notebook/zero-in-an-hour.md",
    file: "docs/results/zero/connect-four.svg",
    svg: connectFourZero(root),
  },
];

/** The learning curve of `go9-zero.yaml`. */
const go9Zero = (root: string) =>
  learningCurve("go9-zero", {
    title: "Share won against UCT with RAVE, 1,000 simulations, %",
    description: "Share of 40 games that each version won, with intervals of 95%.",
    yLabel: "Won, %",
    reference: { y: 50, label: "equals" },
    series: [
      {
        label: "100 simulations",
        points: pointsOf(rowsOf(root, "docs/results/go9-zero/curve.csv"), "steps", "won"),
      },
    ],
  });

/** The learning curves of `connect-four-zero.yaml`, with UCT, which learns nothing, as a line. */
function connectFourZero(root: string): string {
  const rows = rowsOf(root, "docs/results/zero/connect-four.csv");
  const of = (agent: string) => rows.filter((row) => row["agent"] === agent);
  return learningCurve("connect-four-zero", {
    title: "Positions whose value is kept, %",
    description: "Share of 1,000 positions in which the move keeps the exact value, with intervals of 95%.",
    yLabel: "Value kept, %",
    reference: { y: 100 * Number(of("uct")[0]!["share"]), label: "UCT, 1,000 simulations" },
    series: [
      { label: "100 simulations", points: pointsOf(of("player"), "learned", "share", "low", "high") },
      { label: "net alone", points: pointsOf(of("net-alone"), "learned", "share", "low", "high") },
    ],
  });
}

/** Shares of a table, in per cent, by what was learned. */
function pointsOf(
  rows: readonly Record<string, string>[],
  x: string,
  y: string,
  low = `${y} low`,
  high = `${y} high`,
) {
  const share = (row: Record<string, string>, name: string) => 100 * Number(row[name]);
  return rows.map((row) => ({
    x: Number(row[x]),
    y: share(row, y),
    low: share(row, low),
    high: share(row, high),
  }));
}

/** Shares by steps of learning. */
function learningCurve(
  id: string,
  curve: {
    title: string;
    description: string;
    yLabel: string;
    reference: { y: number; label: string };
    series: readonly { label: string; points: ReturnType<typeof pointsOf> }[];
  },
): string {
  const { title, series, ...rest } = curve;
  const chart = {
    ...rest,
    kind: "lines" as const,
    xLabel: "Steps of learning",
    series: series.map((one, style) => ({ ...one, style })),
  };
  return standing(drawFigure({ title, chart }, 820, id).text);
}

/** Figure A-1 of Watanabe and Matsuzaki: scores by simulations, as multiples of greedy play on the same weights. */
function figureA1(root: string): string {
  const ours = rowsOf(root, "docs/results/2048-search/score-and-effort.csv");
  const greedy = ours.filter((row) => row["agent"] === "greedy").map((row) => Number(row["mean"]));
  const greedyMean = greedy.reduce((sum, score) => sum + score, 0) / greedy.length;
  const theirs = new Map(
    rowsOf(root, "docs/data/2048-published.csv")
      .filter((row) => row["player"] === "CNN22 of Watanabe and Matsuzaki")
      .map((row) => [row["search"]!, Number(row["mean score"])]),
  );
  const simulated = ours.filter((row) => row["stage"] === "simulations");
  const point = (simulations: number, y: number) => ({ x: Math.log2(simulations), y });
  const ratio = (row: Record<string, string>, name: string) => Number(row[name]) / greedyMean;
  return standing(
    drawFigure(
      {
        title: "Score by simulations a move, over greedy play",
        chart: {
          kind: "lines",
          description:
            "Mean scores of MC Softmax as multiples of greedy play on the same weights: those of the paper, and ours with intervals of 95%.",
          xLabel: "Simulations a move",
          yLabel: "Score over greedy play",
          whiskers: true,
          reference: { y: 1, label: "greedy play" },
          xTicks: simulated.map(({ simulations }) => ({
            x: Math.log2(Number(simulations)),
            text: Number(simulations).toLocaleString("en"),
          })),
          series: [
            {
              label: "ours, N-tuples",
              style: 0,
              points: simulated.map((row) => ({
                ...point(Number(row["simulations"]), ratio(row, "mean")),
                low: ratio(row, "low"),
                high: ratio(row, "high"),
              })),
            },
            {
              label: "theirs, CNN22",
              style: 1,
              points: [...theirs]
                .flatMap(([search, score]) => {
                  const simulations = /^MC Softmax with (\d+) simulations$/.exec(search)?.[1];
                  return simulations === undefined
                    ? []
                    : [point(Number(simulations), score / theirs.get("none")!)];
                })
                .toSorted((a, b) => a.x - b.x),
            },
          ],
        },
      },
      820,
      "figure-a-1",
    ).text,
  );
}

function rowsOf(root: string, file: string): Record<string, string>[] {
  const [head, ...lines] = readFileSync(join(root, file), "utf8").trim().split(/\r?\n/);
  const names = head!.split(",");
  return lines.map((line) => Object.fromEntries(line.split(",").map((value, i) => [names[i]!, value])));
}

/** Pixels beside a chart that is a file of its own. */
const ROOM = 16;

/** A chart as a file of its own, with the style that a page would give it: light or dark as its reader's system. */
function standing(svg: string): string {
  const style = `svg { --paper: #fff; --ink: #1c2024; --muted: #5d6670; --faint: #e3e7eb; ${paletteVariables(palettes.light)} background: var(--paper); }
@media (prefers-color-scheme: dark) { svg { --paper: ${palettes.dark.paper}; --ink: #e6e9ec; --muted: #9aa4ae; --faint: #2c3237; ${paletteVariables(palettes.dark)} } }
${chartStyle}`;
  // Labels at the ends of an axis reach beyond the chart, which a page has room for.
  const roomy = svg.replace(
    /viewBox="0 0 (\d+) (\d+)" width="\d+"/,
    (_, width, height) =>
      `viewBox="${-ROOM} 0 ${Number(width) + 2 * ROOM} ${height}" width="${Number(width) + 2 * ROOM}"`,
  );
  return `${roomy.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ').replace("<desc ", `<style>${style}</style><desc `)}\n`;
}
