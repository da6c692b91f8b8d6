import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chartStyle } from "../src/figures/chart-style.ts";
import type { Landmark, LineSeries } from "../src/figures/charts/line-chart.ts";
import { type Chart, drawFigure } from "../src/figures/figure.ts";
import { palettes, paletteVariables } from "../src/figures/palette.ts";
import { intervalWithin, meanEstimate } from "../src/stats/intervals.ts";

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
  { page: "docs/papers.md", file: "docs/results/papers/2048-figure-5.svg", svg: figure5(root) },
  { page: "docs/papers.md", file: "docs/results/papers/2048-figures-6-and-7.svg", svg: figures6And7(root) },
  { page: "docs/papers.md", file: "docs/results/papers/blokuszero-figure-10.svg", svg: blokusFigure10(root) },
  { page: "docs/papers.md", file: "docs/results/papers/blokuszero-figure-12.svg", svg: blokusFigure12(root) },
  {
    page: "docs/notebook/blokuszero.md",
    file: "docs/results/blokuszero-small/techniques.svg",
    svg: blokusTechniques(root),
  },
  {
    page: "docs/notebook/blokuszero.md",
    file: "docs/results/blokuszero-fast/curve.svg",
    svg: blokusFast(root),
  },
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

/** The learning curve of `blokuszero-fast.yaml`. */
const blokusFast = (root: string) =>
  learningCurve("blokuszero-fast", {
    title: "Win share alone against three MCTS-MAX^N with as many simulations, %",
    description: "Share of 100 games that the net of each version won, with intervals of 95%.",
    yLabel: "Won, %",
    reference: { y: 25, label: "equals" },
    series: [
      {
        label: "the net alone",
        points: pointsOf(
          rowsOf(root, "docs/results/blokuszero-fast/contest-standings.csv").filter(
            ({ agent }) => agent === "net-alone",
          ),
          "learned",
          "won",
        ),
      },
    ],
  });

/** Figure 10 of BlokusZero on smaller Blokus: seeds, and their mean. */
function blokusFigure10(root: string): string {
  const rows = rowsOf(root, "docs/results/blokuszero-small/contest-standings.csv").filter(
    ({ agent, stage }) => agent === "player" && stage === "curve",
  );
  const seeds = [...new Set(rows.map(({ seed }) => seed!))];
  return learningCurve("blokuszero-figure-10", {
    title: "Win share alone against three MCTS-MAX^N with as many simulations, %",
    description:
      "Shares of 300 games that each version won: three seeds, and their mean with its interval of 95%.",
    yLabel: "Won, %",
    reference: { y: 25, label: "equals" },
    landmarks: [{ x: 13_200, label: "learning rate 0.0003" }],
    series: [
      ...seeds.map((seed) => ({
        label: `seed ${seed}`,
        unlabelled: true as const,
        style: undefined,
        points: rows
          .filter((row) => row["seed"] === seed)
          .map((row) => ({ x: Number(row["learned"]), y: 100 * Number(row["won"]) })),
      })),
      { label: "mean", style: 0, points: meansOf(rows, "learned", "won") },
    ],
  });
}

/** Later techniques on smaller Blokus, each alone, by processor time. */
function blokusTechniques(root: string): string {
  const rows = rowsOf(root, "docs/results/blokuszero-small/techniques.csv");
  const techniques = [...new Set(rows.map(({ technique }) => technique!))];
  return drawn("blokuszero-techniques", "Win share alone against three MCTS-MAX^N, %", {
    kind: "lines",
    description:
      "Shares of 600 games by minutes of one core: the paper's algorithm, and three techniques, means of two seeds.",
    xLabel: "Minutes of one core",
    yLabel: "Won, %",
    yRange: [0, 27],
    reference: { y: 25, label: "equals" },
    series: techniques.map((technique, style) => ({
      label: technique === "none" ? "the paper's algorithm" : technique,
      style,
      points: versionsOf(rows.filter((row) => row["technique"] === technique)),
    })),
  });
}

