import { readdirSync, readFileSync } from "node:fs";
import { expect } from "vitest";
import { chiSquareTail, chiSquareTest } from "../../src/stats/chi-square.ts";
import { meanEstimate } from "../../src/stats/intervals.ts";
import { trialRows } from "../../scripts/trials.ts";
import { blokusZero } from "./blokuszero.ts";
import {
  type Comparison,
  data,
  expectMeasured,
  percent,
  meanOf,
  numbers,
  of,
  placesOf,
  type Rows,
  wonOf,
} from "./measured.ts";
import { root } from "./pages.ts";
import { reports } from "./reports.ts";
import { searchLearning } from "./search-learning.ts";
import { tdLambda } from "./td-lambda.ts";

const searches: Comparison = {
  columns: [2, 3, 4],
  compare(rows) {
    const measured = data("results/2048-search/score-and-effort.csv");
    expect(rows.length).toBe(measured.length);
    for (const [stage, agent, score, time, points] of rows) {
      const row = measured.find((one) => one["stage"] === stage && one["agent"] === agent)!;
      const where = `${stage} ${agent}`;
      expectMeasured(
        score!,
        ["mean", "low", "high"].map((name) => Number(row[name])),
        where,
      );
      expectMeasured(time!, [Number(row["milliseconds a decision"])], where);
      expectMeasured(points!, [Number(row["points a second"])], where);
    }
  },
};

/** Every game of a search of some depth; `agents` are those of the rows, in order. */
const deepSearch = (file: string, agents: readonly string[]): Comparison => ({
  // The first of these files does not have the greatest tiles.
  columns: "greatest" in data(file)[0]! ? [1, 2, 3, 4, 5] : [1, 2, 4, 5],
  compare(rows) {
    const games = data(file);
    expect(rows.length).toBe(agents.length);
    for (const [i, [label, count, score, large, least, time]] of rows.entries()) {
      const seed = label!.includes("2049") ? "2049" : "2048";
      const played = games.filter((game) => game["agent"] === agents[i] && game["seed"] === seed);
      expect(numbers(count!)).toEqual([played.length]);
      const scores = played.map((game) => Number(game["score"]));
      expectMeasured(score!, meanOf(scores), label!);
      expect(numbers(least!)).toEqual([Math.min(...scores)]);
      if (played[0]!["greatest"] !== undefined)
        expect(numbers(large!)).toEqual([played.filter((game) => Number(game["greatest"]) >= 32768).length]);
      const sum = (name: string) => played.reduce((total, game) => total + Number(game[name]), 0);
      expectMeasured(time!, [(1000 * sum("seconds")) / sum("decisions")], label!);
    }
  },
});

/** Compares games, totals, means and places of a pair with counts of places; returns the means. */
function comparePlaces([pair, games, totals, means, first, second]: readonly string[], file: string) {
  const places = placesOf(file, pair!);
  expect([numbers(first!), numbers(second!)]).toEqual(places);
  const played = places.map((of) => of.reduce((sum, count) => sum + count, 0));
  expect(played).toEqual([Number(games), Number(games)]);
  const sums = places.map((of) => of.reduce((sum, count, i) => sum + (count * i) / 4, 0));
  expectMeasured(totals!, sums, pair!);
  const mean = sums.map((sum) => sum / Number(games));
  expectMeasured(means!, mean, pair!);
  return { mean, test: chiSquareTest(places) };
}

/** Compares the rows of a run with the tables of its report. */
function comparePairs(rows: Rows, folder: string, pairs: number): void {
  expect(rows.length).toBe(pairs);
  const tests = data(`results/${folder}/placings-tests.csv`);
  for (const row of rows) {
    const [pair, , , , , , statistic, p, difference] = row;
    comparePlaces(row, `results/${folder}/placings-counts.csv`);
    const [agent, against] = pair!.split(" - ");
    const test = tests.find((one) => one["agent"] === agent && one["against"] === against)!;
    expectMeasured(statistic!, [Number(test["statistic"])], pair!);
    expectMeasured(p!, [Number(test["p"])], pair!);
    expectMeasured(
      difference!,
      ["gain", "gain low", "gain high"].map((name) => Number(test[name])),
      pair!,
    );
  }
}

const daihinmin = (folder: string, pairs: number): Comparison => ({
  columns: [2, 3, 4, 5, 6, 7, 8],
  compare: (rows) => comparePairs(rows, folder, pairs),
});

