import type { Case } from "./recorder.ts";

const UNIFORM = { use: "uniform", from: 0.1, to: 1 };
const NOISE = { epsilon: 0.25, alpha: 0.3 };

/** The searches with options that together use every part of them; few simulations, since every one counts. */
const searches: readonly (readonly [name: string, games: readonly string[], ...options: object[]])[] = [
  ["random", ["tic-tac-toe"], {}],
  ["greedy", ["2048", "tic-tac-toe", "blokus"], {}],
  ["default", ["daihinmin"], {}],
  ["preferred", ["blokus", "daihinmin"], {}],
  ["policy", ["tic-tac-toe", "blokus"], {}, { temperature: 0 }, { temperature: 0.67 }],
  [
    "expectimax",
    ["2048", "tic-tac-toe"],
    { plies: 1 },
    { plies: 1, leaves: "decisions", unlikely: "shallower" },
  ],
  ["expectimax", ["tic-tac-toe"], { plies: 2 }, { plies: 2, leaves: "decisions" }],
  ["max-n", ["tic-tac-toe", "blokus-duo"], { depth: 2 }],
  ["paranoid", ["tic-tac-toe", "blokus-duo"], { depth: 2 }],
  ["best-reply", ["tic-tac-toe", "blokus-duo"], { depth: 2 }],
  ["minimax", ["tic-tac-toe"], {}, { pruning: "inner", table: 64 }],
  [
    "mc-softmax",
    ["2048", "tic-tac-toe"],
    { simulations: 40 },
    { simulations: 20, trees: 3, samples: 2 },
    { simulations: 30, trees: 2, randomness: "fixed", selection: "G-log", backup: 0.3 },
    { simulations: 30, selection: UNIFORM, backup: UNIFORM, samples: 3, sampling: "ave" },
  ],
  ["flat-monte-carlo", ["tic-tac-toe", "daihinmin"], { simulations: 40 }],
  ["uct", ["2048", "tic-tac-toe", "blokus", "blokus-duo", "daihinmin"], { simulations: 60 }],
  ["uct", ["daihinmin"], { simulations: 40, grouping: "AI2" }],
  [
    "uct",
    ["tic-tac-toe", "blokus-duo"],
    { simulations: 60, exploration: 0, rave: { use: "equivalence", k: 100 }, reuse: true },
    {
      simulations: 60,
      rave: { use: "bias", b: 0.1 },
      widening: { simulations: 4, growth: 1.2 },
      firstPlay: 1,
      epsilon: 0.5,
    },
  ],
  [
    "mcts-max-n",
    ["blokus", "blokus-duo"],
    {
      simulations: 60,
      rave: { use: "equivalence", k: 100 },
      prior: { of: "preference", visits: 5 },
      widening: { simulations: 4, growth: 1.2 },
    },
  ],
  ...["so-ismcts", "so-ismcts-pom", "mo-ismcts"].flatMap((name) => [
    [name, ["tic-tac-toe", "2048"], { simulations: 60, expansion: 1 }] as const,
    [
      name,
      ["daihinmin"],
      { simulations: 120, expansion: 2 },
      { simulations: 80, expansion: 1, epsilon: 0.2 },
      { simulations: 80, expansion: 3, grouping: "AI1" },
      { simulations: 80, expansion: 1, grouping: "AI3" },
      { simulations: 80, expansion: 3, children: "every", counts: "parent", searchForced: true },
      { simulations: 80, expansion: 2, children: "every", counts: "parent", grouping: "AI2" },
    ] as const,
  ]),
  ...["mcts-max-n", "mcts-paranoid"].flatMap((name) => [
    [
      name,
      ["tic-tac-toe", "blokus", "blokus-duo", "daihinmin"],
      { simulations: 50, reuse: true },
      { simulations: 50, expansion: 3, learnTemperature: 0.1 },
    ] as const,
    [
      name,
      ["tic-tac-toe"],
      { simulations: 400, solver: true },
      { simulations: 150, solver: true, reuse: true, payoff: "score", progressiveHistory: 0 },
    ] as const,
    [name, ["2048"], { simulations: 40, reuse: true, payoff: "score", progressiveHistory: 0 }] as const,
    [name, ["daihinmin"], { simulations: 40, grouping: "AI1", reuse: true }] as const,
  ]),
  [
    "mcts-best-reply",
    ["tic-tac-toe", "blokus", "blokus-duo"],
    { simulations: 50, reuse: true },
    { simulations: 200, solver: true, payoff: "share", epsilon: 1 },
  ],
  [
    "puct-max-n",
    ["2048", "tic-tac-toe", "blokus", "blokus-duo", "daihinmin"],
    { simulations: 40 },
    {
      simulations: 40,
      noise: NOISE,
      temperature: [{ until: 20, value: 1 }],
      reuse: true,
      playoutCap: { fraction: 0.5, simulations: 8 },
      firstPlayReduction: 0.2,
      forcedPlayouts: 2,
    },
    { simulations: 30, reuse: true, playouts: { weight: 0.5, epsilon: 0.1 } },
    { simulations: 40, leaves: 7, reuse: true },
  ],
  [
    "puct-max-n",
    ["connect-four", "blokus-duo"],
    { simulations: 60, firstPlay: 0.5, rootFirstPlayReduction: 0.1, priorTemperature: 1.5 },
    { simulations: 60, rootFirstPlay: 1, rootPriorTemperature: 0.7, reuse: true },
  ],
  ...["puct-max-n", "gumbel"].map(
    (name) =>
      [
        name,
        ["tic-tac-toe", "connect-four", "blokus-duo"],
        { simulations: 60, solver: true, reuse: true, temperature: [{ value: 1 }] },
      ] as const,
  ),
  [
    "gumbel",
    ["2048", "tic-tac-toe", "blokus", "blokus-duo", "daihinmin"],
    { simulations: 32, range: 2 },
    {
      simulations: 24,
      considered: 5,
      range: 2,
      reuse: true,
      cScale: 0.1,
      playoutCap: { fraction: 0.5, simulations: 8 },
    },
    { simulations: 20, range: 2, temperature: [], playouts: { weight: 0.5, epsilon: 0.1 } },
    { simulations: 32, range: 2, considered: 6, leaves: 7, reuse: true },
  ],
];

