import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkReport } from "../../../src/fleet/check/report-check.ts";
import {
  decodeGameRecord,
  encodeGameRecord,
  type GameRecord,
  type StoredGame,
} from "../../../src/formats/game-records.ts";
import { examplesIn, exampleReader, layoutOf } from "../../../src/operators/replay/examples.ts";
import { Random } from "../../../src/random.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import {
  crossedExperiment,
  linearExperiment,
  paperExperiment,
  poolExperiment,
  startRun,
  writeExperiment,
  zeroExperiment,
} from "../../graph/tiny-run.ts";
import { checkedHost, type PlayedTask } from "./checked-host.ts";

/** Positions from inside a search of a game with chance, and a match that is analysed and measured. */
const sampledExperiment = `
name: tiny-sampled
seed: 19
workers: 1
compute: { threads: 1 }
game: { rules: 2048, rows: 2, columns: 2 }
nets:
  value: { use: mlp, hidden: [8], valueActivation: linear, valueScale: 100 }
agents:
  learner: { use: mc-softmax, net: value, simulations: 4, samples: 3 }
  other: { use: greedy, net: value }
graph:
  games: { use: self-play, agent: learner, games: 6, generation: 3, examples: { use: search-samples } }
  replay: { use: replay-buffer, from: games, capacity: 60 }
  weights: { use: trainer, from: replay, net: value, batch: 8, steps: 2, rate: 0.01 }
  saved: { use: checkpoint, from: weights, keep: 0 }
  curve: { use: arena, after: weights, every: 0, agents: [learner, other], games: 4, analyse: 2 }
`;

/** A game of cards, whose deals are draws of chance, shared by the games of a round. */
const cardsExperiment = `
name: tiny-cards
seed: 20
workers: 1
game: { rules: daihinmin }
agents:
  one: { use: flat-monte-carlo, simulations: 2 }
  other: { use: random }
graph:
  match: { use: arena, agents: [one, other], games: 4 }
`;

const experiments = {
  "AlphaZero with a warm start and quick searches": zeroExperiment,
  "matches, openings, statistics": paperExperiment,
  "earlier selves": poolExperiment,
  "lambda-returns, also by a net": crossedExperiment,
  "samples of searches": sampledExperiment,
  "openings by UCT": linearExperiment,
  cards: cardsExperiment,
};

const played = new Map<string, PlayedTask[]>();

/** Games of an experiment whose honest reports are taken. */
async function gamesOf(name: keyof typeof experiments): Promise<PlayedTask[]> {
  const known = played.get(name);
  if (known !== undefined) return known;
  const games: PlayedTask[] = [];
  const folder = scratchFolder();
  const outcome = await startRun(writeExperiment(folder, experiments[name]), join(folder, "run"), [], {
    hostOf: checkedHost((game) => games.push(game)),
  });
  expect(outcome).toEqual({ outcome: "finished" });
  played.set(name, games);
  return games;
}

const refused = ({ opened, report, task }: PlayedTask, changed: Partial<PlayedTask["report"]>) =>
  expect(() => checkReport(opened, task, { ...report, ...changed }));

const rewritten = ({ report }: PlayedTask, change: (record: StoredGame) => Partial<GameRecord>) => {
  const record = decodeGameRecord(report.record, "test");
  return { record: encodeGameRecord({ ...record, ...change(record) }) };
};

it.for(Object.keys(experiments) as (keyof typeof experiments)[])(
  "takes every honest report, and no report of another game: %s",
  async (name) => {
    const games = await gamesOf(name);
    expect(games.length).toBeGreaterThan(3);
    const texts = games.map(({ report }) => Buffer.from(report.record).toString("hex"));
    for (const [index, game] of games.entries()) {
      const other = games[(index + 1) % games.length]!;
      // Where the number and the moves of two games are equal, their records may be.
      if (texts[index] !== texts[games.indexOf(other)])
        refused(game, { record: other.report.record }).toThrow();
    }
  },
);

