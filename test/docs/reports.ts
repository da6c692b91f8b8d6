import { posix } from "node:path";
import { expect } from "vitest";
import { type Comparison, data, expectMeasured, numbers, of, percent, wonOf } from "./measured.ts";

/** Tables of the notebook whose data are tables of reports, or what a script has written. */

type Row = Readonly<Record<string, string>>;

/** The one row of some data with these values. */
function rowOf(file: string, values: Row): Row {
  const rows = data(file).filter((row) =>
    Object.entries(values).every(([name, value]) => row[name] === value),
  );
  expect(rows.length, `${file}: ${Object.values(values).join(", ")}`).toBe(1);
  return rows[0]!;
}

/** Rows by their first cells; each compared column has these numbers, and an empty cell none. */
type Measured = Readonly<Record<string, readonly (readonly number[])[]>>;

/** A table of which `columns` are compared and the cells before them name the row. */
const byLabel = (columns: readonly number[], measured: () => Measured): Comparison => ({
  columns,
  compare(rows) {
    const expected = measured();
    const labelled = rows.map((row) => [row.slice(0, columns[0]).join(": "), row] as const);
    expect(labelled.map(([label]) => label).toSorted()).toEqual(Object.keys(expected).toSorted());
    for (const [label, row] of labelled)
      for (const [i, column] of columns.entries()) expectMeasured(row[column]!, expected[label]![i]!, label);
  },
});

const small = byLabel([2], () => {
  const score = (stage: string, agent: string, learned: string) =>
    of(rowOf("results/experiments/quickstart.csv", { stage, agent, learned }), "mean", "low", "high");
  const gain = rowOf("results/experiments/quickstart-paired-gains.csv", { agent: "mc-softmax" });
  const zero = (learned: string) =>
    percent(
      rowOf("results/experiments/tic-tac-toe-zero.csv", { agent: "player", learned }),
      "won",
      "won low",
      "won high",
    );
  return {
    "`quickstart.yaml`: greedy, 100 games, after 5,000": [score("curve", "greedy", "5000")],
    "`quickstart.yaml`: greedy, 16 games": [score("gain", "greedy", "5000")],
    "`quickstart.yaml`: MC Softmax with 100 simulations, these games": [score("gain", "mc-softmax", "5000")],
    "`quickstart.yaml`: the gain of MC Softmax, game by game": [of(gain, "gain", "low", "high")],
    ...Object.fromEntries(
      ["0", "300", "600", "900", "1200"].map((steps) => [
        `\`tic-tac-toe-zero.yaml\`: won against UCT with 100 simulations after ${Number(steps).toLocaleString("en")} steps`,
        [zero(steps)],
      ]),
    ),
  };
});

const flows = byLabel([1, 2, 3], () => {
  const totals = (part: string) => rowOf("results/experiments/tic-tac-toe-zero-flow-totals.csv", { part });
  return Object.fromEntries(
    ["games", "weights", "against-uct"].map((part) => [
      part,
      ["worked %", "waited %", "held up %"].map((column) => of(totals(part), column)),
    ]),
  );
});

const REINFORCEMENT = "results/reinforcement";

const rates = byLabel([1, 2, 3, 4], () => {
  const step = (rate: string, number: string) => {
    const row = rowOf(`${REINFORCEMENT}/rate-${rate}-pool-games.csv`, { step: number });
    return [of(row, "score"), of(row, "entropy")];
  };
  const untrained = (rate: string) => [
    of(rowOf(`${REINFORCEMENT}/rate-${rate}-match.csv`, { agent: "sampler" }), "won", "won low", "won high"),
    [],
  ];
  const both = (at: (rate: string) => number[][]) => [...at("0.0005"), ...at("0.003")];
  return {
    ...Object.fromEntries(
      ["1", "20", "40", "60", "80", "100", "120"].map((number) => [
        number,
        both((rate) => step(rate, number)),
      ]),
    ),
    "at the end, against an untrained policy": both(untrained),
  };
});

/** Errors of value nets and of rollouts on 5x5. */
const error = (run: string, stage: string, by: string, positions: string) =>
  of(
    rowOf(`${REINFORCEMENT}/${run}value-errors.csv`, { stage, "values by": by, "positions of": positions }),
    "error",
    "low",
    "high",
  );

const valueErrors = byLabel([2], () => ({
  "the net of one position from each of 7,200 games: positions of the newest 800 of these games": [
    error("", "error", "one", "training"),
  ],
  "the net of one position from each of 7,200 games: one position of each of 800 other games": [
    error("", "error", "one", "test"),
  ],
  "the net of all 7,000 positions of 165 games: these positions": [error("", "error-all", "all", "training")],
  "the net of all 7,000 positions of 165 games: all 7,143 positions of 165 other games": [
    error("", "error-all", "all", "test"),
  ],
  "the net of all 7,000 positions of 165 games: the positions of the 800 other games": [
    error("", "error", "all", "test"),
  ],
  "20 rollouts by the policy that played the games: the positions of the 800 other games": [
    error("", "error", "sampler", "test"),
  ],
  "20 uniformly random rollouts: the positions of the 800 other games": [
    error("", "error", "uniform", "test"),
  ],
}));

const valueChanges = byLabel([2, 3], () => {
  const both = (run: string, stage: string, net: string) => [
    error(run, stage, net, "training"),
    error(run, stage, net, "test"),
  ];
  return Object.fromEntries(
    [
      ["fewer games, 400 steps", "small-"],
      ["`symmetries: true`, 150 steps", "images-"],
    ].flatMap(([change, run]) => [
      [`${change}: one position a game`, both(run!, "error", "one")],
      [`${change}: all positions`, both(run!, "error-all", "all")],
    ]),
  );
});

