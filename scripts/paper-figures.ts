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
];

/** The learning curve of `go9-zero.yaml`. */
function go9Zero(root: string): string {
  const point = (row: Record<string, string>, name: string) => 100 * Number(row[name]);
  return standing(
    drawFigure(
      {
        title: "Share won against UCT with RAVE, 1,000 simulations, %",
        chart: {
          kind: "lines",
          description: "Share of 40 games that each version won, with intervals of 95%.",
          xLabel: "Steps of learning",
          yLabel: "Won, %",
          reference: { y: 50, label: "equals" },
          series: [
            {
              label: "100 simulations",
              style: 0,
              points: rowsOf(root, "docs/results/go9-zero/curve.csv").map((row) => ({
                x: Number(row["steps"]),
                y: point(row, "won"),
                low: point(row, "won low"),
                high: point(row, "won high"),
              })),
            },
          ],
        },
      },
      820,
      "go9-zero",
    ).text,
  );
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