/** The tables of Tsubokura and Nishino, and runs of their pairs beside them. */
const groupings: Comparison = {
  columns: [2, 3, 4, 5, 6, 7, 8, 9],
  compare(rows) {
    const of = (experiment: string) =>
      rows.filter((row) => row[1] === experiment).map((row) => row.toSpliced(1, 1));
    const source = of("source");
    expect(source.length).toBe(6);
    for (const row of source) {
      const [pair, , , , , , statistic, p, difference] = row;
      const { mean, test } = comparePlaces(row, "results/daihinmin-grouping/source-counts.csv");
      expectMeasured(statistic!, [test.statistic], pair!);
      expectMeasured(p!, [test.p], pair!);
      expectMeasured(difference!, [mean[0]! - mean[1]!], pair!);
    }
    const runs = [
      ["single deals", "daihinmin-grouping"],
      ["our reading", "daihinmin-source"],
    ] as const;
    for (const [experiment, folder] of runs) comparePairs(of(experiment), folder, 6);
    expect(rows.length).toBe(6 + 6 * runs.length);
  },
};

/** The two chi-square tests on the tables of Tsubokura and Nishino: goodness of fit, homogeneity. */
const sourceTests: Comparison = {
  columns: [1, 2, 3, 4, 5, 6],
  compare(rows) {
    const order = ["AI1 - AI2", "AI1 - AI3", "AI2 - AI3", "AI1 - ISMCTS", "AI2 - ISMCTS", "AI3 - ISMCTS"];
    const tables = order.map((pair) => placesOf("results/daihinmin-grouping/source-counts.csv", pair));
    const fit = ([expected, observed]: readonly number[][]) =>
      expected!.reduce((sum, times, i) => sum + (observed![i]! - times) ** 2 / times, 0);
    const tests = [
      tables.map((table) => chiSquareTail(fit(table), 4)),
      tables.map((table) => chiSquareTest(table).p),
    ];
    expect(tests[0]!.every((p) => p < 0.005)).toBe(true);
    expect(rows.length).toBe(tests.length);
    for (const [i, [label, ...cells]] of rows.entries())
      for (const [j, cell] of cells.entries()) expectMeasured(cell, [tests[i]![j]!], `${label} ${order[j]}`);
  },
};

/** What changes where a difference from the source is made, in the order of the columns: the difference of a pair's returns. */
const undone = [
  "nothing",
  "single deals",
  "one child a visit",
  "availability counts",
  "forced moves played at once",
  "all four",
] as const;
const sourceSweep: Comparison = {
  columns: [1, 2, 3, 4, 5, 6],
  compare(rows) {
    const measured = data("results/daihinmin-source/differences.csv");
    expect(measured.length).toBe(6 * undone.length);
    expect(rows.length).toBe(7);
    const gain = (run: string, stage: string) => {
      const row = measured.find((one) => one["undone"] === run && one["stage"] === stage)!;
      return of(row, "gain", "gain low", "gain high");
    };
    for (const [pair, ...cells] of rows.slice(0, 6))
      for (const [i, run] of undone.entries())
        expectMeasured(cells[i]!, gain(run, pair!.replace(" - ", "-")), `${pair} ${run}`);
    for (const [i, run] of undone.entries()) {
      const three = ["AI1-ISMCTS", "AI2-ISMCTS", "AI3-ISMCTS"].map((stage) => gain(run, stage));
      const mean = three.reduce((sum, [value]) => sum + value!, 0) / 3;
      // Pairs share no games.
      const half = Math.hypot(...three.map(([, low, high]) => (high! - low!) / 2)) / 3;
      expectMeasured(rows[6]![i + 1]!, [mean, mean - half, mean + half], `mean, ${run}`);
    }
  },
};

const peersIn = (folder: string): Comparison => ({
  columns: [2, 3, 4, 5],
  compare(cells) {
    const rows = cells.map(([file, stage, won, games, own, other]) => ({
      file,
      stage,
      won,
      games,
      own,
      other,
    }));
    const measured = readdirSync(`${root}docs/${folder}`).flatMap((name) => {
      const standings = data(`${folder}/${name}`);
      // In the order of the run: our agent comes first.
      return standings.flatMap((ours, i) =>
        i % 2 === 0 ? [{ file: name.replace(".csv", ""), ours, theirs: standings[i + 1]! }] : [],
      );
    });
    expect(rows.map(({ file, stage }) => `${file} ${stage}`).toSorted()).toEqual(
      measured.map(({ file, ours }) => `${file} ${ours["stage"]}`).toSorted(),
    );
    for (const { file, ours, theirs } of measured) {
      const where = `${file} ${ours["stage"]}`;
      const row = rows.find((each) => `${each.file} ${each.stage}` === where)!;
      expect(theirs["stage"]).toBe(ours["stage"]);
      expectMeasured(row.won!, wonOf(ours), where);
      expectMeasured(row.games!, [Number(ours["games"])], where);
      expectMeasured(row.own!, [Number(ours["ms a move"])], where);
      expectMeasured(row.other!, [Number(theirs["ms a move"])], where);
    }
  },
});