/** Every search of the registry in every game that it can play, as far as the two differ in what is used of them. */
export const cases: readonly Case[] = [
  ...searches.flatMap(([search, games, ...variants]) =>
    games.flatMap((game) =>
      variants.map((options) => ({ search, options: options as Record<string, unknown>, game })),
    ),
  ),
  // Go, whose playouts are played to the end by the game itself.
  ...[
    { search: "flat-monte-carlo", options: { simulations: 100 } },
    { search: "uct", options: { simulations: 100, reuse: true } },
    {
      search: "uct",
      options: {
        simulations: 100,
        exploration: 0,
        rave: { use: "equivalence", k: 100 },
        widening: { simulations: 5, growth: 1.2 },
      },
    },
    { search: "preferred", options: {} },
    { search: "paranoid", options: { depth: 2 } },
  ].map((each) => ({ ...each, game: "go", rules: { size: 5, komi: 0.5 } })),
  // AlphaGo's search by nets of every kind.
  ...(
    [
      [
        "go",
        { size: 5, komi: 0.5 },
        { simulations: 60, batch: 4, expansion: 3 },
        { priors: true, values: "valueNet" },
      ],
      ["go", { size: 5, komi: 0.5 }, { simulations: 60, expansion: 2 }, { priors: false }],
      ["tic-tac-toe", {}, { simulations: 80, lambda: 0, expansion: 1 }, { priors: true, values: "net" }],
      ["connect-four", {}, { simulations: 80, expansion: 2, solver: true }, { priors: true, values: "net" }],
      ["blokus", {}, { simulations: 30, expansion: 2 }, { priors: true, values: "net" }],
      ["2048", {}, { simulations: 30, expansion: 1, lambda: 0 }, { priors: false, values: "valueNet" }],
    ] as const
  ).map(([game, rules, options, nets]) => ({ search: "apv-mcts", game, rules, options, nets })),
  { search: "perfect", options: {}, game: "connect-four", rules: { columns: 5, rows: 4 } },
  // In a match of several deals a simulation ends with the deal.
  ...["so-ismcts", "mo-ismcts", "mcts-max-n"].map((search) => ({
    search,
    options: { simulations: 60, expansion: 1 },
    game: "daihinmin",
    rules: { games: 2 },
  })),
];