/** The mean share of each version over seeds, by the mean of the processor minutes it took. */
function versionsOf(rows: readonly Record<string, string>[]) {
  return [...Map.groupBy(rows, (row) => row["learned"]).values()].map((versions) => {
    const mean = (of: (row: Record<string, string>) => number) =>
      versions.reduce((sum, row) => sum + of(row), 0) / versions.length;
    return {
      x: mean((row) => Number(row["processor seconds"]) / 60),
      y: mean((row) => 100 * Number(row["won"])),
    };
  });
}

/** Figure 12 of BlokusZero on smaller Blokus: the policy's probability of its likeliest moves. */
function blokusFigure12(root: string): string {
  const rows = rowsOf(root, "docs/results/blokuszero-small/policy-shares.csv");
  const tops = [...new Set(rows.map(({ likeliest }) => likeliest!))];
  return drawn("blokuszero-figure-12", "Probability of the policy's likeliest moves, %", {
    kind: "lines",
    description:
      "Mean probability of the likeliest moves by pieces laid: the mean of three seeds with its interval of 95%.",
    xLabel: "Pieces placed",
    yLabel: "Probability, %",
    yRange: [0, 100],
    series: tops.map((top, style) => ({
      label: `top ${top}`,
      style,
      points: meansOf(
        rows.filter((row) => row["likeliest"] === top),
        "ply",
        "share",
      ),
    })),
  });
}