/** Scores against the first agent of a match, in the order of the match; for `first` those of the first agent. */
const againstFirst = (file: string, first = false): Comparison => ({
  columns: [1],
  compare(rows) {
    const pairs = data(file);
    expect(rows.length).toBe(pairs.length);
    for (const [i, pair] of pairs.entries()) {
      const [score, low, high] = percent(pair, "score", "score low", "score high");
      const measured = first ? [score!, low!, high!] : [100 - score!, 100 - high!, 100 - low!];
      expectMeasured(rows[i]![1]!, measured, pair["against"]!);
    }
  },
});

/** The search with a policy of moves against a level of Pentobi. */
const duoPentobi: Comparison = {
  columns: [1, 2, 3],
  compare(rows) {
    const [row] = rows;
    const standings = data("results/blokus-strength/pentobi-3.csv");
    const standing = (agent: string) => standings.find((each) => each["agent"] === agent)!;
    expect(rows.length).toBe(1);
    expectMeasured(row![1]!, wonOf(standing("classical")), "won");
    expectMeasured(row![2]!, [Number(standing("classical")["ms a move"])], "ours");
    expectMeasured(row![3]!, [Number(standing("pentobi-3")["ms a move"])], "theirs");
  },
};

/** Exploration on 2x3: V(start), greedy play, and its share of the optimum. */
const smallBoard: Comparison = {
  columns: [0, 2, 3, 4, 5],
  compare(rows) {
    const runs = data("results/2048-2x3/scores.csv");
    expect(rows.map(([begins, step, seed]) => [numbers(begins!)[0], step, seed])).toEqual(
      runs.map((row) => [Number(row["initial value"]), row["step"], row["seed"]]),
    );
    for (const [i, [, , , start, greedy, share]] of rows.entries()) {
      const run = runs[i]!;
      const where = `row ${i}`;
      expectMeasured(start!, of(run, "V(start)"), where);
      expectMeasured(greedy!, of(run, "mean", "low", "high"), where);
      expectMeasured(share!, [(100 * Number(run["mean"])) / Number(run["optimum"])], where);
    }
  },
};

/** Two rates of reinforcement: means over the steps of a row. */
const reinforcementRates: Comparison = {
  columns: [2, 3, 4],
  compare(rows) {
    const steps = data("results/alphago-9x9/reinforcement-rates.csv");
    for (const [rate, range, won, plies, entropy] of rows) {
      const [first, last] = numbers(range!);
      const own = steps.filter(
        (row) =>
          Number(row["rate"]) === Number(rate) &&
          Number(row["step"]) >= first! &&
          Number(row["step"]) <= last!,
      );
      expect(own.length).toBe(last! - first! + 1);
      const mean = (column: string, of = own) => meanEstimate(of.map((row) => Number(row[column]))).value;
      const where = `rate ${rate}, steps ${range}`;
      const against = own.filter((row) => row["opponent"] === "0");
      expectMeasured(won!, [100 * mean("score", against)], where);
      expectMeasured(plies!, [mean("plies")], where);
      expectMeasured(entropy!, [mean("entropy")], where);
    }
  },
};

const searchSettings: Comparison = {
  columns: [1],
  compare(rows) {
    const measured = new Map(
      data("results/alphago-9x9/search-settings.csv").map((row) => [row["settings"], row]),
    );
    expect(new Set(rows.map(([settings]) => settings))).toEqual(new Set(measured.keys()));
    for (const [settings, won] of rows) {
      const row = measured.get(settings)!;
      const shares = wonOf(row);
      expectMeasured(won!, shares, settings!);
    }
  },
};

