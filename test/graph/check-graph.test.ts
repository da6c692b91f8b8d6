import { mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { checkGraph } from "../../src/graph/check-graph.ts";
import { readExperiment } from "../../src/graph/experiment-file.ts";
import { graphWarnings } from "../../src/graph/graph-warnings.ts";
import { ExperimentInvalid, formatProblem } from "../../src/graph/problem.ts";
import { didYouMean } from "../../src/messages/did-you-mean.ts";
import { writeCheckpoint } from "../../src/operators/run/weights/checkpoint-files.ts";
import { writeOpenings } from "../../src/operators/play/openings/opening-database.ts";
import { RunFiles } from "../../src/operators/run/run-files.ts";
import { ownerOf } from "../../src/operators/experiment/open-experiment.ts";
import { freshWeights } from "../../src/operators/run/weights/net-weights.ts";
import { scratchFolder } from "../formats/scratch-folder.ts";
import {
  linearExperiment,
  tablesExperiment,
  trainingExperiment,
  writeExperiment,
  zeroExperiment,
} from "./tiny-run.ts";

const golden = join(import.meta.dirname, "golden");

/** All problems of a file, one a line, without the names of folders. */
function problemsOf(file: string, set: readonly string[] = []): string[] {
  try {
    checkGraph(readExperiment(file, set));
    return [];
  } catch (error) {
    if (!(error instanceof ExperimentInvalid)) throw error;
    return error.problems.map((each) => formatProblem(each).replace(/^\/\S+\//, ""));
  }
}

const problemsWith = (set: readonly string[], text = trainingExperiment) =>
  problemsOf(writeExperiment(scratchFolder(), text, "a.yaml"), set);

describe("checkGraph", () => {
  it("lists all that is wrong with a file at once, in reading order, with places and remedies", async () => {
    const problems = problemsOf(join(golden, "very-wrong.yaml"));
    await expect(`${problems.join("\n")}\n`).toMatchFileSnapshot(join(golden, "very-wrong.txt"));
  });

  it("says nothing more of a stage whose agent or net does not have the right form, and says what is wrong with these", () => {
    const emptied = (part: RegExp) => problemsWith([], zeroExperiment.replace(part, "$1 null"));
    expect(emptied(/^( {2}learner:)\n.*$/m)).toEqual([expect.stringMatching(/ agents\.learner: /)]);
    expect(emptied(/^( {2}zero:)\n.*$/m)).toEqual([expect.stringMatching(/ nets\.zero: /)]);
    const net = problemsWith([], zeroExperiment.replace("net: zero, simulations", "net: {}, simulations"));
    expect(net).toEqual([expect.stringMatching(/ agents\.learner\.net: /)]);
  });

  it("follows names also if the game or a part of the file is wrong, and blames no names on a misspelt key", () => {
    const names = [
      "agents.second={ use: greedy, net: valeu }",
      "graph.curve.agents=[lerner]",
      "graph.saved.from=weihts",
    ];
    const followed = ["agents.second.net", "graph.curve.agents.0", "graph.saved.from"];
    for (const wrong of ["game.rules=chess", "speed=11", "schedule=fast"])
      expect(
        problemsWith([...names, wrong]).filter((line) =>
          followed.some((each) => line.includes(` ${each}: no `)),
        ),
      ).toHaveLength(3);
    const misspelt = problemsWith(["game.rules=chess"], trainingExperiment.replace("nets:", "nest:"));
    expect(misspelt.join("\n")).toMatch(/nest: unknown key "nest"; did you mean "nets"/);
    expect(misspelt.join("\n")).not.toMatch(/no net/);
    // A stage whose name is wrong is reported once.
    expect(
      problemsWith(["graph.weights.use=trianer"]).filter((line) => /weights|service/.test(line)),
    ).toEqual([expect.stringMatching(/there is no "trianer"/)]);
  });

  it("finds nothing wrong with files that are right", () => {
    expect(problemsWith([])).toEqual([]);
    expect(problemsWith([], tablesExperiment)).toEqual([]);
  });

  it("reports nets that would learn from games played for something else", () => {
    const problems = problemsWith([
      "nets.winner={ use: mlp, hidden: [4], values: win-loss }",
      "graph.weights.net=winner",
    ]);
    expect(problems.join("\n")).toMatch(
      /graph\.weights\.net: "winner" predicts win-loss \(its setting "values"\), but the games it learns from are played for returns/,
    );
    expect(problemsWith(["nets.value.values=win-share"])).toEqual([]);
  });

  it("refuses to overlap if nothing plays while another stage learns", () => {
    expect(problemsWith(["schedule=overlapped"])).toEqual([]);
    expect(problemsWith(["schedule=overlapped"], tablesExperiment).join("\n")).toMatch(
      /schedule: overlapped changes nothing here: .* leave schedule out/,
    );
  });

  it("refuses former names of what nets predict, and says the new ones", () => {
    for (const [former, now] of [
      ["outcome", "win-share"],
      ["result", "win-loss"],
    ] as const)
      expect(problemsWith([`nets.value.values=${former}`]).join("\n")).toContain(
        `nets.value.values: expected returns or win-share or win-loss, found "${former}"; "${former}" is now called "${now}"`,
      );
  });

  it("refuses settings that no engine has together, and says what to choose", () => {
    expect(problemsWith(["compute.device=cuda"]).join("\n")).toContain(
      "compute.device: onnx on cuda is not available: the engine onnx computes on cpu, webgpu; choose the engine torch for the device cuda, or the device webgpu with the engine onnx",
    );
    expect(problemsWith(["compute={ engine: torch, device: cuda, python: python3 }"])).toEqual([]);
    for (const [set, where] of [
      ["{ engine: torch, device: webgpu }", "device"],
      ["{ engine: tfjs, device: mps }", "device"],
      ["{ python: python3 }", "python"],
      ["{ engine: torch, backend: node }", "backend"],
      ["{ engine: torch, bits: portable }", "bits"],
    ] as const)
      expect(problemsWith([`compute=${set}`]).join("\n"), set).toContain(`compute.${where}: `);
  });

  it("reports nets that are to learn from positions alone how a game ends", () => {
    expect(problemsWith([], zeroExperiment)).toEqual([]);
    const cold = zeroExperiment.replace(/warmStart: \{.*?\}, /, "");
    const problems = problemsWith(["graph.games.examples={ use: td }"], cold).join("\n");
    for (const target of ["score", "ownership", "reply"])
      expect(problems).toContain(
        `graph.weights.loss: the net learns the ${target}, and examples of the kind td do not hold it`,
      );
    expect(problemsWith(["graph.games.examples={ use: td }", "nets.zero={ use: residual }"], cold)).toEqual(
      [],
    );
  });

  it.each<[string, RegExp]>([
    [
      "graph.weights.batch=61",
      /^--set graph\.weights\.batch=61: graph\.weights\.batch: a batch of 61 is larger than the buffer/,
    ],
    [
      "graph.replay.capacity=null",
      /graph\.replay: a buffer has a size in examples \(capacity\) or in games \(games\): give one of the two/,
    ],
    ["graph.replay.games=5", /graph\.replay\.games: a buffer has a size in examples/],
    ["graph.replay.growth={}", /graph\.replay\.growth: only a buffer with a size in games can grow/],
    [
      "graph.replay.fill=61",
      /graph\.replay\.fill: training would never start: the buffer waits for 61 games, and only 60 are played/,
    ],
    [
      "graph.games.generation=7",
      /graph\.games\.generation: 60 games cannot be divided into generations of 7/,
    ],
    [
      "graph.weights.loss.use=alphazero",
      /graph\.weights\.loss: the loss alphazero needs a net with a policy/,
    ],
    [
      "agents.learner={ use: puct-max-n, net: value }",
      /agents\.learner\.net: puct-max-n needs a net with a policy, and "value" gives values only/,
    ],
    [
      "agents.learner={ use: apv-mcts, valueNet: other }",
      /agents\.learner\.valueNet: no net "other" \(known here: value\)/,
    ],
    [
      "agents.learner={ use: apv-mcts, valueNet: value, playoutNet: value }",
      /agents\.learner\.playoutNet: apv-mcts plays out by a net with a policy for playouts, .* "value" is not one/,
    ],
    [
      "agents.learner={ use: apv-mcts, lambda: 0.5 }",
      /agents\.learner: search apv-mcts: with lambda: 0\.5 a net values leaves: name a valueNet/,
    ],
    ["agents.learner.playoutNet=value", /agents\.learner\.playoutNet: unknown key/],
    [
      "game.rules=chess",
      /game\.rules: there is no "chess"; ludoflow does not have this game.* \(known: 2048, tic-tac-toe/,
    ],
    ["game.rules=204", /game\.rules: there is no "204"; did you mean "2048"\?/],
    [
      "compute.device=gpu",
      /expected one of cpu, webgpu, cuda, mps, xpu, found "gpu"; did you mean "webgpu"\?/,
    ],
    ["seed=.inf", /seed: expected a whole number .*, found \.inf$/],
    ["agents.ä={use: random}", /agents\.ä: a name has letters a to z or A to Z/],
    [
      `agents.${"a".repeat(101)}={use: random}`,
      /agents\.a+: a name has at most 100 characters, and this one has 101$/m,
    ],
    [
      `graph.${"a".repeat(300)}={use: arena}`,
      /graph\.a+: a name has at most 100 characters, and this one has 300$/m,
    ],
    [`name=${"a".repeat(101)}`, /name: expected at most 100 characters, found 101$/],
    ["agents.learner.<<={net: value}", /merge keys \("<<"\) are not read/],
    [
      "agents.another={<<: {use: greedy, net: value}}",
      /agents\.another\.<<: merge keys \("<<"\) are not read/,
    ],
    ["agents.learner.use=greddy", /agents\.learner\.use: there is no "greddy"; did you mean "greedy"\?/],
    ["nets.value.use=mlpp", /nets\.value\.use: there is no "mlpp"; did you mean "mlp"\?/],
    [
      "nets.value.planes=tilse",
      /nets\.value: the net mlp cannot play 2048: the game has no planes "tilse"; did you mean "tiles"\? \(known: tiles\)/,
    ],
    ["graph.replay.from=gamse", /graph\.replay\.from: no stage "gamse"; did you mean "games"\?/],
    ["graph.replay.from=weights", /replay-buffer reads games here, and "weights" \(trainer\) gives weights/],
    ["graph.weights.net=other", /graph\.weights\.net: no net "other" \(known here: value\)/],
    ["graph.games.agent=other", /graph\.games\.agent: no agent "other" \(known here: learner\)/],
    ["graph.curve.agents.0=lerner", /graph\.curve\.agents\.0: no agent "lerner"; did you mean "learner"\?/],
    [
      "graph.second={ use: trainer, from: replay, net: value, batch: 1, steps: 1, rate: 1 }",
      /graph\.second\.net: net "value" is learned by stage "weights" already/,
    ],
    [
      "graph={ one: { use: batch-evaluator, net: value }, two: { use: batch-evaluator, net: value } }",
      /graph\.two\.net: "value" has the evaluator "one" already/,
    ],
    [
      "graph.table={ use: td-learner, net: value, games: 1, every: 1 }",
      /"value" is not a value function on tables; learn it with a trainer/,
    ],
    [
      "graph.wieghts.steps=3",
      /graph\.wieghts\.use: the file has no "wieghts"; did you mean "weights"\? .*"use" is missing; expected one of [^;]*$/,
    ],
    ["graph.other.steps=3", /graph\.other\.use: "use" is missing; expected one of [^;]*$/],
    ["graph={}", /graph: expected at least 1 entry, found/],
    ["seed=1.5", /seed: expected a whole number from 0 to 9,007,199,254,740,991, found 1\.5/],
    ["seed=1e300", /seed: expected a whole number from 0 to 9,007,199,254,740,991/],
    ["workers=0", /workers: expected a whole number from 1 to 1,024, found 0/],
    ["name=../up", /name: expected letters a to z or A to Z, digits, .* with a letter or a digit first/],
    ["nets.value.hidden=12", /nets\.value\.hidden: expected a list, found 12/],
    ["game=null", /game: "game" is missing: The game and its options/],
    ["game.rows=9", /game\.rows: expected a whole number from 2 to 4, found 9/],
  ])("refuses --set %s", (set, message) => {
    const problems = problemsWith([set]);
    expect(problems.join("\n")).toMatch(message);
    for (const line of problems) expect(line).not.toMatch(/undefined|\[object|NaN/);
  });

  it("takes names of a hundred characters", () => {
    const long = "a".repeat(100);
    expect(problemsWith([`name=${long}`, `agents.${long}={use: random}`])).toEqual([]);
  });

  it("lists some of very many names, and counts the rest", () => {
    const nets = Array.from({ length: 500 }, (_, i) => `nets.n${i}={ use: mlp }`);
    const [problem] = problemsWith([...nets, "agents.learner.net=other"]).filter((line) =>
      line.includes('"other"'),
    );
    expect(problem).toMatch(/no net "other".* \(known here: value, n0, .*n38 and 461 more\)$/);
  });

  it("refuses nets that do not fit the game, in its own words", () => {
    const set = ["nets.value={ use: n-tuple, tuples: 4x6 }"];
    expect(problemsWith(set).join("\n")).toMatch(
      /nets\.value: the net n-tuple cannot play 2048: the tuples 4x6 are not made for a 2x2 board/,
    );
    expect(
      problemsWith(["game.rules=tic-tac-toe", "game.rows=null", "game.columns=null"], tablesExperiment).join(
        "\n",
      ),
    ).toMatch(/nets\.value: the net n-tuple cannot play tic-tac-toe/);
  });

  it("refuses values of downgraded boards as values of the boards that were played", () => {
    const agent = "agents.learner={ use: expectimax, net: value, downgrade: 64 }";
    expect(problemsWith([agent]).join("\n")).toMatch(
      /graph\.games\.examples\.values: "learner" searches lesser boards .* or take values: net/,
    );
    expect(problemsWith([agent, "graph.games.examples.values=net"])).toEqual([]);
  });

  it("orders stages so that each comes after those it reads, and follows all ports", () => {
    const file = writeExperiment(
      scratchFolder(),
      trainingExperiment.replace(
        "graph:\n",
        "graph:\n  early: { use: arena, after: weights, agents: [learner], games: 1 }\n",
      ),
    );
    const { stages } = checkGraph(readExperiment(file));
    const order = stages.map(({ name }) => name);
    for (const stage of stages)
      for (const from of Object.values(stage.inputs))
        expect(order.indexOf(from)).toBeLessThan(order.indexOf(stage.name));
    expect(order).toHaveLength(6);
    expect(stages.find(({ name }) => name === "early")!.inputs).toEqual({ after: "weights" });
  });

  it("fills in every default", () => {
    const { opened } = checkGraph(readExperiment(writeExperiment(scratchFolder(), trainingExperiment)));
    expect(opened.experiment).toMatchObject({
      schedule: "synchronous",
      compute: { engine: "auto", device: "cpu", threads: 1 },
      nets: { value: { policy: false } },
      graph: {
        games: { retries: 0, monitor: { low: 0.1, high: 1.5 } },
        weights: { optimiser: { use: "adam" } },
      },
    });
  });
});

describe("didYouMean", () => {
  it("suggests the nearest known name, if one is near", () => {
    const known = ["trainer", "arena", "replay-buffer", "checkpoint"];
    const suggested = (given: string) => /"(.*)"/.exec(didYouMean(given, known))?.[1];
    expect(["trianer", "Trainer", "areena", "replaybuffer", "chekpoint"].map(suggested)).toEqual([
      "trainer",
      "trainer",
      "arena",
      "replay-buffer",
      "checkpoint",
    ]);
    expect(["x", "zebra", "", "completely-else"].map(suggested)).toEqual(Array(4).fill(undefined));
    expect(didYouMean("x", [])).toBe("");
  });
});

describe("the checkpoint that a net starts from", () => {
  const net = "{ use: mlp, hidden: [8], valueActivation: linear, valueScale: 100";
  const withWeights = (weights: string) => trainingExperiment.replace(net, `${net}, weights: ${weights}`);
  /** A folder `inner` with a checkpoint of the net, and a file beside it that names it. */
  function sources(): { folder: string; file: string } {
    const folder = scratchFolder();
    const { opened } = checkGraph(readExperiment(writeExperiment(folder, trainingExperiment, "plain.yaml")));
    mkdirSync(join(folder, "inner"));
    writeCheckpoint(join(folder, "inner", "start"), {
      ...ownerOf(opened.experiment, "value"),
      name: "value",
      version: 1,
      learned: 1,
      unit: "steps",
      progress: {},
      tensors: freshWeights(opened, "value"),
    });
    return { folder, file: writeExperiment(join(folder, "inner"), withWeights("start"), "named.yaml") };
  }

  it("is relative to the file that names it, or to where the command ran, and absolute from then on", () => {
    const { folder, file } = sources();
    const start = join(folder, "inner", "start");
    const weightsOf = (...args: Parameters<typeof readExperiment>) =>
      checkGraph(readExperiment(...args)).opened.experiment.nets["value"]!.weights;
    expect(weightsOf(file)).toBe(start);
    const over = writeExperiment(folder, "extends: inner/named.yaml\nseed: 3\n", "over.yaml");
    expect(weightsOf(over)).toBe(start);
    const plain = join(folder, "plain.yaml");
    expect(weightsOf(plain, ["nets.value.weights=start"], join(folder, "inner"))).toBe(start);
    expect(weightsOf(plain, [`nets.value.weights=${relative(".", start)}`])).toBe(start);
  });

  it("is a problem at its place if it is missing, of another net, or damaged", () => {
    const { folder, file } = sources();
    const missing = writeExperiment(folder, withWeights("start"), "missing.yaml");
    expect(problemsOf(missing)).toEqual([
      expect.stringMatching(
        /^missing\.yaml:8:\d+: nets\.value\.weights: checkpoint \/.*start: there is no such folder$/,
      ),
    ]);
    expect(problemsOf(file, ["nets.value.hidden=[9]"])).toEqual([
      expect.stringMatching(
        /^named\.yaml:8:\d+: nets\.value\.weights: checkpoint .* it holds the net .*, not /,
      ),
    ]);
    truncateSync(join(folder, "inner", "start", "state.safetensors"), 100);
    expect(problemsOf(file)).toEqual([expect.stringMatching(/nets\.value\.weights: .* is damaged/)]);
  });

  it("is not needed if a run continues that has its own", () => {
    const { folder, file } = sources();
    const read = readExperiment(file);
    rmSync(join(folder, "inner", "start"), { recursive: true });
    expect(() => checkGraph(read, folder)).toThrow("there is no such folder");
    const own = join(folder, "checkpoints", "value", "0000000012");
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, "checkpoint.json"), "{}");
    expect(checkGraph(read, folder).stages.length).toBe(5);
  });
});

describe("the database of openings that a stage takes", () => {
  const withFile = (file: string) => linearExperiment.replace("plies: 3 }", `plies: 3, file: ${file} }`);
  const settings = { agent: "opener", openings: 20, plies: 3 };

  function sources(): { folder: string; file: string } {
    const folder = scratchFolder();
    const { opened } = checkGraph(readExperiment(writeExperiment(folder, linearExperiment, "plain.yaml")));
    const openings = Array.from({ length: 20 }, () => Int32Array.of(0, 1, 2));
    writeOpenings({ files: new RunFiles(folder), opened, stage: "book" }, settings, openings);
    mkdirSync(join(folder, "inner"));
    const file = writeExperiment(join(folder, "inner"), withFile("../openings/book.json"), "named.yaml");
    return { folder, file };
  }

  it("is relative to the file that names it, and absolute from then on", () => {
    const { folder, file } = sources();
    const { graph } = checkGraph(readExperiment(file)).opened.experiment;
    expect(graph["book"]!["file"]).toBe(join(folder, "openings", "book.json"));
  });

  it("is a problem at its place if it is missing or of other openings", () => {
    const { folder, file } = sources();
    expect(problemsOf(writeExperiment(folder, withFile("none.json"), "missing.yaml"))).toEqual([
      expect.stringMatching(/^missing\.yaml:14:\d+: graph\.book\.file: openings \/.*none\.json: /),
    ]);
    expect(problemsOf(file, ["graph.book.plies=2"])).toEqual([
      expect.stringMatching(/^named\.yaml:14:\d+: graph\.book\.file: .* was built with the plies 3, not 2$/),
    ]);
  });

  it("is not needed if a run continues that has taken it over", () => {
    const { folder, file } = sources();
    const read = readExperiment(file);
    const database = join(folder, "openings", "book.json");
    const other = scratchFolder();
    mkdirSync(join(other, "openings"));
    renameSync(database, join(other, "openings", "book.json"));
    expect(() => checkGraph(read, folder)).toThrow("book.json");
    expect(checkGraph(read, other).stages.length).toBe(6);
  });
});

describe("graphWarnings", () => {
  /** The warnings about a match on this board against this agent, without the names of folders. */
  async function warningsOf(board: string, agent: string): Promise<string[]> {
    const text = `name: warned
seed: 1
game: { rules: go, ${board} }
agents:
  tested: ${agent}
  random: { use: random }
graph:
  match: { use: arena, agents: [tested, random], games: 2 }
`;
    const file = readExperiment(writeExperiment(scratchFolder(), text, "a.yaml"));
    return (await graphWarnings(file, checkGraph(file))).map((each) =>
      formatProblem(each).replace(/^\/\S+\//, ""),
    );
  }

  it("warns of exact searches that do not finish, as a trial shows", async () => {
    expect(await warningsOf("size: 2, komi: 0", "{ use: minimax }")).toEqual([]);
    // A machine that is busy with other work: it has taken an hour, and the trial half a second of it.
    const wall = vi.spyOn(performance, "now").mockReturnValueOnce(0).mockReturnValue(3_600_000);
    const processor = vi.spyOn(process, "cpuUsage").mockReturnValueOnce({ user: 0, system: 0 });
    processor.mockReturnValue({ user: 400_000, system: 100_000 });
    expect(await warningsOf("size: 2, komi: 0", "{ use: minimax }")).toEqual([]);
    expect(processor).toHaveBeenCalled();
    processor.mockReturnValueOnce({ user: 0, system: 0 }).mockReturnValue({ user: 900_000, system: 100_000 });
    wall.mockReturnValueOnce(0);
    expect(await warningsOf("size: 9", "{ use: minimax }")).toEqual([
      expect.stringMatching(/^a\.yaml:5:\d+: agents\.tested: minimax has not solved go .* set depth/),
    ]);
    processor.mockRestore();
    wall.mockRestore();
    expect(await warningsOf("size: 9", "{ use: minimax, milliseconds: 100 }")).toEqual([]);
  });

  it("warns of searches that look at hardly any moves, by the values that their net predicts", async () => {
    const text = (values: string) => `name: warned
seed: 1
game: { rules: go, size: 9, moveLimit: 60 }
nets:
  zero: { use: residual, filters: 4, blocks: 1, values: ${values} }
agents:
  tested: { use: puct-max-n, net: zero, simulations: 200 }
graph:
  match: { use: arena, agents: [tested], games: 2 }
`;
    const warnings = async (values: string) => {
      const file = readExperiment(writeExperiment(scratchFolder(), text(values), "a.yaml"));
      return (await graphWarnings(file, checkGraph(file))).map(({ message }) => message);
    };
    expect(await warnings("win-share")).toEqual([expect.stringMatching(/look at hardly more than one move/)]);
    expect(await warnings("win-loss")).toEqual([]);
  });

  it("warns of games that may never end", async () => {
    expect(await warningsOf("size: 9, superko: simple", "{ use: uct }")).toEqual([
      expect.stringMatching(/^a\.yaml:3:\d+: game: under simple ko.* set moveLimit/),
    ]);
    expect(await warningsOf("size: 9, superko: simple, moveLimit: 200", "{ use: uct }")).toEqual([]);
  });
});
