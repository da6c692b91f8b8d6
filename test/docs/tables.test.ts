import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { meanEstimate } from "../../src/stats/intervals.ts";
import { root, textOf } from "./pages.ts";

/** The rows of a table of the committed data, by column. */
function data(file: string): Record<string, string>[] {
  const [head, ...lines] = readFileSync(`${root}docs/${file}`, "utf8").trim().split(/\r?\n/);
  const names = head!.split(",");
  return lines.map((line) => Object.fromEntries(line.split(",").map((value, i) => [names[i]!, value])));
}

/** The tables of a page of the notebook, each as rows of cells, without their heads. */
function tables(page: string): string[][][] {
  return [...textOf(`docs/notebook/${page}`).matchAll(/(?:^\|.*\n)+/gm)].map(([table]) =>
    table
      .trim()
      .split("\n")
      .slice(2)
      .map((line) =>
        line
          .split("|")
          .slice(1, -1)
          .map((cell) => cell.replaceAll("*", "").trim()),
      ),
  );
}

/** The tables of a page with a column whose name has this text. */
const tablesOf = (page: string, column: string) =>
  tables(page).filter((_, i) => heads(page)[i]!.includes(column));

/** The heads of the tables of a page. */
const heads = (page: string): string[] =>
  [...textOf(`docs/notebook/${page}`).matchAll(/(?:^\|.*\n)+/gm)].map(([table]) => table.split("\n")[0]!);

/** The table of a page that has a cell with this text in its first row. */
const tableWith = (page: string, text: string) =>
  tables(page).find(([first]) => first!.some((cell) => cell.includes(text)))!;

/** The numbers in a text as they are written, in order, without commas between thousands. */
const written = (text: string) =>
  [...text.replaceAll(/(?<=\d),(?=\d{3})/g, "").matchAll(/-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?/g)].map(
    ([number]) => number,
  );

const numbers = (text: string) => written(text).map(Number);

/** Expects the numbers of a text to be the measured ones, to less than a unit of their last digits. */
function expectMeasured(text: string, measured: readonly number[], where: string): void {
  expect(written(text).length, `${where}: ${text}`).toBe(measured.length);
  for (const [i, number] of written(text).entries()) {
    const [mantissa, exponent] = number.split("e");
    const unit = 10 ** (Number(exponent ?? 0) - (mantissa!.split(".")[1]?.length ?? 0));
    const difference = Math.abs(Number(number) - measured[i]!);
    expect(difference, `${where}: ${number} of ${text}, measured ${measured[i]}`).toBeLessThan(unit);
  }
}

