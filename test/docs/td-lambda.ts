import { expect } from "vitest";
import { type Comparison, data, expectMeasured, of, percent } from "./measured.ts";

const FOLDER = "results/duo-td-seeds";

/** The stages in the order of the tables: columns of the one, rows of the other. */
const STAGES = ["learn-uct", "learn-random", "learn-epsilon"];

/** The direction of the weights of each learner after some games. */
const direction: Comparison = {
  columns: [1, 2, 3],
  compare(rows) {
    const measured = data(`${FOLDER}/weights-direction.csv`);
    expect(rows.length).toBeGreaterThan(6);
    for (const [games, ...cells] of rows)
      for (const [i, cell] of cells.entries()) {
        const row = measured.find(
          (each) => each["stage"] === STAGES[i] && each["games"] === games!.replaceAll(",", ""),
        );
        const told = row === undefined ? [] : of(row, "cosine", "low", "high");
        expectMeasured(cell, told, `${STAGES[i]}, ${games} games`);
      }
  },
};

/** The game from which the weights of each learner rest, and have the direction of the longest taught ones. */
const settled: Comparison = {
  columns: [1, 3, 4],
  compare(rows) {
    const measured = data(`${FOLDER}/weights-settled.csv`);
    expect(rows.length).toBe(STAGES.length);
    for (const [i, [label, rests, , directed, runs]] of rows.entries()) {
      const row = measured.find((each) => each["stage"] === STAGES[i])!;
      expectMeasured(rests!, of(row, "settled from game", "low", "high"), label!);
      const none = row["runs in its direction"] === "0";
      expectMeasured(
        directed!,
        none ? [] : of(row, "in its direction from game", "direction low", "direction high"),
        label!,
      );
      expectMeasured(runs!, of(row, "runs in its direction", "runs"), label!);
    }
  },
};

/** The final players against each other. */
const matches: Comparison = {
  columns: [1],
  compare(rows) {
    const measured = data(`${FOLDER}/results.csv`).filter(({ stage }) => stage === "learned");
    expect(rows.length).toBe(STAGES.length);
    for (const [i, [label, share]] of rows.entries()) {
      const row = measured.find(({ agent }) => `learn-${agent}` === STAGES[i])!;
      expectMeasured(share!, percent(row, "value", "low", "high"), label!);
    }
  },
};

/** These tables of the notebook on TD(lambda), by the file that the line "Data:" after a table leads to. */
export const tdLambda: Readonly<Record<string, Comparison>> = {
  [`${FOLDER}/weights-direction.csv`]: direction,
  [`${FOLDER}/weights-settled.csv`]: settled,
  [`${FOLDER}/results.csv`]: matches,
};
