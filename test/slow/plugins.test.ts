import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { scratchFolder } from "../formats/scratch-folder.ts";
import { resultsOf } from "../graph/tiny-run.ts";
import { ludoflow } from "../cli/run-cli.ts";

const examples = join(import.meta.dirname, "../../examples");
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

it("plug-ins of all kinds train, are killed, resume to the same bytes, replay, and may be changed where told", async () => {
  const folder = scratchFolder();
  for (const file of [
    "own-game/hex.ts",
    "own-net/wide.ts",
    "own-search/one-ply.ts",
    "own-stage/long-games.ts",
  ])
    cpSync(join(examples, file), join(folder, file.split("/")[1]!));
  writeFileSync(join(folder, "hex.yaml"), experiment);
  const told = async (...args: string[]) => await ludoflow(args, folder).ended;

  const whole = await told("run", "hex.yaml", "--allow-code", "--out", "whole");
  expect([whole.code, whole.err]).toEqual([0, expect.not.stringContaining("warning")]);

  const killed = ludoflow(["run", "hex.yaml", "--allow-code", "--json", "--out", "killed"], folder);
  await killed.event((event) => event.type === "match");
  killed.process.kill("SIGKILL");
  expect((await killed.ended).signal).toBe("SIGKILL");

  // Changed, also in a file that is only imported: refused, and nothing is written.
  const hex = readFileSync(join(folder, "hex.ts"), "utf8");
  const manifest = () => readFileSync(join(folder, "killed/manifest.json"), "utf8");
  const before = manifest();
  writeFileSync(join(folder, "hex.ts"), `${hex}// mended\n`);
  const refused = await told("resume", "killed", "--allow-code");
  expect([refused.code, refused.err]).toEqual([
    2,
    expect.stringMatching(/changed since it began: .*\/hex\.ts\. [^]*--changed-plugins/),
  ]);
  expect(manifest()).toBe(before);
  cpSync(join(folder, "killed"), join(folder, "changed"), { recursive: true });
  const changed = await told("resume", "changed", "--allow-code", "--changed-plugins");
  expect([changed.code, changed.err]).toEqual([
    0,
    expect.stringMatching(/its plug-ins have changed: .*hex\.ts: from here on its results are no function/),
  ]);
  expect(JSON.parse(readFileSync(join(folder, "changed/manifest.json"), "utf8"))).toMatchObject({
    reproducible: false,
    irreproducible: ["its plug-ins have changed while it went on"],
    earlierPlugins: [{ plugins: [{ defines: [{ kind: "game", name: "hex" }] }, {}, {}, {}] }],
  });

  writeFileSync(join(folder, "hex.ts"), hex);
  expect((await told("resume", "killed")).code).toBe(2);
  expect((await told("resume", "killed", "--allow-code")).code).toBe(0);
  expect(resultsOf(join(folder, "killed"))).toEqual(resultsOf(join(folder, "whole")));

  // Without the columns that name the run.
  const figures = (run: string) =>
    readFileSync(join(folder, run, "data/figures-of-stages.csv"), "utf8").replaceAll(/^[^,]+,[^,]+,/gm, "");
  expect(figures("killed")).toBe(figures("whole"));
  // Games of both kinds: the last share is between none and all.
  expect(Number(figures("whole").trim().split(",").at(-1))).toBeGreaterThan(0);
  expect(Number(figures("whole").trim().split(",").at(-1))).toBeLessThan(1);

  const replay = await told("replay", "killed", "--stage", "match", "--game", "5", "--allow-code");
  expect([replay.code, replay.out]).toEqual([
    0,
    expect.stringMatching(/every move, value and draw is the same\n$/),
  ]);
  const net = "killed/checkpoints/net/0000000040";
  const play = await told("play", net, "--agent", "{ use: one-ply }", "--allow-code", "--json");
  expect([play.code, JSON.parse(play.out)]).toEqual([0, expect.objectContaining({ game: 0 })]);
  const report = await told("report", "killed");
  expect([report.code, report.out]).toEqual([0, "killed/report.html\n"]);
  expect(report.err.match(/was not loaded, because you have not allowed it/g)).toHaveLength(4);
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
  const told = async (...args: string[]) => await ludoflow(args, folder).ended;
  expect((await told("run", "three.yaml", "--allow-code", "--out", "run")).code).toBe(0);
  const plain = await told("replay", "run", "--stage", "plain", "--game", "1");
  expect([plain.code, plain.err, plain.out]).toEqual([
    0,
    expect.stringContaining("one-ply.ts was not loaded, because you have not allowed it"),
    expect.stringContaining("every move, value and draw is the same"),
  ]);
  const owns = await told("replay", "run", "--stage", "owns", "--game", "1");
  expect([owns.code, owns.err]).toEqual([2, expect.stringContaining('the agent "own" is of a plug-in')]);
  expect((await told("replay", "run", "--stage", "owns", "--game", "1", "--allow-code")).code).toBe(0);
}, 300_000);
