import { join } from "node:path";
import { readExperiment } from "../../../src/graph/experiment-file.ts";

const folder = join(import.meta.dirname, "../../../experiments");

const smallBoard = "game={ rules: 2048, rows: 3, columns: 3 }";
const mcSoftmax = (player: string) => [
  `agents.${player}.simulations=2`,
  `nets.value-${player}={ use: cnn22, filters: [2, 2], units: [4, 4], valueScale: 1000 }`,
  `graph.play-${player}.games=1`,
  `graph.play-${player}.generation=1`,
  `graph.replay-${player}.capacity=200`,
  `graph.train-${player}.batch=16`,
  `graph.train-${player}.steps=2`,
  `graph.curve-${player}.games=1`,
];
/** The players learn side by side, each with stages of its own: one less to wait for. */
const without = (player: string) => [
  `agents.${player}=null`,
  `nets.value-${player}=null`,
  ...["play", "replay", "train", "saved", "curve"].map((stage) => `graph.${stage}-${player}=null`),
];

/** Learning and searching on tables of all positions of 2x3, few games. */
function tables(file: string): string[] {
  const { nets, agents, graph } = readExperiment(join(folder, file)).experiment;
  const learns = ["games=40", "every=20"];
  return [
    "game.rows=2",
    "game.columns=3",
    ...Object.keys(nets).map((net) => `nets.${net}.tuples=board`),
    ...Object.entries(agents).flatMap(([agent, { simulations }]) =>
      simulations === undefined ? [] : [`agents.${agent}.simulations=8`],
    ),
    ...Object.entries(graph).flatMap(([stage, { use, search }]) => {
      if (use === "arena") return [`graph.${stage}.games=4`];
      if (use !== "td-learner") return [];
      return [...learns, ...(search === undefined ? [] : ["search.after=20"])].map(
        (setting) => `graph.${stage}.${setting}`,
      );
    }),
  ];
}

/** Three of the ways of learning with CNN22, in small: values of the net, and two nets that teach each other. */
const chanceNets = [
  smallBoard,
  ...["eval-value", "double-1", "double-2"].flatMap((net) => [
    `nets.${net}={ use: cnn22, filters: [2, 2], units: [4, 4], valueScale: 1000 }`,
    `agents.${net}.simulations=2`,
    `graph.play-${net}.games=2`,
    `graph.play-${net}.generation=1`,
    `graph.replay-${net}.capacity=200`,
    `graph.train-${net}.batch=16`,
    `graph.train-${net}.steps=2`,
    `graph.saved-${net}.every=1`,
  ]),
  ...["eval-value", "double-1"].map((net) => `graph.curve-${net}.games=2`),
  ...["node-value", "td-lambda", "returns", "mixed", "clipped", "target-net"].flatMap((how) => [
    `nets.${how}=null`,
    `agents.${how}=null`,
    `agents.${how}-greedy=null`,
    ...["play", "replay", "train", "saved", "curve"].map((stage) => `graph.${stage}-${how}=null`),
  ]),
];

/** Three learners on Duo: few openings, few games, little search. */
const duoSeeds = [
  "agents.opener.simulations=4",
  "graph.openings.openings=2",
  ...["uct", "random", "epsilon"].flatMap((how) => [
    `graph.learn-${how}.games=2`,
    `graph.learn-${how}.every=1`,
  ]),
  "graph.learned.games=6",
];
const duo = [
  ...duoSeeds,
  "agents.mcts.simulations=2",
  ...["against-greedy-size", "against-mcts"].map((stage) => `graph.${stage}.games=6`),
];

/** Few games of little search; by counts in place of the clock, so that a game can be played again. */
const blokusSearches = [
  ...["max-n", "paranoid", "best-reply"].map((name) => `agents.${name}={ use: ${name}, depth: 1 }`),
  ...["max-n", "paranoid", "best-reply"].map(
    (name) => `agents.mcts-${name}={ use: mcts-${name}, simulations: 2 }`,
  ),
  "graph.searches.games=5",
];

/** A net so small that learning takes no time; by convolutions alone, since a dense policy of Blokus is large. */
const tinyBlokusNet = (planes: string) =>
  `nets.zero={ use: residual, filters: 2, blocks: 1, valueUnits: 4, policyHead: convolutional, planes: ${planes}, values: win-loss }`;
