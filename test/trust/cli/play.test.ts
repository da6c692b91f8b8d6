import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { resolveNet } from "../../../src/graph/agents/open-net.ts";
import { agentSource } from "../../../src/graph/agents/open-agent.ts";
import { RefereeSession } from "../../../src/protocols/referee/session.ts";
import type { Evaluator } from "../../../src/games/evaluation.ts";
import { Game2048, type State2048 } from "../../../src/games/2048/2048.ts";
import { CHANCE } from "../../../src/games/game.ts";
import { createGame } from "../../../src/games/registry.ts";
import { Random } from "../../../src/random.ts";
import { drive } from "../../../src/search/drive.ts";
import { openSearch } from "../../../src/search/registry.ts";
import { startRun, writeExperiment } from "../../graph/tiny-run.ts";
import { ludoflow } from "../../cli/run-cli.ts";

const game = { rules: "2048", rows: 3, columns: 3 };
const experiment = `
name: tiny-weights
seed: 3
workers: 1
compute: { threads: 1 }
game: { rules: 2048, rows: 3, columns: 3 }
nets:
  table: { use: n-tuple, tuples: 2x6 }
  net: { use: cnn22, filters: [4, 6], units: [16, 8], deviation: 0.5, valueScale: 100 }
agents:
  teacher: { use: greedy, net: net }
graph:
  learn: { use: td-learner, net: table, games: 60, every: 60 }
  saved-table: { use: checkpoint, from: learn }
  games: { use: self-play, agent: teacher, games: 2, generation: 2, examples: { use: td, lambda: 1 } }
  replay: { use: replay-buffer, from: games, capacity: 1000 }
  train: { use: trainer, from: replay, net: net, batch: 8, steps: 3, rate: 0.001 }
  saved-net: { use: checkpoint, from: train }
`;