const blokusSearches = byLabel([1, 2], () =>
  Object.fromEntries(
    data("results/blokus-searches/contest-standings.csv").map((row) => [
      row["agent"]!,
      [wonOf(row), of(row, "rating", "rating low", "rating high")],
    ]),
  ),
);

/** Mean scores of greedy play by N-tuple networks; files are named by what differs from 2048-ntuple.yaml. */
const strength = byLabel([2], () => {
  const final = (name: string) =>
    of(rowOf(`results/2048-strength/${name}.csv`, { stage: "final" }), "mean", "low", "high");
  return {
    "`2048-ntuple.yaml`: 8,000": [final("8000")],
    "`2048-ntuple.yaml` with `--set graph.learn.games=20000 --set graph.learn.every=20000`: 20,000": [
      final("20000"),
    ],
    "`2048-ntuple.yaml` with `--set graph.learn.games=50000 --set graph.learn.every=50000 --set graph.learn.lambda=0`: 50,000":
      [final("50000-lambda-0")],
    "`2048-ntuple.yaml` with `--set nets.value.tuples=8x6 --set graph.learn.games=20000 --set graph.learn.every=20000`: 20,000":
      [final("8x6-20000")],
  };
});

/** Networks of the runs of 2048-long.yaml: their last matches, and games that made 32,768. */
const long = byLabel([1, 2, 3, 4, 5], () => {
  const folder = (run: string) => `results/2048-long/${run}`;
  const score = (run: string, stage: string, agent: string) =>
    of(rowOf(`${folder(run)}/last-match.csv`, { stage, agent }), "mean", "low", "high");
  const large = (run: string, agent: string) =>
    of(rowOf(`${folder(run)}/fact-values.csv`, { agent, value: "32768" }), "at least");
  // The report puts the better one first.
  const gain = (run: string) => {
    const [row] = data(`${folder(run)}/paired-gains.csv`);
    const [value, low, high] = of(row!, "gain", "low", "high") as [number, number, number];
    expect(new Set([row!["agent"], row!["over"]])).toEqual(new Set(["downgraded", "expectimax"]));
    return row!["agent"] === "downgraded" ? [value, low, high] : [-value, -high, -low];
  };
  const measured = (run: string) => [
    score(run, "greedy", "greedy"),
    score(run, "searched", "expectimax"),
    score(run, "searched", "downgraded"),
    gain(run),
    [...large(run, "expectimax"), ...large(run, "downgraded")],
  ];
  return {
    "`restart: 1000`, 430,000": measured("begun-again-1000"),
    "then 130,000 at rate .05": measured("begun-again-1000-low-rate"),
    "`restart: 10`, 1,600,000": measured("begun-again-10"),
    "then 400,000 at rate .05": measured("begun-again-10-low-rate"),
  };
});

/** How planted faults ended, by the folder of their files, and all together. */
const mutation = byLabel([1, 2, 3, 4, 5, 6], () => {
  const drawn = data("results/mutation.csv");
  const counts = (rows: readonly Row[]) => {
    const ends = ["killed", "timed-out", "survived", "no-coverage"].map((end) => [
      rows.filter((row) => row["end"] === end).length,
    ]);
    return [[rows.length], ...ends, [(100 * (ends[0]![0]! + ends[1]![0]!)) / rows.length]];
  };
  const rooms = Map.groupBy(drawn, (row) => posix.dirname(row["file"]!));
  return Object.fromEntries([
    ...[...rooms].map(([room, rows]) => [room, counts(rows)]),
    ["all", counts(drawn)],
  ]);
});

const solver: Comparison = {
  columns: [0, 1, 2, 3, 4, 5, 6, 7],
  compare(rows) {
    const measured = data("results/connect-four-solver.csv");
    expect(rows.length).toBe(measured.length);
    for (const [i, row] of measured.entries())
      for (const [column, value] of Object.values(row).slice(0, 8).entries())
        expectMeasured(rows[i]![column]!, [Number(value)], `${row["stones"]} stones`);
  },
};

/** Sizes and times of an installation: what, unit, then a column for each Node in the order of the trial. */
const installation: Comparison = {
  columns: [2, 3],
  compare(rows) {
    const measured = data("results/installation.csv");
    const nodes = [...new Set(measured.map((row) => row["node"]!))].filter((node) => node !== "");
    expect(nodes.length).toBe(2);
    for (const [what, unit, ...cells] of rows) {
      const told = measured.filter((row) => row["what"] === what && row["unit"] === unit);
      expect(told.length, what).toBeGreaterThan(0);
      for (const [i, node] of nodes.entries()) {
        const values = told.filter((row) => row["node"] === node || row["node"] === "");
        expectMeasured(
          cells[i]!,
          values.map((row) => Number(row["value"])),
          `${what}, ${node}`,
        );
      }
    }
    expect(numbers(rows.map((row) => row.slice(2).join(" ")).join(" ")).length).toBeGreaterThan(15);
  },
};

/** These tables, by the file in `docs` that the line "Data:" after a table leads to. */
export const reports: Readonly<Record<string, Comparison>> = {
  "results/experiments/quickstart.csv": small,
  "results/experiments/tic-tac-toe-zero-flow-totals.csv": flows,
  [`${REINFORCEMENT}/rate-0.0005-pool-games.csv`]: rates,
  [`${REINFORCEMENT}/value-errors.csv`]: valueErrors,
  [`${REINFORCEMENT}/small-value-errors.csv`]: valueChanges,
  "results/blokus-searches/contest-standings.csv": blokusSearches,
  "results/2048-long": long,
  "results/2048-strength": strength,
  "results/connect-four-solver.csv": solver,
  "results/mutation.csv": mutation,
  "results/installation.csv": installation,
};
