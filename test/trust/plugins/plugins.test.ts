import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { resultsOf } from "../../graph/tiny-run.ts";
import { bin, ludoflow, ludoflowKilled } from "../../cli/run-cli.ts";

const examples = join(import.meta.dirname, "../../../examples");
const experiment = `
name: hex
seed: 3
workers: 2
compute: { threads: 1 }
plugins: [./hex.ts, ./wide.ts, ./one-ply.ts, ./long-games.ts]
game: { rules: hex, size: 4 }
nets:
  net: { use: wide, filters: 8, values: win-loss }
agents:
  learner: { use: puct-max-n, net: net, simulations: 8, temperature: [{ value: 1 }] }
  greedy: { use: one-ply, net: net, epsilon: 0.1 }
  random: { use: random }
graph:
  games: { use: self-play, agent: learner, games: 40, generation: 10, inFlight: 4, examples: { use: alphazero } }
  long: { use: long-games, from: games, plies: 11 }
  replay: { use: replay-buffer, from: long, games: 40 }
  weights: { use: trainer, from: replay, net: net, batch: 16, steps: 10, rate: 0.01, loss: { use: alphazero } }
  saved: { use: checkpoint, from: weights, keep: 0 }
  match: { use: arena, after: weights, agents: [greedy, random], games: 4, every: 2 }
`;

it("plug-ins of all kinds train, are killed, resume to the same bytes, replay, and may be changed if allowed", async () => {
  const folder = scratchFolder();
  for (const file of [
    "own-game/hex.ts",
    "own-net/wide.ts",
    "own-search/one-ply.ts",
    "own-stage/long-games.ts",
  ])
    cpSync(join(examples, file), join(folder, file.split("/")[1]!));
  writeFileSync(join(folder, "hex.yaml"), experiment);
  const cli = async (...args: string[]) => await ludoflow(args, folder).ended;

  const whole = await cli("run", "hex.yaml", "--allow-code", "--out", "whole");
  expect([whole.code, whole.err]).toEqual([0, expect.not.stringContaining("warning")]);

  await ludoflowKilled(["run", "hex.yaml", "--allow-code", "--out", "killed"], folder, {
    file: "games/match.games",
    // The log's head and the four games of the first round.
    writes: 1 + 4,
  });

  // Changed, also in a file that is only imported: refused, and nothing is written.
  const hex = readFileSync(join(folder, "hex.ts"), "utf8");
  const manifest = () => readFileSync(join(folder, "killed/manifest.json"), "utf8");
  const before = manifest();
  writeFileSync(join(folder, "hex.ts"), `${hex}// mended\n`);
  const refused = await cli("resume", "killed", "--allow-code");
  expect([refused.code, refused.err]).toEqual([
    2,
    expect.stringMatching(/changed since it began: .*\/hex\.ts\. [^]*--changed-plugins/),
  ]);
  expect(manifest()).toBe(before);
  cpSync(join(folder, "killed"), join(folder, "changed"), { recursive: true });
  const changed = await cli("resume", "changed", "--allow-code", "--changed-plugins");
  expect([changed.code, changed.err]).toEqual([
    0,
    expect.stringMatching(
      /its plug-ins have changed: .*hex\.ts: from here on its results are not a function/,
    ),
  ]);
  expect(JSON.parse(readFileSync(join(folder, "changed/manifest.json"), "utf8"))).toMatchObject({
    reproducible: false,
    irreproducible: ["its plug-ins have changed while it went on"],
    earlierPlugins: [{ plugins: [{ defines: [{ kind: "game", name: "hex" }] }, {}, {}, {}] }],
  });

  writeFileSync(join(folder, "hex.ts"), hex);
  expect((await cli("resume", "killed")).code).toBe(2);
  expect((await cli("resume", "killed", "--allow-code")).code).toBe(0);
  expect(resultsOf(join(folder, "killed"))).toEqual(resultsOf(join(folder, "whole")));

  // Without the columns that name the run.
  const figures = (run: string) =>
    readFileSync(join(folder, run, "data/figures-of-stages.csv"), "utf8").replaceAll(/^[^,]+,[^,]+,/gm, "");
  expect(figures("killed")).toBe(figures("whole"));
  // Games of both kinds: the last share is between none and all.
  expect(Number(figures("whole").trim().split(",").at(-1))).toBeGreaterThan(0);
  expect(Number(figures("whole").trim().split(",").at(-1))).toBeLessThan(1);

  const replay = await cli("replay", "killed", "--stage", "match", "--game", "5", "--allow-code");
  expect([replay.code, replay.out]).toEqual([
    0,
    expect.stringMatching(/every move, value and draw is the same\n$/),
  ]);
  const net = "killed/checkpoints/net/0000000040";
  const play = await cli("play", net, "--agent", "{ use: one-ply }", "--allow-code", "--json");
  expect([play.code, JSON.parse(play.out)]).toEqual([0, expect.objectContaining({ game: 0 })]);
  const report = await cli("report", "killed");
  expect([report.code, report.out]).toEqual([0, "killed/report.html\n"]);
  expect(report.err.match(/was not loaded, because you have not allowed it/g)).toHaveLength(4);
  expect((await cli("report", "killed", "--allow-code")).err).not.toContain("was not loaded");
  expect(readdirSync(join(folder, "killed")).some((file) => file.startsWith("game"))).toBe(true);

  // All other commands that take plug-ins.
  const checked = await cli("check", "hex.yaml", "--allow-code");
  // Eight simulations for 13 moves are few: the forecast of searches knows the plug-ins' game and net, too.
  expect([checked.code, checked.err]).toEqual([
    0,
    expect.stringMatching(/^warning: hex\.yaml:11:12: agents\.learner: one-move-search: .*\n$/),
  ]);
  const graph = await cli("graph", "hex.yaml", "--allow-code");
  expect([graph.code, graph.out]).toEqual([0, expect.stringContaining("long-games")]);
  const settings = await cli("operators", "hex", "--plugin", "./hex.ts");
  expect([settings.code, settings.out]).toEqual([0, expect.stringContaining("Cells of a side.")]);
  const schema = await cli("schema", "hex.yaml", "--allow-code");
  expect(schema.code).toBe(0);
  for (const described of [
    "Cells of a side.",
    "Filters of the convolution.",
    "Probability of a move drawn at random.",
    "Least number of plies.",
  ])
    expect(schema.out.includes(described)).toBe(true);
  const analysis = ["--stage", "match", "--agent", "{ use: uct, simulations: 20 }", "--plies", "1-3"];
  const analysed = await cli("analyse", "killed", ...analysis, "--allow-code", "--page", "analysed.html");
  expect([analysed.code, analysed.out]).toEqual([0, expect.stringMatching(/^ *1 .*[a-d][1-4]/m)]);
  expect(readFileSync(join(folder, "analysed.html"), "utf8")).toContain("<svg");
  const weights = await cli("weights", net, "--out", "small", "--allow-code");
  expect([weights.code, weights.err]).toEqual([0, ""]);
  const convert = ["convert", "killed/games/match.games", "--to", "match.sgf", "--allow-code"];
  expect((await cli(...convert)).err).not.toMatch(/ at .*:\d+/);
  const responses = execFileSync(process.execPath, [bin, "referee", "hex", "--plugin", "./hex.ts"], {
    cwd: folder,
    input: '{"cmd":"new","options":{"size":3}}\n{"cmd":"play","moves":["a1","b2"]}\n{"cmd":"legal"}\n',
    encoding: "utf8",
  });
  expect(JSON.parse(responses.trim().split("\n").at(-1)!)).toMatchObject({ count: 7 });
}, 900_000);

