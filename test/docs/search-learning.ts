import { expect } from "vitest";
import { meanEstimate } from "../../src/stats/intervals.ts";
import { type Comparison, data, expectMeasured, meanOf, numbers, of } from "./measured.ts";

/** Tables of docs/notebook/2048-search-learning.md: targets of learning with search. */

/** Stages of learning whose names do not follow from the label of their row. */
const STAGES: Readonly<Record<string, string>> = {
  "`returns`, lambda 0": "td-0",
  "`returns`, lambda .5": "td-lambda",
  "greedy play, as many games (400)": "greedily",
  "greedy play, 4,000 games": "greedily-longer",
};

/** A row that is told at the end of its learning alone. */
const LONGER = "greedy play, 4,000 games";

/** The target that a row is about, as in the names of its stages. */
const targetOf = (label: string): string | undefined => STAGES[label] ?? /`(.*?)`/.exec(label)?.[1];

const learner = (label: string): string[] => [`learn-${targetOf(label)}`];

/** Of two learners of a double target the first is told. */
const player = (label: string): string[] => {
  const target = /`(.*?)`/.exec(label)?.[1];
  return target === undefined ? [] : [`play-${target}`, `play-${target}-1`];
};

/** A mean score and its interval in a report's table of matches. */
function scoreOf(file: string, stage: string, learned?: number): number[] {
  const rows = data(file).filter(
    (row) => row["stage"] === stage && (learned === undefined || Number(row["learned"]) === learned),
  );
  expect(rows.length, `${file}: ${stage}`).toBe(1);
  return ["mean", "low", "high"].map((name) => Number(rows[0]![name]));
}

/** A table of V(start) while learning: label, V(start), its ratio to the scores, and where there are any the scores. */
interface StartValues {
  readonly file: string;
  /** Games or versions learned from at which V(start) is told; where none was measured then, the next one counts. */
  readonly learned: readonly number[];
  /** Those of the ratios. */
  readonly ratios: readonly number[];
  /** Those of the mean scores. */
  readonly scores?: readonly number[];
  /** The report's table of the matches afterwards: greedy, with the search. */
  readonly afterwards?: string;
  /** The data's stages of a row with this label. */
  readonly stagesOf: (label: string) => readonly string[];
  readonly learners?: number;
}

const startValues = ({
  file,
  learned,
  ratios,
  scores,
  afterwards,
  stagesOf,
  learners = 8,
}: StartValues): Comparison => ({
  columns: [1, 2, ...(scores === undefined ? [] : [3]), ...(afterwards === undefined ? [] : [4, 5])],
  compare(rows) {
    const points = data(file);
    let compared = 0;
    for (const [label, values, quotients, means, greedy, searching] of rows) {
      const stages = stagesOf(label!);
      if (stages.length === 0) continue;
      compared++;
      const at = (column: string, when: readonly number[]) =>
        (label === LONGER ? [4000] : when).map((games) => {
          const point = points.find(
            ({ stage, learned: after }) => stages.includes(stage!) && Number(after) >= games,
          );
          return Number(point![column]);
        });
      expectMeasured(values!, at("V(start)", learned), label!);
      expectMeasured(quotients!, at("ratio", ratios), label!);
      if (scores !== undefined) expectMeasured(means!, at("mean score", scores), label!);
      if (afterwards === undefined) continue;
      expectMeasured(greedy!, scoreOf(afterwards, `greedy-${targetOf(label!)}`), label!);
      expectMeasured(
        searching!,
        label === LONGER ? [] : scoreOf(afterwards, `search-${targetOf(label!)}`),
        label!,
      );
    }
    expect(compared).toBe(learners);
  },
});

const FOLDER = "results/2048-search-learning";

/** V(start) of a small board as a mean over some of its values, up to so many games. */
function startOf(file: string, label: string, games: number, count: number): number {
  const values = data(file).filter(
    (row) => learner(label).includes(row["stage"]!) && Number(row["learned"]) <= games,
  );
  expect(Number(values.at(-1)!["learned"])).toBe(games);
  return meanEstimate(values.slice(-count).map((row) => Number(row["V(start)"]))).value;
}

/** Tables of all positions: V(start) over 200 games before and after 400 games of the search, beside the optimum. */
const exactValues = (board: string, withScores: boolean): Comparison => ({
  columns: withScores ? [1, 2, 3, 4, 5] : [1, 2, 3],
  compare(rows) {
    const file = `${FOLDER}/${board}-value-monitor.csv`;
    expect(rows.length).toBe(8);
    for (const [label, before, after, ratio, greedy, searching] of rows) {
      const [first, last] = [1000, 1400].map((games) => startOf(file, label!, games, 4)) as [number, number];
      expectMeasured(before!, [first], label!);
      expectMeasured(after!, [last], label!);
      expectMeasured(ratio!, [last / Number(data(file)[0]!["optimum"])], label!);
      if (!withScores) continue;
      const matches = `${FOLDER}/${board}-match-results.csv`;
      expectMeasured(greedy!, scoreOf(matches, `greedy-${targetOf(label!)}`), label!);
      expectMeasured(searching!, scoreOf(matches, `search-${targetOf(label!)}`), label!);
    }
  },
});