/** A residual net of two planes. */
const tinyNet = ["filters=2", "blocks=1", "valueUnits=4"].map((size) => `nets.zero.${size}`);
/** Few games of little search, in small generations; the buffer is full after two of three. */
const zeroGames = [
  "graph.games.games=3",
  "graph.games.generation=1",
  "graph.replay.games=2",
  "graph.replay.fill=2",
  "graph.weights.batch=8",
  "graph.weights.steps=2",
];

/** The paper's algorithm on smaller Blokus: few games of little search. */
const blokusSmall = [
  tinyBlokusNet("history"),
  ...zeroGames,
  "graph.saved.every=1",
  "graph.curve.games=4",
  "graph.rollouts.games=3",
  "graph.policy.games=1",
  ...["learner", "player", "mcts-60"].map((agent) => `agents.${agent}.simulations=2`),
  "agents.mcts-120.simulations=4",
  "agents.mcts-240.simulations=8",
];
/** A net learns from games of a search and from its own; it is measured once against others. */
const zeroWithCurve = [
  ...tinyNet,
  ...zeroGames,
  "agents.learner={ use: gumbel, net: zero, simulations: 2 }",
  "agents.teacher.simulations=2",
  "graph.games.warmStart.games=1",
  ...["player", "uct"].map((agent) => `agents.${agent}.simulations=2`),
  "graph.curve.every=0",
  "graph.curve.games=6",
];

const learnsFew = (stage: string) =>
  ["batch=4", "steps=4", "every=2"].map((setting) => `graph.${stage}.${setting}`);
const tinyConvolutions = (nets: readonly string[]) =>
  nets.flatMap((net) => [`nets.${net}.filters=2`, `nets.${net}.layers=2`]);

/** The nets of `go9-player.yaml` and what builds on it: small, without their weights, on 5x5. */
const go9Nets = (nets: readonly string[]) => [
  "game.size=5",
  ...tinyConvolutions(nets),
  ...[...nets, "rollouts"].map((net) => `nets.${net}.weights=null`),
  "nets.value.valueUnits=4",
];
const go9 = go9Nets(["supervised", "value"]);
const go9Reinforced = go9Nets(["supervised", "reinforced", "value"]);
/** A match of searches with next to no simulations. */
const go9Match = (agents: readonly string[], games: number) => [
  ...go9,
  ...agents.map((agent) => `agents.${agent}.simulations=2`),
  `graph.match.games=${games}`,
];
/** Multiples of the processor time of a program, which need not be here. */
const go9Peer = (program: string, rungs: readonly string[]) => [
  ...go9,
  `agents.${program}={ use: random }`,
  ...rungs.flatMap((rung) => [`agents.alphago-${rung}.simulations=2`, `graph.${rung}.games=2`]),
];
/** Few games for value nets, of few moves. */
const fewValueGames = (stage: string) => [
  `graph.${stage}.games=20`,
  `graph.${stage}.longest=3`,
  `graph.${stage}.heldOut=0.2`,
];
const few = (agents: readonly string[]) =>
  `[${agents.map((agent) => `{ agent: ${agent}, count: 2 }`).join(", ")}]`;

/** A game a pair, of next to no search. */
const policyGradients = [
  "graph.learn.games=20",
  "graph.learn.every=10",
  "graph.learn.replays=2",
  "graph.alone.games=10",
];

const daihinmin = [
  ...["AI1", "AI2", "AI3", "ISMCTS"].map((agent) => `agents.${agent}.simulations=2`),
  ...["AI1-AI2", "AI1-AI3", "AI2-AI3", "AI1-ISMCTS", "AI2-ISMCTS", "AI3-ISMCTS"].map(
    (pair) => `graph.${pair}.games=2`,
  ),
];

/** The settings of a net that learns tic-tac-toe, small and for two generations. */
const tinyTicTacToe = [
  "nets.zero={ use: residual, filters: 4, blocks: 1 }",
  "agents.learner.simulations=4",
  "agents.player.simulations=4",
  "agents.uct.simulations=4",
  "graph.games.games=20",
  "graph.games.generation=10",
  "graph.weights.batch=16",
  "graph.weights.steps=4",
  "graph.weights.rate=0.01",
];

/** A table learns what searches sample, on few games. */
const searchSamples = [
  smallBoard,
  "nets.value.tuples=2x6",
  "agents.player.trees=2",
  "agents.player.simulations=4",
  "graph.learn.games=20",
  "graph.learn.every=10",
  "graph.saved.every=1",
];

