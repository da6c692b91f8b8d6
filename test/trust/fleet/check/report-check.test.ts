import { describe, it } from "vitest";
import {
  decodeGameRecord,
  encodeGameRecord,
  type GameRecord,
  type StoredGame,
} from "../../../../src/formats/game-records.ts";
import type { PlayedTask } from "../../../fleet/check/checked-host.ts";
import {
  expectOwnReports,
  expectReadableExamples,
  gamesOf,
  refused,
} from "../../../fleet/check/played-games.ts";

/** All are in test/trust/fleet/report-check.test.ts. */
const quick = [
  "AlphaZero with a warm start and quick searches",
  "lambda-returns, also by a net",
  "samples of searches",
  "openings by UCT",
  "cards",
] as const;

const rewritten = ({ report }: PlayedTask, change: (record: StoredGame) => Partial<GameRecord>) => {
  const record = decodeGameRecord(report.record, "test");
  return { record: encodeGameRecord({ ...record, ...change(record) }) };
};

it.for(quick)("takes every honest report, and no report of another game: %s", expectOwnReports);

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

  it("continues, or ends, when the game does not", async () => {
    const zero = await ofZero();
    refused(
      bare(zero),
      rewritten(zero, ({ actions, values }) => ({
        actions: [...actions].slice(0, -1),
        values: (values as Float64Array).slice(0, -2),
      })),
    ).toThrow(/does not end when the game ends/);
    refused(
      bare(zero),
      rewritten(zero, ({ actions }) => ({ actions: [...actions, 0] })),
    ).toThrow(/continues after the game is over/);
    refused(
      bare(zero),
      rewritten(zero, ({ values }) => ({ values: (values as Float64Array).slice(0, -2) })),
    ).toThrow(/values of more or fewer decisions/);
  });

  it("has another result than its moves give", async () => {
    const zero = await ofZero();
    refused(
      zero,
      rewritten(zero, ({ returns }) => ({ returns: returns.map((value) => -value + 0.5) })),
    ).toThrow(/another result than its moves give/);
    refused(
      zero,
      rewritten(zero, () => ({ facts: { tiles: 3 } })),
    ).toThrow(/another result/);
    refused(zero, { returns: [2, 2] }).toThrow(/its returns is not that/);
    refused(zero, { plies: 3 }).toThrow(/its length is not that/);
    refused(zero, { startValue: 3 }).toThrow(/its first value/);
    refused(zero, { forecasts: new Float32Array(zero.report.forecasts.length) }).toThrow(/its forecasts/);
    const sums = zero.report.decisionSums!;
    const changed = [sums.with(0, sums[0]! + 1), sums.with(1, 0), sums.with(2, 1e6), sums.with(5, Infinity)];
    for (const decisionSums of [...changed, sums.subarray(1)])
      refused(zero, { decisionSums }).toThrow(/its sums over decisions/);
    refused(zero, { evaluations: -1 }).toThrow(/its figures/);
    refused(zero, { entropy: Number.NaN }).toThrow(/its figures/);
    refused(zero, { failure: { seat: 0, message: "no" } }).toThrow(/aborted/);
    refused(
      zero,
      rewritten(zero, () => ({ failure: { seat: 0, message: "no" } })),
    ).toThrow(/aborted/);
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
    const zero = await ofZero();
    for (const number of [Number.NaN, Infinity, -Infinity])
      refused(
        bare(zero),
        rewritten(zero, ({ values }) => ({
          values: (values as Float64Array).map((value, i) => (i === 3 ? number : value)),
        })),
      ).toThrow(/a value that is no finite number, at ply 1/);
  });
});

it("takes no examples that a learner could not read, whichever bit of them is turned", () =>
  expectReadableExamples(quick));