const scratch = mkdtempSync(join(tmpdir(), "ludoflow-test-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const run = join(scratch, "run");
const table = join(run, "checkpoints/table/0000000060");
const net = join(run, "checkpoints/net/0000000003");

beforeAll(async () => {
  expect(await startRun(writeExperiment(scratch, experiment), run)).toEqual({ outcome: "finished" });
}, 120_000);

interface PlayedGame {
  readonly returns: readonly number[];
  readonly facts: Readonly<Record<string, number>>;
  readonly moves: readonly string[];
}

async function play(...args: string[]): Promise<string> {
  const { code, err, out } = await ludoflow(["play", ...args]).ended;
  expect(err).toBe("");
  expect(code).toBe(0);
  return out;
}

const gamesIn = (out: string) =>
  out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as PlayedGame);

describe("referee", () => {
  it.each([
    ["tables", () => table],
    ["a net", () => net],
  ])("analyses with %s of a checkpoint, named by its folder", (_, checkpoint) => {
    const session = new RefereeSession("2048", agentSource(resolveNet));
    const send = (command: object) => JSON.parse(session.respond(JSON.stringify(command))) as object;
    const board = [2, 2, 0, 4, 0, 0, 0, 0, 8];
    expect(send({ cmd: "new", options: { rows: 3, columns: 3 } })).not.toHaveProperty("error");
    expect(send({ cmd: "set", board })).not.toHaveProperty("error");
    const rules = new Game2048({ rows: 3, columns: 3 });
    const { evaluator } = resolveNet(checkpoint(), rules, game);
    const greedy = openSearch("greedy", rules, {}).search(rules.fromBoard(board), Random.named(1), 0);
    const { values } = drive(greedy, evaluator as Evaluator<State2048>);
    expect(values[0]).not.toBe(0);
    expect(send({ cmd: "analyse", agent: { use: "greedy", net: checkpoint() } })).toMatchObject({
      value: values[0],
    });
  });
});

describe("play", () => {
  it.each([
    ["tables", () => table],
    ["a net", () => net],
  ])("plays whole games by the values of %s", async (_, checkpoint) => {
    const played = gamesIn(await play(checkpoint(), "--games", "2", "--json"));
    expect(played).toHaveLength(2);
    const rules = createGame("2048", { rows: 3, columns: 3 });
    const { evaluator } = resolveNet(checkpoint(), rules, game);
    for (const { moves, returns } of played) {
      const state = rules.initial();
      const score = new Float64Array(1);
      for (const move of moves) {
        const action = rules.notation.parse(state, move)!;
        // Until something is earned: no move earns and leads to more.
        if (rules.toMove(state) !== CHANCE && score[0] === 0)
          expect(action).toBe(greedyMove(rules, evaluator!, state));
        rules.play(state, action);
        rules.returns(state, score);
      }
      expect([...score]).toEqual(returns);
      expect(rules.legal(state, new Int32Array(rules.maxLegal))).toBe(0);
    }
  });

  it("gives the same games again, and other agents the same beginnings; prints the mean or every board", async () => {
    const [first] = gamesIn(await play(table, "--json", "--seed", "7"));
    const agent = "{ use: mc-softmax, simulations: 8 }";
    const [searched] = gamesIn(await play(table, "--json", "--seed", "7", "--agent", agent));
    expect(searched!.moves.slice(0, 2)).toEqual(first!.moves.slice(0, 2));
    const out = await play(table, "--seed", "7", "--games", "2");
    expect(out).toContain(`game 0: ${first!.returns[0]} in `);
    expect(out).toContain(`maxTile ${first!.facts["maxTile"]}`);
    expect(out).toMatch(/2 games: mean \d+\.\d, 95% interval \[/);
    const boards = await play(table, "--seed", "7", "--boards");
    expect(boards.match(/score/g)!.length).toBeGreaterThan(first!.moves.length / 2);
  });

  it("plays the newest checkpoint of a run, by an agent of its matches", async () => {
    const { code, err, out } = await ludoflow(["play", run, "--json"]).ended;
    expect(code).toBe(0);
    expect(err).toMatch(/^the agent "[\w-]+" plays, with .*checkpoints/m);
    expect(gamesIn(out)).toHaveLength(1);
  });

  it("says what is wrong with an agent or a checkpoint", async () => {
    for (const [args, complaint] of [
      [[run, "--agent", "{ use: greedy }"], `learns several nets; name a checkpoint: ${net}, ${table}`],
      [
        [join(run, "checkpoints")],
        `a checkpoint is the folder that holds one; name a checkpoint: ${net}, ${table}`,
      ],
      [[table, "--agent", "{ use: puct-max-n }"], "needs a net with a policy"],
      [[table, "--agent", "{ use: greedy, net: value }"], "names no net"],
      [[table, "--agent", "{ use: greddy }"], 'did you mean "greedy"'],
      [[table, "--agent", "{ use: "], "--agent: "],
      [[table, "--games", "0"], "nothing to play"],
    ] as const) {
      const { code, err } = await ludoflow(["play", ...args]).ended;
      expect(err).toContain(complaint);
      expect(code).toBe(2);
    }
  });
});

describe("the ONNX graph of a checkpoint", () => {
  it("gives the values that the net gives, run by ONNX Runtime alone", async () => {
    const rules = createGame("2048", { rows: 3, columns: 3 });
    const { evaluator } = resolveNet(net, rules, game);
    const random = Random.named("positions");
    const states = Array.from({ length: 9 }, (_, plies) => randomPosition(rules, plies, random));
    const values = new Float64Array(states.length);
    evaluator!.evaluate({ states, count: states.length, values });
    const planes = rules.nets!.planes["tiles"]!;
    const size = planes.shape[0] * planes.shape[1] * planes.shape[2];
    const x = new Float32Array(states.length * size);
    for (const [i, state] of states.entries()) planes.write(state, x, i * size);
    const session = await InferenceSession.create(readFileSync(join(net, "inference.onnx")));
    const { value } = await session.run({ x: new Tensor("float32", x, [states.length, ...planes.shape]) });
    expect([...(value!.data as Float32Array)]).toEqual([...values]);
    expect(new Set(values).size).toBeGreaterThan(1);
  });
});

function randomPosition(rules: ReturnType<typeof createGame>, plies: number, random: Random): unknown {
  const state = rules.initial();
  const actions = new Int32Array(rules.maxLegal);
  for (let ply = 0; ply < plies; ply++)
    rules.play(
      state,
      rules.toMove(state) === CHANCE
        ? rules.chance!.sample(state, random)
        : actions[random.below(rules.legal(state, actions))]!,
    );
  return state;
}

function greedyMove(rules: ReturnType<typeof createGame>, evaluator: Evaluator<any>, state: unknown): number {
  const actions = new Int32Array(rules.maxLegal);
  const count = rules.legal(state, actions);
  const score = new Float64Array(1);
  let best = -Infinity;
  let chosen = -1;
  for (let i = 0; i < count; i++) {
    const after = rules.initial();
    rules.copy(state, after);
    rules.play(after, actions[i]!);
    const values = new Float64Array(1);
    evaluator.evaluate({ states: [after], count: 1, values });
    rules.returns(after, score);
    const earned = score[0]!;
    rules.returns(state, score);
    if (earned - score[0]! + values[0]! > best)
      [best, chosen] = [earned - score[0]! + values[0]!, actions[i]!];
  }
  return chosen;
}