it("games that need no plug-in are replayed without it", async () => {
  const folder = scratchFolder();
  cpSync(join(examples, "own-search/one-ply.ts"), join(folder, "one-ply.ts"));
  writeFileSync(
    join(folder, "three.yaml"),
    `
name: three
seed: 4
workers: 1
plugins: [./one-ply.ts]
game: { rules: tic-tac-toe }
nets: { net: { use: mlp, hidden: [4], values: win-share } }
agents: { own: { use: one-ply, net: net }, uct: { use: uct, simulations: 20 }, random: { use: random } }
graph:
  plain: { use: arena, agents: [uct, random], games: 2 }
  owns: { use: arena, agents: [own, random], games: 2 }
`,
  );
  const cli = async (...args: string[]) => await ludoflow(args, folder).ended;
  expect((await cli("run", "three.yaml", "--allow-code", "--out", "run")).code).toBe(0);
  const plain = await cli("replay", "run", "--stage", "plain", "--game", "1");
  expect([plain.code, plain.err, plain.out]).toEqual([
    0,
    expect.stringContaining("one-ply.ts was not loaded, because you have not allowed it"),
    expect.stringContaining("every move, value and draw is the same"),
  ]);
  const owns = await cli("replay", "run", "--stage", "owns", "--game", "1");
  expect([owns.code, owns.err]).toEqual([2, expect.stringContaining('the agent "own" is of a plug-in')]);
  expect((await cli("replay", "run", "--stage", "owns", "--game", "1", "--allow-code")).code).toBe(0);
}, 300_000);

it.for([
  ["tf.elu(image", "the tfjs kernel EluGrad, used in layer gradient/image, has no ONNX mapping"],
  ["tf.asinh(image", "wide.ts:19:37: the tfjs kernel Asinh"],
] as const)(
  "a net that cannot be trained is reported before anything runs: %s",
  async ([operation, said]) => {
    const folder = scratchFolder();
    const net = readFileSync(join(examples, "own-net/wide.ts"), "utf8");
    writeFileSync(join(folder, "wide.ts"), net.replace("tf.relu(image", operation));
    const plain = experiment.replace("./hex.ts, ./wide.ts, ./one-ply.ts, ./long-games.ts", "./wide.ts");
    writeFileSync(
      join(folder, "net.yaml"),
      plain
        .replace("{ rules: hex, size: 4 }", "{ rules: tic-tac-toe }")
        .replaceAll(/^ {2}(greedy|long|match): .*\n/gm, "")
        .replace("from: long", "from: games"),
    );
    for (const command of ["check", "run"]) {
      const { code, err } = await ludoflow([command, "net.yaml", "--allow-code"], folder).ended;
      expect(err).toMatch(/^net\.yaml:9:15: nets\.net\.use: wide cannot be trained: /);
      expect([code, err]).toEqual([2, expect.stringContaining(said)]);
    }
    expect(readdirSync(folder).toSorted()).toEqual(["net.yaml", "wide.ts"]);
    const tfjs = await ludoflow(["check", "net.yaml", "--allow-code", "--set", "compute.engine=tfjs"], folder)
      .ended;
    expect([tfjs.code, tfjs.err]).toEqual([0, ""]);
  },
);