const go9Zero: Comparison = {
  columns: [1, 2, 3],
  compare(rows) {
    const measured = data("results/go9-zero/curve.csv");
    expect(rows.map(([steps]) => Number(steps!.replace(",", "")))).toEqual(
      measured.map((row) => Number(row["steps"])),
    );
    for (const [i, [steps, won, own, opponent]] of rows.entries()) {
      const row = measured[i]!;
      const where = `${steps} steps`;
      const shares = wonOf(row);
      expectMeasured(won!, shares, where);
      expectMeasured(own!, [Number(row["ms a move"])], where);
      expectMeasured(opponent!, [Number(row["ms a move of rave"])], where);
    }
  },
};

/** Shares of positions in which players keep the value, by steps; a last row for each player that learns nothing. */
const suiteCurve = (file: string, learners: readonly string[]): Comparison => ({
  columns: learners.map((_, i) => i + 1),
  compare(rows) {
    const measured = data(file);
    const share = (steps: string, agent: string) => {
      const row = measured.find((one) => one["learned"] === steps && one["agent"] === agent)!;
      return ["share", "low", "high"].map((column) => 100 * Number(row[column]));
    };
    const learned = [...new Set(measured.map((row) => row["learned"]!))];
    expect(rows.map(([steps]) => steps!.replace(",", "")).slice(0, learned.length)).toEqual(learned);
    for (const [i, row] of rows.entries()) {
      const steps = learned[i];
      if (steps === undefined) expectMeasured(row[1]!, share("0", row[0]!), row[0]!);
      else
        for (const [column, agent] of learners.entries())
          expectMeasured(row[column + 1]!, share(steps, agent), `${steps} ${agent}`);
    }
  },
});

/** By suite, the share of positions in which each agent keeps the value; a cell is empty where an agent was not tested. */
const suiteShares = (file: string, agents: readonly string[]): Comparison => ({
  columns: [1, 2],
  compare(rows) {
    const measured = data(file);
    expect(rows.map(([suite]) => suite)).toEqual([...new Set(rows.map(([suite]) => suite))]);
    expect(rows.flatMap((row) => row.slice(1)).filter((cell) => cell !== "")).toHaveLength(measured.length);
    for (const { agent, high, low, share, suite } of measured) {
      const cell = rows.find(([name]) => name === suite)![agents.indexOf(agent!) + 1]!;
      expectMeasured(
        cell,
        [share, low, high].map((value) => 100 * Number(value)),
        `${suite} ${agent}`,
      );
    }
  },
});

/** Shares won against each opponent by steps, then the processor time a move of all of them. */
const matchCurve = (file: string, opponents: readonly string[]): Comparison => ({
  columns: [...opponents, "", ...opponents].map((_, i) => i + 1),
  compare(rows) {
    const measured = data(file);
    expect(rows.map(([steps]) => steps!.replace(",", ""))).toEqual(measured.map((row) => row["learned"]));
    for (const [i, [steps, ...cells]] of rows.entries()) {
      const row = measured[i]!;
      for (const [j, opponent] of opponents.entries())
        expectMeasured(
          cells[j]!,
          ["score", "score low", "score high"].map((column) => 100 * Number(row[`${opponent} ${column}`])),
          `${steps} ${opponent}`,
        );
      for (const [j, agent] of ["player", ...opponents].entries())
        expectMeasured(
          cells[opponents.length + j]!,
          [Number(row[`${agent} ms a move`])],
          `${steps} ${agent}`,
        );
    }
  },
});

/** The report of a run with a fleet under faults: a row for each kind, then games, lies and differences. */
const fleetFaults: Comparison = {
  columns: [1, 2],
  compare(rows) {
    const report = JSON.parse(readFileSync(`${root}docs/results/fleet-faults/seed-1.json`, "utf8")) as {
      readonly faults: Readonly<Record<string, number>>;
      readonly misbehaved: Readonly<Record<string, number>>;
      readonly games: number;
      readonly joinerGames: number;
      readonly lies: { readonly told: number; readonly found: number };
      readonly different: readonly string[];
    };
    const kinds = Object.entries(report.faults);
    expect(rows.length).toBe(kinds.length + 3);
    for (const [i, [kind, faults]] of kinds.entries()) {
      const [told, count, had] = rows[i]!;
      expect(told!.startsWith(kind), `${told}: ${kind}`).toBe(true);
      expectMeasured(count!, [faults], kind);
      expectMeasured(had!, kind in report.misbehaved ? [report.misbehaved[kind]!] : [], kind);
    }
    const [games, lies, different] = rows.slice(kinds.length);
    expectMeasured(games!.join(" "), [report.games, report.joinerGames], "games");
    expectMeasured(lies!.slice(1).join(" "), [report.lies.told, report.lies.found], "lies");
    expectMeasured(different![1]!, [report.different.length], "differences");
  },
};