/** Means over seeds, in per cent, with their intervals. */
function meansOf(rows: readonly Record<string, string>[], x: string, y: string) {
  const xs = [...new Set(rows.map((row) => row[x]!))].map(Number).toSorted((a, b) => a - b);
  return xs.flatMap((at) => {
    const values = rows.filter((row) => Number(row[x]) === at).map((row) => 100 * Number(row[y]));
    // A ply that not every seed reached is left out.
    if (values.length < 3) return [];
    const { value, interval } = meanEstimate(values);
    const [low, high] = intervalWithin(interval, [0, 100]);
    // Sums of shares can miss 1 by a rounding.
    return [{ x: at, y: Math.min(100, value), low, high }];
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
    landmarks?: readonly Landmark[];
    series: readonly LineSeries[];
  },
): string {
  const { title, series, ...rest } = curve;
  const chart = {
    ...rest,
    kind: "lines" as const,
    xLabel: "Steps of learning",
    series: series.map((one, style) => ({ style, ...one })),
  };
  return drawn(id, title, chart);
}

/** Figure 5 of Watanabe and Matsuzaki: mean scores of four players that learn from the trees they search. */
function figure5(root: string): string {
  const rows = rowsOf(root, "docs/results/2048-mcsoftmax-laptop/curves.csv").filter(
    ({ change }) => change === "none",
  );
  const players = ["10-tree", "5-tree", "1-tree", "greedy"];
  const best = Number(
    rowsOf(root, "docs/data/2048-published.csv").find(({ player }) => player === "MC Softmax with 10 trees")![
      "mean score"
    ],
  );
  return drawn("figure-5", "Mean score of the games learned from", {
    kind: "lines",
    description:
      "Mean scores of four players by minutes of processor time: the means of four seeds with intervals of 95%, and the paper's best mean.",
    xLabel: "Minutes of one core",
    yLabel: "Mean score",
    reference: { y: best, label: "theirs: 10-tree after 30 hours" },
    series: players.map((player, style) => ({
      label: player,
      style,
      points: [
        ...Map.groupBy(
          rows.filter((row) => row["player"] === player),
          (row) => row["games"],
        ).values(),
      ].map((seeds) => {
        const { value, interval } = meanEstimate(seeds.map((row) => Number(row["mean score"])));
        return {
          x: meanOf(seeds, "core minutes"),
          y: value,
          low: Math.max(0, interval[0]),
          high: interval[1],
        };
      }),
    })),
  });
}

/**
 * Figures 6 and 7 of Watanabe and Matsuzaki: scores while learning from the search, as multiples of greedy play on the weights
 * before it, beside the level of their search without learning.
 */
function figures6And7(root: string): string {
  const learning = rowsOf(root, "docs/data/2048-mcsoftmax-chance.csv").filter(
    ({ learned }) => Number(learned) >= 3000,
  );
  const greedyMean = meanOf(
    learning.filter(({ learned }) => learned === "3000"),
    "mean score",
  );
  const theirs = scoresOfCnn22(root);
  const searching = theirs.get("MC Softmax with 100 simulations")! / theirs.get("none")!;
  const games = 300;
  return drawn("figures-6-and-7", "Score while learning from the search, over greedy play before", {
    kind: "lines",
    description:
      "Mean scores of 50 games of the search with the values being learned, as multiples of greedy play before; the paper's search without learning as a level.",
    xLabel: "Games of the search learned from",
    yLabel: "Score over greedy play",
    reference: { y: 1, label: "greedy play" },
    // Room for the reference's label before the first point.
    xRange: [0, games],
    series: [
      ...(
        [
          ["returns, lambda .5", "td-lambda"],
          ["EvalV+Reward", "eval-value"],
          ["NodeV+Reward", "node-value"],
        ] as const
      ).map(([label, target], style) => ({
        label,
        style,
        points: learning
          .filter((row) => row["stage"] === `learn-${target}` && Number(row["learned"]) > 3000)
          .map((row) => ({ x: Number(row["learned"]) - 3000, y: Number(row["mean score"]) / greedyMean })),
      })),
      level("theirs, not learning", searching, [50, games]),
    ],
  });
}

/** A level to compare with, as a thin line with its label at the end. */
const level = (label: string, y: number, xs: readonly number[]): LineSeries => ({
  label,
  style: undefined,
  points: xs.map((x) => ({ x, y })),
});

/** The mean of a column. */
const meanOf = (rows: readonly Record<string, string>[], name: string) =>
  rows.reduce((sum, row) => sum + Number(row[name]), 0) / rows.length;

/** The published mean scores of one CNN22, by the search that used it. */
const scoresOfCnn22 = (root: string) =>
  new Map(
    rowsOf(root, "docs/data/2048-published.csv")
      .filter((row) => row["player"] === "CNN22 of Watanabe and Matsuzaki")
      .map((row) => [row["search"]!, Number(row["mean score"])]),
  );

/** Figure A-1 of Watanabe and Matsuzaki: scores by simulations, as multiples of greedy play on the same weights. */
function figureA1(root: string): string {
  const ours = rowsOf(root, "docs/results/2048-search/score-and-effort.csv");
  const greedyMean = meanOf(
    ours.filter((row) => row["agent"] === "greedy"),
    "mean",
  );
  const theirs = scoresOfCnn22(root);
  const simulated = ours.filter((row) => row["stage"] === "simulations");
  const point = (simulations: number, y: number) => ({ x: Math.log2(simulations), y });
  const ratio = (row: Record<string, string>, name: string) => Number(row[name]) / greedyMean;
  return drawn("figure-a-1", "Score by simulations a move, over greedy play", {
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
            return simulations === undefined ? [] : [point(Number(simulations), score / theirs.get("none")!)];
          })
          .toSorted((a, b) => a.x - b.x),
      },
      level(
        "theirs, expectimax",
        theirs.get("expectimax of 3 plies")! / theirs.get("none")!,
        simulated.map(({ simulations }) => Math.log2(Number(simulations))),
      ),
    ],
  });
}

function rowsOf(root: string, file: string): Record<string, string>[] {
  const [head, ...lines] = readFileSync(join(root, file), "utf8").trim().split(/\r?\n/);
  const names = head!.split(",");
  return lines.map((line) => Object.fromEntries(line.split(",").map((value, i) => [names[i]!, value])));
}

/** A chart of the documentation, as a separate file. */
const drawn = (id: string, title: string, chart: Chart): string =>
  standalone(drawFigure({ title, chart }, 820, id).text);

/** Pixels beside a chart in a separate file. */
const ROOM = 16;

/** A chart as a separate file, with the style that a page would give it: light or dark as its reader's system. */
function standalone(svg: string): string {
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
