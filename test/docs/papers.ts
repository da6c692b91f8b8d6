import { expect } from "vitest";
import { chiSquareTest } from "../../src/stats/chi-square.ts";
import { studentT95 } from "../../src/stats/student-t.ts";
import { fastVersions, smallerShares } from "./blokuszero.ts";
import { type Comparison, data, expectMeasured, meanOf, of, percent, placesOf, wonOf } from "./measured.ts";
import { firstQuarter, lastQuarter, seedsOf } from "./search-learning.ts";

/** What the cells of a row have to say: the numbers of each compared column, in the order of the text. */
type Expected = readonly (readonly number[])[];

/** A cell without remarks in parentheses, links and code: its figures are in the rest. */
const figuresIn = (cell: string) =>
  cell.replaceAll(/\((?:[^()]|\([^()]*\))*\)/g, "").replaceAll(/`[^`]*`/g, "");

/** A cell of a row that no data are named for has no figure: nothing was run, or in words. */
function expectNoFigure(cell: string, where: string): void {
  expect(figuresIn(cell).match(/[\d.,]*\d/), `${where}: ${cell}: no data`).toBeNull();
}

/**
 * A table of docs/papers.md: `columns` of the rows that `expected` names by their first cell agree with data, all others have no
 * figures.
 */
const paperTable = (
  columns: readonly number[],
  expected: () => Readonly<Record<string, Expected>>,
): Comparison => ({
  columns,
  compare(rows) {
    const measured = expected();
    expect(rows.map(([label]) => label)).toEqual(expect.arrayContaining(Object.keys(measured)));
    for (const row of rows)
      for (const [i, column] of columns.entries()) {
        const numbers = measured[row[0]!]?.[i];
        if (numbers === undefined) expectNoFigure(row[column]!, row[0]!);
        else expectMeasured(figuresIn(row[column]!), numbers, row[0]!);
      }
  },
});

/** Rows of the paper's algorithm on smaller Blokus, each a mean over seeds. */
function smallerBlokus(): Readonly<Record<string, Expected>> {
  const folder = "results/blokuszero-small";
  const gained = (from: number, to: number) => {
    const before = smallerShares(from);
    return meanOf(smallerShares(to).map((share, seed) => share - before[seed]!));
  };
  const at = "6";
  const policy = data(`${folder}/policy-shares.csv`).filter(({ ply }) => ply === at);
  const probability = (likeliest: string) =>
    meanOf(policy.filter((row) => row["likeliest"] === likeliest).flatMap((row) => percent(row, "share")));
  const legal = data(`${folder}/policy-statistics.csv`).filter(({ ply }) => ply === at);
  return {
    "figure 10: the paper's algorithm on smaller Blokus": [
      [0, 6600, 13_200, 16_500, 23_100].flatMap((steps) => meanOf(smallerShares(steps))),
    ],
    "figure 10: the learning-rate drop on smaller Blokus": [
      [...gained(13_200, 16_500), ...gained(13_200, 23_100)],
    ],
    "figure 11: 1, 2 and 4 times the opponent's rollouts, the paper's algorithm": [
      ["60", "120", "240"].flatMap((budget) =>
        meanOf(
          data(`${folder}/against-opponents.csv`)
            .filter((row) => row["budget"] === budget)
            .flatMap((row) => percent(row, "won")),
        ),
      ),
    ],
    "figure 12: the policy's likeliest moves on smaller Blokus": [
      [
        Number(at),
        meanOf(legal.flatMap((row) => of(row, "legal mean")))[0]!,
        3,
        ...probability("3"),
        10,
        ...probability("10"),
      ],
    ],
  };
}

const blokusZero = paperTable([2], () => {
  const match = "results/blokuszero-match";
  const alone = data(`${match}/contest-standings.csv`).find(({ agent }) => agent === "net-alone")!;
  const plies = data(`${match}/policy-statistics.csv`);
  const legal = plies.map((row) => Number(row["legal mean"]));
  const most = plies[legal.indexOf(Math.max(...legal))]!;
  const at16 = plies.find(({ ply }) => ply === "16")!;
  const searches = (...agents: readonly string[]) =>
    agents.flatMap((agent) =>
      wonOf(data("results/blokus-searches/contest-standings.csv").find((row) => row["agent"] === agent)!),
    );
  return {
    "section 3.1.5: searches by playouts": [searches("mcts-max-n", "mcts-best-reply", "mcts-paranoid")],
    "section 3.1.5: searches by depth": [searches("best-reply", "max-n", "paranoid")],
    ...smallerBlokus(),
    "figure 10: our fast settings": [fastVersions().flatMap(wonOf)],
    "figure 10, its end: the net alone at equal simulations": [wonOf(alone)],
    "figure 11: our fast settings": [data(`${match}/against-opponents.csv`).flatMap(wonOf)],
    "figure 12: legal moves by pieces laid": [
      [...of(most, "ply", "legal mean"), ...of(at16, "legal mean", "ply")],
    ],
    "figure 12: the policy's likeliest 100 moves where most moves are legal": [
      [...percent(at16, "top 100"), 16],
    ],
  };
});

const tdLambda = paperTable([2], () => {
  const folder = "results/duo-td-seeds";
  const after = (learner: string, games: number) =>
    of(
      data(`${folder}/weights-direction.csv`).find(
        (row) => row["stage"] === `learn-${learner}` && Number(row["games"]) === games,
      )!,
      "cosine",
      "low",
      "high",
    );
  const epsilon = data(`${folder}/weights-settled.csv`).find(({ stage }) => stage === "learn-epsilon")!;
  const won = (learner: string) =>
    percent(
      data(`${folder}/results.csv`).find(({ agent, stage }) => stage === "learned" && agent === learner)!,
      "value",
      "low",
      "high",
    );
  return {
    "figure 1: UCT openings, 100 games": [[...after("uct", 100), ...after("epsilon", 100)]],
    "figure 1: random openings, 100 games": [after("random", 100)],
    "figure 1: random openings are unsteady for the first 20 games": [
      [...after("random", 20), 20, ...after("uct", 20)],
    ],
    "figure 1: epsilon-greedy weights do not change for about 200 games": [
      [...after("epsilon", 5), 5, ...after("epsilon", 200), 200],
    ],
    "section 4: epsilon-greedy play reaches the weights of the other policies after about 2,000 games": [
      of(epsilon, "settled from game", "low", "high"),
    ],
    "section 5: UCT openings learn better weights in fewer games": [
      [...won("uct"), ...won("random"), ...won("epsilon")],
    ],
  };
});

const total = (places: readonly number[]) => places.reduce((sum, times, i) => sum + (times * i) / 4, 0);

const daihinmin = paperTable([1, 2, 3, 4], () => {
  const source = "results/daihinmin-grouping/source-counts.csv";
  const pairs = ["AI1 - AI2", "AI1 - AI3", "AI2 - AI3", "AI1 - ISMCTS", "AI2 - ISMCTS", "AI3 - ISMCTS"];
  const testOf = (folder: string, pair: string) =>
    data(`results/${folder}/placings-tests.csv`).find(
      (row) => `${row["agent"]} - ${row["against"]}` === pair,
    )!;
  const ours = (folder: string, pair: string, ...more: readonly string[]) => {
    const totals = placesOf(`results/${folder}/placings-counts.csv`, pair).map(total);
    return [...totals, ...of(testOf(folder, pair), "gain", "gain low", "gain high", "p", ...more)];
  };
  /** How far their difference lies from ours, in standard errors of both: theirs taken as great as ours. */
  const apart = (theirs: number, pair: string) => {
    const [gain, low, high, matches] = of(
      testOf("daihinmin-source", pair),
      "gain",
      "gain low",
      "gain high",
      "units",
    ) as [number, number, number, number];
    const error = (high - low) / (2 * studentT95(matches - 1));
    return Math.abs(theirs - gain) / (Math.SQRT2 * error);
  };
  return Object.fromEntries(
    pairs.map((pair, i) => {
      const theirs = placesOf(source, pair);
      const games = theirs[0]!.reduce((sum, times) => sum + times, 0);
      const [first, second] = theirs.map(total) as [number, number];
      return [
        `table ${i + 3}: ${pair}`,
        [
          [first, second, (first - second) / games, chiSquareTest(theirs).p],
          ours("daihinmin-source", pair, "permutation p of gain"),
          ours("daihinmin-grouping", pair),
          [apart((first - second) / games, pair)],
        ],
      ];
    }),
  );
});

const experiment1 = paperTable([2], () => {
  const ends = (player: string) => meanOf(seedsOf(player).map(lastQuarter));
  const begins = (player: string) => meanOf(seedsOf(player).map(firstQuarter));
  const highest = (player: string) => {
    const seeds = seedsOf(player);
    const means = seeds[0]!.map((_, i) => meanOf(seeds.flatMap((rows) => of(rows[i]!, "mean score")))[0]!);
    return Math.max(...means);
  };
  const best = (player: string) =>
    Math.max(...seedsOf(player).map((rows) => Number(rows.at(-1)!["best game"])));
  return {
    "figure 5: highest mean, by 10-tree": [[highest("10-tree"), 5, highest("5-tree")]],
    "figure 5: best game": [[best("10-tree")]],
    "figure 5: 10-tree and 5-tree": [[...ends("10-tree"), ...ends("5-tree")]],
    "figure 5: 1-tree": [[...begins("1-tree"), ...ends("1-tree"), ...begins("greedy"), ...ends("greedy")]],
  };
});

/** A learner of experiment 2 after some games, as its data say. */
const learner = (file: string, stage: string, learned: number) =>
  data(`data/${file}.csv`).find((row) => row["stage"] === stage && Number(row["learned"]) === learned)!;

const experiment2 = paperTable([2], () => {
  const after = (target: string, games: number) =>
    learner("2048-mcsoftmax-chance", `learn-${target}`, 3000 + games);
  const scores = (target: string, ...games: readonly number[]) =>
    games.flatMap((count) => of(after(target, count), "mean score"));
  const starts = (target: string, ...games: readonly number[]) =>
    games.flatMap((count) => of(after(target, count), "V(start)"));
  return {
    "section 5.1: targets within 100 of the value": [
      [10, 100, 200, 400].flatMap((games) =>
        of(learner("2048-mcsoftmax-chance-cnn22-3x3", "play-clipped", games), "V(start)"),
      ),
    ],
    "figure 6: scores with NodeV+Reward": [scores("node-value", 0, 50, 300)],
    "figure 7: scores with EvalV+Reward": [[...scores("eval-value", 50, 300), ...scores("target-net", 50)]],
    "figure 7: values with EvalV+Reward": [starts("eval-value", 50, 300)],
    "figure 8: values with NodeV+Reward": [starts("node-value", 0, 50, 100, 200, 300)],
  };
});

const SEARCHES = "results/2048-search/score-and-effort.csv";

const score = (stage: string, agent: string) =>
  of(
    data(SEARCHES).find((row) => row["stage"] === stage && row["agent"] === agent)!,
    "mean",
    "low",
    "high",
  );

/** The mean score of greedy play over its matches, with an interval from theirs. */
function greedyMatches(): number[] {
  const matches = data(SEARCHES).filter(({ agent }) => agent === "greedy");
  const mean = meanOf(matches.flatMap((row) => of(row, "mean")))[0]!;
  const half = Math.hypot(...matches.map((row) => (Number(row["high"]) - Number(row["low"])) / 2));
  return [mean, mean - half / matches.length, mean + half / matches.length];
}

const appendix = paperTable([2], () => {
  const greedyMean = greedyMatches()[0]!;
  const over = (scores: readonly number[], under: number) => [...scores, scores[0]! / under];
  const hundred = score("selections", "select-L-max");
  const most = score("simulations", "softmax-2000");
  const plies = score("expectimax", "expectimax-2");
  return {
    "footnote 1: 100 simulations": [over(hundred, greedyMean)],
    "appendix A.1: the best backup": [
      [...score("backups", "select-L-max"), ...score("backups", "back-up-L-log")],
    ],
    "appendix A.1: the best selection": [[...hundred, ...score("selections", "select-G-max")]],
    "figure A-1: simulations that pass greedy play": [
      [...score("simulations", "softmax-25"), ...score("simulations", "softmax-50"), greedyMean],
    ],
    "figure A-1: 2,000 simulations": [over(most, greedyMean)],
    "figure A-1: 2,000 simulations beside expectimax of 3 plies": [[...most, ...plies, most[0]! / plies[0]!]],
  };
});

/** The mean score of all games of a search in the data of deep searches. */
function deep(file: string, agent: string): number[] {
  const games = data(`data/${file}.csv`).filter((row) => row["agent"] === agent);
  return meanOf(games.map((row) => Number(row["score"])));
}

const stateOfTheArt = paperTable([2, 3], () => {
  const published = data("data/2048-published.csv");
  const others = Object.groupBy(published, (row) => row["player"]!);
  const scores = (rows: readonly Record<string, string>[], alone: boolean) =>
    rows.filter((row) => (row["search"] === "none") === alone).map((row) => Number(row["mean score"]));
  return {
    ...Object.fromEntries(
      Object.entries(others).map(([player, rows]) => [player, [scores(rows!, true), scores(rows!, false)]]),
    ),
    "ours: four 6-tuples, restarts down to ten decisions": [
      deep("2048-deep-restart-10", "greedy"),
      deep("2048-deep-restart-10", "four-plies"),
    ],
    "ours: four 6-tuples, a low rate at the end, tile-downgrading": [
      deep("2048-deep", "greedy"),
      [...deep("2048-deep", "four-plies"), ...deep("2048-deep", "three-plies")],
    ],
    "ours: four 6-tuples": [greedyMatches(), score("simulations", "softmax-2000")],
  };
});

const alphagoAccuracy = paperTable([2, 3], () => {
  const rows = data("results/alphago-9x9/accuracy.csv");
  const both = (chosen: Readonly<Record<string, string>>, ...columns: readonly string[]) =>
    ["gnugo-level-1", "gnugo-level-10"].map((group) =>
      rows
        .filter((row) => row["group"] === group)
        .filter((row) => Object.entries(chosen).every(([column, value]) => row[column] === value))
        .flatMap((row) => percent(row, ...columns)),
    );
  const last = (net: string, symmetries = "none") =>
    both({ stage: "last", net, symmetries }, "top 1", "top 1 low", "top 1 high");
  const course = ["64000", "256000", "512000", "1024000"].map((seen) =>
    both({ stage: "curve-features", "positions seen": seen }, "top 1"),
  );
  return {
    "policy net, 48 planes, top 1": last("features"),
    "policy net, board and history alone, top 1": last("board"),
    "mean over 8 symmetric images, top 1": last("features", "ensemble"),
    "the net of `alphago-9x9.yaml`, top 1": last("supervised").map((shares, level) => [
      ...shares,
      ...last("supervised", "ensemble")[level]!,
    ]),
    "top 5": both({ stage: "last", net: "features", symmetries: "none" }, "top 5", "top 5 low", "top 5 high"),
    "linear policy for rollouts, top 1": last("linear"),
    "accuracy against positions seen": [0, 1].map((level) => course.flatMap((shares) => shares[level]!)),
  };
});

const alphago = paperTable([2], () => {
  const reinforced = data("results/alphago-9x9/reinforced.csv").find((row) => row["agent"] === "reinforced")!;
  // In the unit of the paper: half the squared difference of results of 1 and -1.
  const doubled = (row: Record<string, string>) => of(row, "error", "low", "high").map((error) => 2 * error);
  const errors = new Map(
    data("results/alphago-9x9/value.csv").map((row) => [row["values by"], [doubled(row)]]),
  );
  const overfitting = data("results/alphago-9x9/overfitting.csv");
  const learned = (stage: string, net: string) =>
    ["training", "test"].flatMap((part) =>
      overfitting
        .filter((row) => row["stage"] === stage && row["values by"] === net && row["positions of"] === part)
        .flatMap(doubled),
    );
  const onSmallBoard = (stage: string, net: string, part: string) =>
    of(
      data("results/reinforcement/value-errors.csv").find(
        (row) => row["stage"] === stage && row["values by"] === net && row["positions of"] === part,
      )!,
      "error",
      "low",
      "high",
    );
  const byMove = data("results/alphago-9x9/value-by-ply.csv");
  const errorAt = (by: string, ply: string) =>
    2 * Number(byMove.find((row) => row["values by"] === by && row["ply"] === ply)!["error"]);
  return {
    "reinforced policy against the supervised one, no search": [wonOf(reinforced)],
    "one position a game: error on what was learned from, on other games": [learned("error-one", "one")],
    "all positions of the games: learned from, other games": [
      [...learned("error-all", "all"), ...learned("error-all", "one").slice(3)],
    ],
    "that effect on 5x5: all positions beside one position, on the same other games": [
      [
        ...onSmallBoard("error", "all", "test"),
        ...onSmallBoard("error", "one", "test"),
        ...onSmallBoard("error-all", "all", "training"),
        ...onSmallBoard("error", "one", "training"),
      ],
    ],
    "value net on recorded games": errors.get("value")!,
    "the same by move number: moves 0 to 9, 20 to 29, 40 to 49": [
      ["value", "supervised"].flatMap((by) => ["0", "20", "40"].map((ply) => errorAt(by, ply))),
    ],
    "rollouts, uniformly random": errors.get("uniform")!,
    "rollouts by the linear policy": errors.get("rollouts")!,
    "rollouts by the supervised policy": errors.get("supervised")!,
    "rollouts by the reinforced policy": errors.get("reinforced")!,
  };
});

/** By agent: the row of the standings of a match of the 9x9 pipeline. */
const standings = (match: string) =>
  new Map(data(`results/alphago-9x9/${match}.csv`).map((row) => [row["agent"]!, row]));

const alphagoSearch = paperTable([2], () => {
  const [parts, lambda] = [standings("parts"), standings("lambda")];
  const share = (agent: string) => wonOf(lambda.get(agent)!);
  return {
    ...Object.fromEntries(
      [...parts].map(([agent, row]) => [
        agent.replaceAll("-", ", "),
        [of(row, "rating", "rating low", "rating high")],
      ]),
    ),
    "strength against effort": [
      [...standings("simulations")].flatMap(([agent, row]) => [
        ...(agent === "policy" ? [] : [Number(agent.replace("simulations-", ""))]),
        ...of(row, "rating", "rating low", "rating high"),
      ]),
    ],
    "best lambda": [[1, ...share("lambda-100"), 0.5, ...share("lambda-50"), 0, ...share("lambda-0")]],
  };
});

/** The shares of a match that the player won at 1, 4 and 16 times the opponent's effort. */
function sharesAgainst(match: string): number[][] {
  const rows = standings(match);
  return [1, 4, 16].flatMap((times) => {
    const row = rows.get(`alphago-x${times}`);
    return row === undefined ? [] : [wonOf(row)];
  });
}

const alphagoPrograms = paperTable([2, 3, 4], () => ({
  "GNU Go 3.8, level 1": sharesAgainst("gnugo-1"),
  "GNU Go 3.8, level 10": sharesAgainst("gnugo-10"),
  "Pachi, 500 playouts": sharesAgainst("pachi-500"),
}));

/** The tables of docs/papers.md with data, by the first of the files or folders that they name. */
export const papers: Readonly<Record<string, Comparison>> = {
  "results/blokuszero-match": blokusZero,
  "results/duo-td-seeds": tdLambda,
  "results/daihinmin-source": daihinmin,
  "results/2048-mcsoftmax-laptop/curves.csv": experiment1,
  "data/2048-mcsoftmax-chance.csv": experiment2,
  "results/2048-search": appendix,
  "data/2048-published.csv": stateOfTheArt,
  "results/alphago-9x9/accuracy.csv": alphagoAccuracy,
  "results/alphago-9x9/reinforced.csv": alphago,
  "results/alphago-9x9/parts.csv": alphagoSearch,
  "results/alphago-9x9/gnugo-10.csv": alphagoPrograms,
};