describe("tables of the notebook and the data they are made of", () => {
  it("agree on the searches of 2048", () => {
    const rows = tableWith("2048-search.md", "expectimax");
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
  });

  it.each([
    [
      "data/2048-deep.csv",
      "222,780",
      ["greedy", "one-ply", "two-plies", "three-plies", "three-plies", "four-plies"],
    ],
    [
      "data/2048-deep-restart-10.csv",
      "196,849",
      ["greedy", "one-ply", "two-plies", "three-plies", "four-plies", "four-plies"],
    ],
  ])("agree on deep search, %s", (file, mark, agents) => {
    const rows = tables("2048-strength.md").find((table) => table[0]![2]!.includes(mark))!;
    const games = data(file);
    expect(rows.length).toBe(agents.length);
    for (const [i, [label, count, score, large, least, time]] of rows.entries()) {
      const seed = label!.includes("2049") ? "2049" : "2048";
      const played = games.filter((game) => game["agent"] === agents[i] && game["seed"] === seed);
      expect(numbers(count!)).toEqual([played.length]);
      const scores = played.map((game) => Number(game["score"]));
      const { value, interval } = meanEstimate(scores);
      expectMeasured(score!, [value, ...interval], label!);
      expect(numbers(least!)).toEqual([Math.min(...scores)]);
      if (played[0]!["greatest"] !== undefined)
        expect(numbers(large!)).toEqual([played.filter((game) => Number(game["greatest"]) >= 32768).length]);
      const sum = (name: string) => played.reduce((total, game) => total + Number(game[name]), 0);
      expectMeasured(time!, [(1000 * sum("seconds")) / sum("decisions")], label!);
    }
  });

  it.each([
    ["data/2048-mcsoftmax-chance.csv", "18,472", [3000, 3050, 3100, 3200, 3300]],
    ["data/2048-mcsoftmax-chance-laptop.csv", "3,015", [300, 350, 400]],
  ])("agree on V(start) of learning with search, %s", (file, mark, learned) => {
    const rows = tables("2048-search-learning.md").find((table) => table[0]![1]!.startsWith(mark))!;
    const points = data(file);
    const stages: Record<string, string> = {
      "`returns`, lambda 0": "td-0",
      "`returns`, lambda .5": "td-lambda",
    };
    for (const [label, values] of rows) {
      if (label!.startsWith("greedy")) continue;
      const stage = `learn-${stages[label!] ?? /`(.*?)`/.exec(label!)![1]}`;
      const measured = learned.map((games) =>
        Number(
          points.find((point) => point["stage"] === stage && Number(point["learned"]) === games)!["V(start)"],
        ),
      );
      expectMeasured(values!, measured, label!);
    }
  });

  it.each([
    ["daihinmin-grouping", "550.50", 6],
    ["daihinmin-beyond", "75.25", 7],
    ["daihinmin-beyond-clock", "137.25", 4],
  ])("agree on Daihinmin, %s", (folder, mark, pairs) => {
    const rows = tables("daihinmin.md").find((table) => table[0]!.some((cell) => cell.includes(mark)))!;
    expect(rows.length).toBe(pairs);
    const counts = data(`results/${folder}/placings-counts.csv`);
    const tests = data(`results/${folder}/placings-tests.csv`);
    for (const [pair, games, totals, means, first, second, statistic, p, difference] of rows) {
      const names = pair!.split(" - ");
      const test = tests.find((one) => one["agent"] === names[0] && one["against"] === names[1])!;
      const places = names.map((agent) => {
        const row = counts.find((one) => one["stage"] === test["stage"] && one["agent"] === agent)!;
        return [5, 4, 3, 2, 1].map((place) => Number(row[`place ${place}`]));
      });
      expect([numbers(first!), numbers(second!)]).toEqual(places);
      const sums = places.map((of) => of.reduce((sum, count, i) => sum + (count * i) / 4, 0));
      expectMeasured(totals!, sums, pair!);
      expectMeasured(
        means!,
        sums.map((sum) => sum / Number(games)),
        pair!,
      );
      expectMeasured(statistic!, [Number(test["statistic"])], pair!);
      expectMeasured(p!, [Number(test["p"])], pair!);
      expectMeasured(
        difference!,
        ["gain", "gain low", "gain high"].map((name) => Number(test[name])),
        pair!,
      );
    }
  });

  it("agree on the matches against other programs", () => {
    const rows = tablesOf("peers.md", "ms a move")
      .flat()
      .map(([file, stage, won, games, own, other]) => ({ file, stage, won, games, own, other }));
    const folder = `${root}docs/results/peers`;
    const files = existsSync(folder) ? readdirSync(folder) : [];
    const measured = files.flatMap((name) => {
      const standings = data(`results/peers/${name}`);
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
      expectMeasured(
        row.won!,
        ["won", "won low", "won high"].map((column) => 100 * Number(ours[column])),
        where,
      );
      expectMeasured(row.games!, [Number(ours["games"])], where);
      expectMeasured(row.own!, [Number(ours["ms a move"])], where);
      expectMeasured(row.other!, [Number(theirs["ms a move"])], where);
    }
  });

  it("agree on the match of BlokusZero", () => {
    const rows = tableWith("blokuszero.md", "half by a playout");
    const opponents = data("results/blokuszero-match/against-opponents.csv");
    const standings = data("results/blokuszero-match/contest-standings.csv");
    const measured = [
      ...opponents,
      ...["net-alone", "untrained"].map((agent) => standings.find((row) => row["agent"] === agent)!),
    ];
    expect(rows.length).toBe(measured.length);
    for (const [i, [label, , share, games]] of rows.entries()) {
      expectMeasured(
        share!,
        ["won", "won low", "won high"].map((name) => 100 * Number(measured[i]![name])),
        label!,
      );
      expect(games).toBe(measured[i]!["games"]);
    }
  });
});