const pageLoad: Comparison = {
  columns: [2],
  compare(rows) {
    const measured = data("results/page-load.csv");
    expect(rows.map(([what, how]) => `${what}: ${how}`)).toEqual(
      measured.map((row) => `${row["case"]}: ${row["measured"]}`),
    );
    for (const [i, [what, , figure]] of rows.entries())
      expectMeasured(figure!, [Number(measured[i]!["value"])], what!);
  },
};

/** What `npm run campaign` has tried: it writes the table itself. */
const trials: Comparison = {
  columns: [1, 2, 3, 6],
  compare: (rows) => expect(rows).toEqual(trialRows(root)),
};

/** The tables of the notebook and the reference, by the file or folder in `docs` that the line "Data:" after a table leads to. */
/** Rows in the order of settings: the share that an agent won, in a column. */
const wonBySetting = (file: string, agent: string, settings: readonly string[]): Comparison => ({
  columns: [2],
  compare(rows) {
    expect(rows.length).toBe(settings.length);
    for (const [i, row] of rows.entries()) {
      const measured = data(file).find((each) => each["agent"] === agent && each["setting"] === settings[i]);
      expectMeasured(row[2]!, percent(measured!, "value", "low", "high"), settings[i]!);
    }
  },
});

export const comparisons: Readonly<Record<string, Comparison>> = {
  ...reports,
  ...searchLearning,
  "results/2048-search/score-and-effort.csv": searches,
  "data/2048-deep.csv": deepSearch("data/2048-deep.csv", [
    "greedy",
    "one-ply",
    "two-plies",
    "three-plies",
    "three-plies",
    "four-plies",
  ]),
  "data/2048-deep-restart-10.csv": deepSearch("data/2048-deep-restart-10.csv", [
    "greedy",
    "one-ply",
    "two-plies",
    "three-plies",
    "four-plies",
    "four-plies",
  ]),
  "results/go9-zero/curve.csv": go9Zero,
  "results/zero/connect-four.csv": suiteCurve("results/zero/connect-four.csv", ["net-alone", "player"]),
  "results/zero/connect-four-suites.csv": suiteShares("results/zero/connect-four-suites.csv", [
    "net-alone",
    "player",
    "player-800",
    "uct",
    "former net-alone",
    "former player",
  ]),
  "results/zero/othello.csv": matchCurve("results/zero/othello.csv", ["uct", "greedy"]),
  "results/zero/duo.csv": matchCurve("results/zero/duo.csv", ["uct", "greedy"]),
  "results/daihinmin-grouping": groupings,
  "results/daihinmin-grouping/source-counts.csv": sourceTests,
  "results/daihinmin-source/differences.csv": sourceSweep,
  "results/daihinmin-beyond": daihinmin("daihinmin-beyond", 7),
  "results/daihinmin-beyond-clock": daihinmin("daihinmin-beyond-clock", 4),
  ...tdLambda,
  "results/peers": peersIn("results/peers"),
  "results/duo-pentobi": peersIn("results/duo-pentobi"),
  "results/blokus-strength/search-settings.csv": againstFirst("results/blokus-strength/search-settings.csv"),
  "results/blokus-strength/prior-temperature.csv": againstFirst(
    "results/blokus-strength/prior-temperature.csv",
  ),
  "results/blokus-strength/prior-again.csv": againstFirst("results/blokus-strength/prior-again.csv"),
  "results/blokus-strength/playouts.csv": againstFirst("results/blokus-strength/playouts.csv", true),
  "results/blokus-strength/pentobi-3.csv": duoPentobi,
  "results/page-load.csv": pageLoad,
  "results/experiments/int8-strength.csv": wonBySetting("results/experiments/int8-strength.csv", "int8", [
    "rules connect-four",
    "rules othello",
    "rules go",
  ]),
  "results/experiments/player-search.csv": wonBySetting("results/experiments/player-search.csv", "gumbel", [
    "use uct",
    "use mcts-max-n",
  ]),
  "results/fleet-faults/seed-1.json": fleetFaults,
  "results/reliability": trials,
  "results/alphago-9x9/reinforcement-rates.csv": reinforcementRates,
  "results/alphago-9x9/search-settings.csv": searchSettings,
  ...blokusZero,
  "results/2048-2x3/scores.csv": smallBoard,
};