/**
 * What makes each shipped experiment a matter of seconds: boards, nets and numbers, never another kind of stage or search. `archive` is a
 * folder with games of Go on 5x5.
 */
export function toyScales(archive: string): Readonly<Record<string, readonly string[]>> {
  /** Games of others on 5x5, and a few minibatches of a stage that learns from them. */
  const fromArchive = [
    "game.size=5",
    "game.komi=0",
    `graph.records.sources=[${JSON.stringify(archive)}]`,
    "graph.records.leastMoves=1",
    "graph.records.validation=0.2",
    "graph.records.test=0.2",
    "graph.curve.positions=20",
    "graph.curve.every=1",
  ];
  return {
    "quickstart.yaml": [
      smallBoard,
      "nets.value.tuples=2x6",
      "agents.mc-softmax.simulations=10",
      "graph.learn.games=200",
      "graph.learn.every=100",
      "graph.curve.games=10",
      "graph.gain.games=4",
    ],
    "2048-ntuple.yaml": [
      smallBoard,
      "nets.value.tuples=2x6",
      "graph.learn.games=200",
      "graph.learn.every=100",
      "graph.curve.games=10",
      "graph.final.games=20",
    ],
    "2048-long.yaml": [
      smallBoard,
      "nets.value.tuples=2x6",
      "graph.learn.games=200",
      "graph.learn.every=100",
      "graph.saved.every=1",
      "graph.curve.games=10",
      "graph.greedy.games=20",
      "graph.searched.games=4",
    ],
    "2048-2x3.yaml": [
      "graph.learn.games=200",
      "graph.learn.every=50",
      "graph.scores.games=10",
      "nets.value.initialValue=0",
      "sweep=null",
    ],
    "2048-late.yaml": [
      smallBoard,
      "nets.value.tuples=2x6",
      "nets.value.stages=[64]",
      "graph.learn.games=200",
      "graph.learn.every=100",
      "graph.learn.begin.tile=64",
      "graph.saved.every=1",
      "graph.greedy.games=20",
      "graph.searched.games=4",
    ],
    "2048-deep.yaml": [
      "game={ rules: 2048, rows: 2, columns: 2 }",
      "nets.value.tuples=board",
      ...["greedy", "one", "two", "three", "four"].map((stage) => `graph.${stage}.games=2`),
    ],
    "2048-mcsoftmax.yaml": [
      smallBoard,
      ...["greedy", "1-tree"].flatMap(without),
      ...["5-tree", "10-tree"].flatMap(mcSoftmax),
    ],
    "2048-mcsoftmax-seeds.yaml": [
      "sweep=null",
      smallBoard,
      ...["greedy", "1-tree"].flatMap(without),
      ...["5-tree", "10-tree"].flatMap(mcSoftmax),
    ],
    "2048-mcsoftmax-laptop.yaml": searchSamples,
    "2048-mcsoftmax-laptop-sweep.yaml": [...searchSamples, "sweep=null"],
    "2048-mcsoftmax-changes.yaml": [...searchSamples, "sweep=null"],
    "2048-mcsoftmax-orders.yaml": [
      ...searchSamples,
      "sweep=null",
      "agents.player.selection.over=all-rounds",
      "agents.player.backup.over=all-trees",
    ],
    "2048-mcsoftmax-orders-long.yaml": [...searchSamples, "sweep=null"],
    "2048-mcsoftmax-nodes.yaml": [
      smallBoard,
      "sweep=null",
      "nets.value.tuples=2x6",
      "agents.player.simulations=8",
      "graph.learn.games=20",
      "graph.learn.every=10",
      "graph.learn.search.after=10",
      "graph.saved.every=1",
      "graph.afterwards.games=2",
    ],
    "2048-mcsoftmax-nodes-3x3.yaml": [
      "sweep=null",
      "nets.value={ use: cnn22, filters: [2, 2], units: [4, 4], valueScale: 100 }",
      "agents.player.simulations=4",
      "graph.play.games=2",
      "graph.play.generation=1",
      "graph.replay.games=2",
      "graph.train.batch=16",
      "graph.train.steps=2",
      "graph.saved.every=1",
      "graph.curve.games=2",
    ],
    "2048-mcsoftmax-chance.yaml": tables("2048-mcsoftmax-chance.yaml"),
    "2048-mcsoftmax-chance-2x3.yaml": tables("2048-mcsoftmax-chance-2x3.yaml"),
    "2048-mcsoftmax-chance-laptop.yaml": tables("2048-mcsoftmax-chance-laptop.yaml"),
    "2048-mcsoftmax-gain.yaml": [
      smallBoard,
      "nets.value={ use: cnn22, filters: [2, 2], units: [4, 4], valueScale: 1000 }",
      "agents.mc-softmax.simulations=4",
      "graph.play.games=4",
      "graph.play.generation=2",
      "graph.replay.capacity=200",
      "graph.train.batch=16",
      "graph.train.steps=2",
      "graph.saved.every=1",
      "graph.gain.games=2",
    ],
    "2048-mcsoftmax-chance-3x3.yaml": tables("2048-mcsoftmax-chance-3x3.yaml"),
    "2048-mcsoftmax-chance-cnn22.yaml": chanceNets,
    "2048-mcsoftmax-chance-cnn22-3x3.yaml": chanceNets,
    "2048-search.yaml": tables("2048-search.yaml"),
    "2048-search-learning.yaml": [
      ...tables("2048-search-learning.yaml"),
      "graph.saved-greedily.every=1",
      "graph.saved-searched.every=1",
    ],
    "2048-search-laptop.yaml": tables("2048-search-laptop.yaml"),
    "blokus-searches.yaml": blokusSearches,
    "blokus-searches-laptop.yaml": blokusSearches,
    "blokus-searches-counted.yaml": [
      ...["max-n", "paranoid", "best-reply"].map((name) => `agents.mcts-${name}.simulations=2`),
      "graph.searches.games=5",
    ],
    "blokus-searches-processor.yaml": [...blokusSearches, "sweep=null"],
    "blokus-searches-time.yaml": [
      "sweep=null",
      "agents.best-reply={ use: best-reply, depth: 1 }",
      "agents.mcts-max-n={ use: mcts-max-n, simulations: 2 }",
      "graph.searches.games=5",
    ],
    ...Object.fromEntries(
      ["gnugo-level-1", "gnugo-level-10"].map((agent) => [
        `go9-${agent}.yaml`,
        // Programs need not be here.
        [
          "game.size=3",
          `agents.${agent}={ use: random }`,
          ...[2, 3, 4, 5, 6].map((plies) => `graph.opening-of-${plies}.games=2`),
        ],
      ]),
    ),
    "alphago.yaml": [
      ...fromArchive,
      ...tinyConvolutions(["supervised", "reinforced", "value"]),
      "nets.value.valueUnits=4",
      ...learnsFew("learn-supervised"),
      ...learnsFew("learn-rollouts"),
      "graph.learn-reinforced.games=4",
      "graph.learn-reinforced.steps=3",
      "graph.learn-reinforced.every=2",
      "graph.saved-reinforced.every=1",
      "graph.games.games=20",
      "graph.games.longest=3",
      "graph.games.heldOut=0.2",
      "graph.replay.games=20",
      "graph.learn-value.batch=4",
      "graph.learn-value.steps=2",
      "graph.error.test=4",
      "graph.error-of-records.test=4",
      `graph.error-of-records.rollouts=[${["uniform", "rollouts", "supervised", "reinforced"].map((agent) => `{ agent: ${agent}, count: 2 }`).join(", ")}]`,
      ...[
        "rollouts-value-policy",
        "rollouts-policy",
        "value-policy",
        "rollouts-value",
        "value-alone",
        "rollouts-alone",
      ].flatMap((agent) => [`agents.${agent}.milliseconds=0`, `agents.${agent}.simulations=4`]),
      "graph.policies.games=2",
      "graph.parts.games=42",
    ],
    "alphago-9x9.yaml": [
      ...fromArchive,
      ...tinyConvolutions(["supervised", "reinforced", "value"]),
      "nets.value.valueUnits=4",
      ...learnsFew("learn-supervised"),
      ...learnsFew("learn-rollouts"),
      "graph.learn-reinforced.games=4",
      "graph.learn-reinforced.steps=3",
      "graph.learn-reinforced.every=2",
      "graph.saved-reinforced.every=1",
      ...fewValueGames("games"),
      "graph.replay.games=20",
      "graph.learn-value.batch=4",
      "graph.learn-value.steps=2",
      "graph.accuracy.positions=20",
      `graph.error.rollouts=${few(["uniform", "rollouts"])}`,
      "graph.error.test=4",
      "agents.alphago.simulations=2",
      "graph.policies.games=6",
      "graph.search.games=2",
    ],
    "alphago-9x9-accuracy.yaml": [
      ...go9Reinforced,
      ...fromArchive.filter((setting) => !setting.includes("curve")),
      ...tinyConvolutions(["features", "board"]),
      ...["features", "board", "linear"].flatMap((stage) => [
        ...learnsFew(stage),
        `graph.curve-${stage}.positions=20`,
      ]),
      "graph.last.positions=20",
    ],
    "alphago-9x9-reinforced.yaml": [...go9Reinforced, "graph.match.games=2"],
    "alphago-9x9-value.yaml": [
      ...go9Reinforced,
      ...fromArchive.filter((setting) => !setting.includes("curve")),
      "graph.error.test=4",
      `graph.error.rollouts=${few(["uniform", "rollouts", "supervised", "reinforced"])}`,
    ],
    "alphago-9x9-overfitting.yaml": [
      ...go9Reinforced,
      ...tinyConvolutions(["one", "all"]),
      ...["one", "all"].flatMap((positions) => [
        ...fewValueGames(`games-${positions}`),
        `nets.${positions}.valueUnits=4`,
        `graph.replay-${positions}.games=20`,
        `graph.learn-${positions}.batch=4`,
        `graph.learn-${positions}.steps=2`,
        `graph.error-${positions}.test=2`,
      ]),
    ],
    "alphago-9x9-parts.yaml": go9Match(
      ["rollouts-value-policy", "rollouts-policy", "value-policy", "rollouts-value", "value", "rollouts"],
      42,
    ),
    "alphago-9x9-lambda.yaml": go9Match(
      [0, 25, 50, 75, 100].map((percent) => `lambda-${percent}`),
      20,
    ),
    "alphago-9x9-simulations.yaml": go9Match(
      [25, 50, 100, 200, 400, 800].map((count) => `simulations-${count}`),
      42,
    ),
    "alphago-9x9-gnugo-1.yaml": go9Peer("gnugo", ["x1", "x4", "x16"]),
    "alphago-9x9-gnugo-10.yaml": go9Peer("gnugo", ["x1"]),
    "alphago-9x9-gnugo-10-x4.yaml": go9Peer("gnugo", ["x4"]),
    "alphago-9x9-gnugo-10-x16.yaml": go9Peer("gnugo", ["x16"]),
    "alphago-9x9-pachi-500.yaml": go9Peer("pachi", ["x1", "x4", "x16"]),
    "go9-player.yaml": [...go9, "agents.alphago.simulations=2"],
    "alphago-19x19-laptop.yaml": [
      ...fromArchive,
      ...tinyConvolutions(["policy"]),
      ...learnsFew("learn"),
      ...learnsFew("learn-rollouts"),
      "graph.match.games=6",
    ],
    "go9-zero.yaml": [
      "game.size=5",
      ...tinyNet,
      "nets.zero.globalPooling=1",
      ...zeroGames.filter((setting) => !setting.includes("fill")),
      "graph.replay.fill=1",
      "graph.games.warmStart.games=1",
      "agents.learner={ use: gumbel, net: zero, simulations: 2 }",
      ...["teacher", "player", "rave"].map((agent) => `agents.${agent}.simulations=2`),
      "graph.curve.every=0",
      "graph.curve.games=2",
    ],
    "go-uct-rave.yaml": [
      "game.size=5",
      "agents.rave.simulations=5",
      "agents.uct.simulations=5",
      "graph.match.games=2",
    ],
    "go5-reinforcement.yaml": [
      "game.size=3",
      ...["before", "policy", "one", "all"].flatMap((net) => [
        `nets.${net}.filters=2`,
        `nets.${net}.layers=1`,
      ]),
      "graph.learn.games=4",
      "graph.learn.steps=3",
      "graph.learn.every=2",
      "graph.saved.every=1",
      "graph.match.games=2",
      ...["games", "games-all"].flatMap((stage) => [`graph.${stage}.games=10`, `graph.${stage}.longest=3`]),
      ...["value", "value-all"].flatMap((stage) => [`graph.${stage}.batch=4`, `graph.${stage}.steps=2`]),
      "graph.error.rollouts=[{ agent: uniform, count: 2 }]",
    ],
    "daihinmin-player.yaml": ["agents.learned.simulations=2"],
    "daihinmin-beyond.yaml": [
      ...["AI1", "AI2", "AI3", "ISMCTS", "learned", "rules", "uniform"].map(
        (agent) => `agents.${agent}.simulations=2`,
      ),
      ...["AI1", "AI2", "AI3", "ISMCTS", "uniform", "rules"].map((other) => `graph.learned-${other}.games=2`),
      "graph.policy-AI1.games=2",
    ],
    "daihinmin-beyond-clock.yaml": [
      ...["AI1", "AI2", "AI3", "ISMCTS", "learned"].flatMap((agent) => [
        `agents.${agent}.milliseconds=0`,
        `agents.${agent}.simulations=2`,
      ]),
      ...["AI1", "AI2", "AI3", "ISMCTS"].map((other) => `graph.learned-${other}.games=2`),
    ],
    "daihinmin-policy.yaml": policyGradients,
    "duo-policy.yaml": policyGradients,
    "blokus-policy.yaml": policyGradients,
    "duo-classical-parts.yaml": [
      "agents.classical.simulations=2",
      "graph.parts.games=20",
      "graph.parts.equalTime=null",
      ...[
        "without-policy",
        "uniform-playouts",
        "no-prior",
        "sharp-prior",
        "early-expansion",
        "history",
        "rave",
        "share",
        "widening",
        "kept-tree",
      ].map((agent) => `agents.${agent}.simulations=2`),
    ],
    "duo-classical-player.yaml": ["agents.classical.simulations=2"],
    "blokus-classical-player.yaml": ["agents.classical.simulations=2"],
    "daihinmin-grouping.yaml": daihinmin,
    "daihinmin-grouping-laptop.yaml": daihinmin,
    "daihinmin-source.yaml": [...daihinmin, "game.games=2"],
    "daihinmin-source-laptop.yaml": [...daihinmin, "game.games=2"],
    "daihinmin-source-sweep.yaml": [...daihinmin, "game.games=2", "sweep=null"],
    "daihinmin-readings.yaml": [
      "sweep=null",
      ...["AI1", "AI2", "AI3", "ISMCTS"].map((agent) => `agents.${agent}.simulations=2`),
      ...["AI1", "AI2", "AI3"].map((grouped) => `graph.${grouped}-ISMCTS.games=2`),
      ...["opponents=paranoid", "final=mean", "groupFirst=false", "firstPlay=1"].map(
        (reading) => `agents.AI1.${reading}`,
      ),
    ],
    "int8-strength.yaml": [
      "agents.float32.simulations=2",
      "agents.int8.simulations=2",
      "graph.match.games=2",
      "sweep=null",
    ],
    "player-search.yaml": [
      ...["filters=4", "blocks=1", "valueUnits=4"].map((size) => `nets.zero.${size}`),
      ...zeroGames.filter((setting) => !setting.includes("fill")),
      "graph.games.warmStart.games=1",
      ...["teacher", "learner", "gumbel", "puct"].map((agent) => `agents.${agent}.simulations=2`),
      "graph.match.games=2",
      "sweep=null",
    ],
    "duo-targets.yaml": [
      ...["filters=2", "blocks=1", "valueUnits=4"].map((size) => `nets.zero.${size}`),
      ...zeroGames.filter((setting) => !setting.includes("fill")),
      "graph.games.warmStart.games=1",
      ...["teacher", "learner", "player", "committed"].map((agent) => `agents.${agent}.simulations=2`),
      "graph.statistics.games=1",
      "graph.match.games=2",
      "sweep=null",
    ],
    "duo-td.yaml": duo,
    "duo-td-laptop.yaml": duo,
    "duo-td-seeds.yaml": [...duoSeeds, "sweep=null"],
    "duo-td-epsilon.yaml": [
      "sweep=null",
      "graph.learn.games=2",
      "graph.learn.every=1",
      "graph.saved.every=1",
    ],
    "duo-td-openings.yaml": [
      "sweep=null",
      "agents.opener.simulations=4",
      "graph.openings.openings=2",
      ...["uct-cut", "uct-keep", "random-cut", "random-keep"].flatMap((learner) => [
        `graph.learn-${learner}.games=2`,
        `graph.learn-${learner}.every=1`,
      ]),
    ],
    "blokuszero.yaml": [
      tinyBlokusNet("history"),
      ...zeroGames,
      "graph.saved.every=1",
      "graph.curve.games=4",
      "graph.rollouts.games=3",
      "graph.policy.games=1",
      ...["learner", "player", "mcts-800"].map((agent) => `agents.${agent}.simulations=2`),
      "agents.mcts-1600.simulations=4",
      "agents.mcts-3200.simulations=8",
    ],
    "blokuszero-small.yaml": blokusSmall,
    "blokuszero-small-seeds.yaml": [...blokusSmall, "sweep=null"],
    "blokuszero-small-parts.yaml": [
      ...blokusSmall.filter((setting) => !setting.startsWith("graph.rollouts")),
      "sweep=null",
      "graph.curve.every=1",
    ],
    "blokuszero-small-techniques.yaml": [
      ...blokusSmall.filter((setting) => !/graph\.(rollouts|policy)/.test(setting)),
      "sweep=null",
    ],
    "blokuszero-fast.yaml": [
      ...["filters=2", "blocks=2", "globalPooling=1", "valueUnits=4"].map((size) => `nets.zero.${size}`),
      ...zeroGames.filter((setting) => !setting.includes("fill")),
      "graph.curve.every=1",
      "graph.curve.games=4",
      "graph.games.warmStart.games=1",
      ...["learner", "teacher", "net-alone", "mcts-max-n"].map((agent) => `agents.${agent}.simulations=2`),
    ],
    "blokus-player.yaml": [tinyBlokusNet("compact"), "agents.zero.simulations=2"],
    "blokuszero-match.yaml": [
      tinyBlokusNet("compact"),
      tinyBlokusNet("compact").replace("zero", "untrained"),
      ...["zero", "untrained", "net-alone", "mcts-max-n", "mcts-200", "mcts-400"].map(
        (agent) => `agents.${agent}.simulations=2`,
      ),
      "graph.match.games=4",
      "graph.match.analyse=1",
      "graph.untrained.games=4",
      "graph.net-alone.games=4",
      "graph.rollouts.games=4",
      "graph.policy.games=1",
    ],
    "connect-four-zero.yaml": [
      ...tinyNet,
      ...zeroGames,
      "agents.learner={ use: gumbel, net: zero, simulations: 2 }",
      "agents.teacher.simulations=2",
      "graph.games.warmStart.games=1",
      ...["player", "player-800", "uct"].map((agent) => `agents.${agent}.simulations=2`),
      ...["suite", "own-play"].map((suite) => `graph.${suite}.every=0`),
      ...["suite", "own-play", "stages", "deep"].map((suite) => `graph.${suite}.positions=3`),
      "graph.against-uct.games=2",
    ],
    "connect-four-perfect.yaml": [
      "agents.zero.simulations=2",
      "agents.zero-800.simulations=2",
      "agents.uct.simulations=2",
      // With twenty stones on the board perfect play is found in milliseconds.
      ...["player", "player-800", "playouts"].flatMap((match) => [
        `graph.${match}.openings={ plies: 20 }`,
        `graph.${match}.games=2`,
      ]),
    ],
    "atlas-connect-four.yaml": [...zeroWithCurve, "agents.teacher.simulations=2", "sweep=null"],
    "atlas-duo.yaml": [
      ...zeroWithCurve.filter((setting) => !setting.startsWith("agents.")),
      ...["teacher", "learner", "player"].map((agent) => `agents.${agent}.simulations=2`),
      "sweep=null",
    ],
    "equal-time.yaml": [
      ...["zero", "uct", "mcts"].map((agent) => `agents.${agent}.simulations=2`),
      "graph.match.games=6",
    ],
    "othello-zero.yaml": zeroWithCurve,
    "duo-zero.yaml": zeroWithCurve,
    ...Object.fromEntries(
      ["connect-four", "othello", "duo"].map((game) => [
        `${game}-player.yaml`,
        ["agents.zero.simulations=2"],
      ]),
    ),
    "tic-tac-toe-zero.yaml": [...tinyTicTacToe, "graph.against-uct.games=10"],
    "tic-tac-toe-versions.yaml": [...tinyTicTacToe, "graph.versions.games=20"],
  };
}