const shared: Comparison = {
  columns: [1, 2, 3, 4],
  compare(rows) {
    const file = `${FOLDER}/3x3-value-monitor.csv`;
    const matches = `${FOLDER}/3x3-match-results.csv`;
    expect(rows.length).toBe(8);
    for (const [label, values, ratio, searching, greedy] of rows) {
      const points = [3000, 3200, 3400, 3600].map((games) =>
        data(file).find(
          (row) => learner(label!).includes(row["stage"]!) && Number(row["learned"]) === games,
        )!,
      );
      expectMeasured(
        values!,
        points.map((row) => Number(row["V(start)"])),
        label!,
      );
      expectMeasured(ratio!, [Number(points.at(-1)!["ratio"])], label!);
      expectMeasured(searching!, scoreOf(matches, `search-${targetOf(label!)}`), label!);
      expectMeasured(greedy!, scoreOf(matches, `greedy-${targetOf(label!)}`), label!);
    }
  },
};

/** Two learners, greedily and with the search, halfway and at the end. */
const twoTeachers: Comparison = {
  columns: [1, 2, 3, 4],
  compare(rows) {
    const file = `${FOLDER}/match-results.csv`;
    expect(rows.map(([label]) => label)).toEqual([
      "learned from games of the search after 3,000",
      "learned from greedy games",
    ]);
    for (const [i, [label, ...cells]] of rows.entries())
      for (const [j, [kind, games]] of (
        [
          ["greedy", 3000],
          ["greedy", 6000],
          ["search", 3000],
          ["search", 6000],
        ] as const
      ).entries())
        expectMeasured(
          cells[j]!,
          scoreOf(file, `${kind}-${["searched", "greedily"][i]}`, games),
          `${label} ${kind} ${games}`,
        );
  },
};

const FIXED_TREES = "results/2048-mcsoftmax-laptop/curves.csv";

/** The learning curves of a player of experiment 1, one for each seed; with a change of its settings, or with none. */
export const seedsOf = (player: string, change = "none"): Record<string, string>[][] => [
  ...Map.groupBy(
    data(FIXED_TREES).filter((row) => row["player"] === player && row["change"] === change),
    (row) => row["seed"]!,
  ).values(),
];

/** The mean score over the first quarter of a learning curve, whose points have equally many games. */
export const firstQuarter = (curve: readonly Record<string, string>[]): number =>
  meanEstimate(curve.slice(0, curve.length / 4).flatMap((row) => of(row, "mean score"))).value;

/** The same over the last quarter. */
export const lastQuarter = (curve: readonly Record<string, string>[]): number =>
  firstQuarter(curve.toReversed());

/** Experiment 1: greedy, 1-tree, 5-tree and 10-tree, and their changes: means over seeds. */
const fixedTrees: Comparison = {
  columns: [2, 3, 4, 5, 6, 7],
  compare(rows) {
    const settings = new Set(data(FIXED_TREES).map((row) => `${row["player"]}: ${row["change"]}`));
    expect(new Set(rows.map(([player, change]) => `${player}: ${change}`))).toEqual(settings);
    for (const [player, change, seeds, games, first, last, start, best] of rows) {
      const curves = seedsOf(player!, change);
      const ends = curves.map((curve) => curve.at(-1)!);
      expect([...numbers(seeds!), ...numbers(games!)]).toEqual([curves.length, Number(ends[0]!["games"])]);
      for (const [cell, values] of [
        [first, curves.map(firstQuarter)],
        [last, curves.map(lastQuarter)],
        [start, ends.flatMap((row) => of(row, "V(start)"))],
      ] as const) {
        expectMeasured(cell!, meanOf(values), `${player}: ${change}`);
      }
      expect(numbers(best!)).toEqual([Math.max(...ends.flatMap((row) => of(row, "best game")))]);
    }
  },
};

export const searchLearning: Readonly<Record<string, Comparison>> = {
  [`${FOLDER}/2x2-value-monitor.csv`]: exactValues("2x2", false),
  [`${FOLDER}/2x3-value-monitor.csv`]: exactValues("2x3", true),
  [`${FOLDER}/3x3-value-monitor.csv`]: shared,
  [`${FOLDER}/match-results.csv`]: twoTeachers,
  [FIXED_TREES]: fixedTrees,
  "data/2048-mcsoftmax-chance.csv": startValues({
    file: "data/2048-mcsoftmax-chance.csv",
    learned: [3000, 3050, 3100, 3200, 3300],
    ratios: [3000, 3300],
    scores: [3050, 3300],
    stagesOf: learner,
  }),
  "data/2048-mcsoftmax-chance-laptop.csv": startValues({
    file: "data/2048-mcsoftmax-chance-laptop.csv",
    learned: [300, 350, 400],
    ratios: [300, 350, 400],
    scores: [400],
    afterwards: `${FOLDER}/laptop-match-results.csv`,
    stagesOf: learner,
    learners: 10,
  }),
  "data/2048-mcsoftmax-chance-cnn22-3x3.csv": startValues({
    file: "data/2048-mcsoftmax-chance-cnn22-3x3.csv",
    learned: [10, 100, 200, 400],
    ratios: [10, 100, 200, 400],
    stagesOf: player,
  }),
};