describe("a report that is changed", () => {
  const own = (games: PlayedTask[], stage = "games") =>
    games.findLast(({ task }) => task.examples !== undefined && task.stage === stage)!;
  const ofZero = async () => own(await gamesOf("AlphaZero with a warm start and quick searches"));
  const ofTd = async () => own(await gamesOf("lambda-returns, also by a net"), "games-one");
  const ofSamples = async () => own(await gamesOf("samples of searches"));

  /** A game without examples. */
  const bare = ({ task: { examples: _examples, ...task }, ...game }: PlayedTask): PlayedTask => ({
    ...game,
    task,
    report: { ...game.report, samples: new Uint8Array(0) },
  });

  it("has a move that is not legal", async () => {
    const zero = await ofZero();
    refused(
      bare(zero),
      rewritten(zero, ({ actions }) => ({ actions: [actions[0]!, actions[0]!, ...[...actions].slice(2)] })),
    ).toThrow(/a move that is not legal, at ply 1/);
    refused(
      bare(zero),
      rewritten(zero, () => ({ actions: [99] })),
    ).toThrow(/not legal, at ply 0/);
  });

  it("has another draw of chance than the task names", async () => {
    const td = await ofTd();
    refused(
      td,
      rewritten(td, ({ actions }) => ({ actions: [(actions[0]! + 1) % 4, ...[...actions].slice(1)] })),
    ).toThrow(/another draw of chance than this game, at ply 0/);
  });

  it("goes on, or ends, where the game does not", async () => {
    const zero = await ofZero();
    refused(
      bare(zero),
      rewritten(zero, ({ actions, values }) => ({
        actions: [...actions].slice(0, -1),
        values: (values as Float64Array).slice(0, -2),
      })),
    ).toThrow(/does not end where the game ends/);
    refused(
      bare(zero),
      rewritten(zero, ({ actions }) => ({ actions: [...actions, 0] })),
    ).toThrow(/goes on after the game is over/);
    refused(
      bare(zero),
      rewritten(zero, ({ values }) => ({ values: (values as Float64Array).slice(0, -2) })),
    ).toThrow(/values of more or fewer decisions/);
  });

  it("tells another result than its moves have", async () => {
    const zero = await ofZero();
    refused(
      zero,
      rewritten(zero, ({ returns }) => ({ returns: returns.map((value) => -value + 0.5) })),
    ).toThrow(/another result than its moves have/);
    refused(
      zero,
      rewritten(zero, () => ({ facts: { tiles: 3 } })),
    ).toThrow(/another result/);
    refused(zero, { returns: [2, 2] }).toThrow(/its returns is not that/);
    refused(zero, { plies: 3 }).toThrow(/its length is not that/);
    refused(zero, { startValue: 3 }).toThrow(/its first value/);
    refused(zero, { forecasts: new Float32Array(zero.report.forecasts.length) }).toThrow(/its forecasts/);
    refused(zero, { evaluations: -1 }).toThrow(/its figures/);
    refused(zero, { entropy: Number.NaN }).toThrow(/its figures/);
    refused(zero, { failure: { seat: 0, message: "no" } }).toThrow(/broken off/);
    refused(
      zero,
      rewritten(zero, () => ({ failure: { seat: 0, message: "no" } })),
    ).toThrow(/broken off/);
  });

  it("has rubbish for examples, of all three kinds", async () => {
    const zero = await ofZero();
    const td = await ofTd();
    const sampled = await ofSamples();
    for (const game of [zero, td, sampled]) {
      const { samples } = game.report;
      const noise = samples.map((_, at) => (at * 37 + 11) & 255);
      for (const bytes of [
        noise,
        samples.subarray(0, samples.length - 1),
        Uint8Array.of(...samples, 0),
        samples.subarray((samples.length >> 1) + 3),
      ])
        refused(game, { samples: bytes }).toThrow();
    }
    refused(zero, { samples: new Uint8Array(0) }).toThrow();
    refused(td, { samples: new Uint8Array(0) }).toThrow(/not those of its decisions/);
    const { examples: _, ...task } = zero.task;
    refused({ ...zero, task }, {}).toThrow(/has examples, and was asked for none/);
  });

  it("has values that are no numbers", async () => {
    const td = await ofTd();
    const sampled = await ofSamples();
    for (const game of [td, sampled]) {
      const samples = game.report.samples.slice();
      const { bytes } = game.opened.game.nets!.packing!;
      new DataView(samples.buffer).setFloat32(4 + bytes, Number.NaN, true);
      refused(game, { samples }).toThrow(/value/);
    }
  });
});

it("takes no examples that a learner could not read, whichever bit of them is turned", async () => {
  let [taken, refusals] = [0, 0];
  for (const name of Object.keys(experiments) as (keyof typeof experiments)[]) {
    const game = (await gamesOf(name)).findLast(({ task }) => task.examples !== undefined);
    if (game === undefined) continue;
    const { opened, report, task } = game;
    const layout = layoutOf(task.examples!);
    const reader = exampleReader(opened.game, layout, { reply: true, end: true });
    const random = Random.named(name);
    for (let round = 0; round < 400; round++) {
      const samples = report.samples.slice();
      samples[random.below(samples.length)]! ^= 1 << random.below(8);
      try {
        checkReport(opened, task, { ...report, samples });
      } catch {
        refusals++;
        continue;
      }
      taken++;
      const legal = new Int32Array(opened.game.maxLegal);
      for (let number = 0; number < examplesIn(samples, layout); number++) {
        reader.read(samples, number);
        const { actions, count, weights } = reader.policy;
        expect([...reader.values].every((value) => Number.isFinite(value))).toBe(true);
        if (reader.policyWeight === 0) continue;
        const legalHere = [...legal.subarray(0, opened.game.legal(reader.state, legal))];
        expect(legalHere).toEqual(expect.arrayContaining([...actions.subarray(0, count)]));
        expect(weights.subarray(0, count).reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 2);
      }
    }
  }
  // What a search alone knows can be another one: the shares of visits, and values of a net.
  expect(refusals).toBeGreaterThan(2 * taken);
});
