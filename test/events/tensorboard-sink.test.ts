import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RecordedEvent, RunEvent } from "../../src/events/event.ts";
import { TensorBoardSink } from "../../src/events/tensorboard-sink.ts";
import { eventType } from "../formats/event-type.ts";
import { scratchFolder } from "../formats/scratch-folder.ts";
import { someMeans } from "./decision-means.ts";

const at = (elapsed: number, event: RunEvent): RecordedEvent => ({
  ...event,
  time: new Date(1_700_000_000_000 + 1000 * elapsed).toISOString(),
  elapsed,
});

const games = (done: number): RunEvent => ({
  type: "games",
  stage: "self play",
  done,
  count: 10,
  mean: 5,
  min: 1,
  max: 9,
  plies: 40,
});

/** Tag, step, value and seconds of every scalar written for these events. */
function scalars(events: readonly RecordedEvent[]): [string, number, number, number][] {
  const folder = scratchFolder();
  const sink = new TensorBoardSink(folder);
  for (const event of events) sink.listen(event);
  sink.close();
  const found: [string, number, number, number][] = [];
  for (const name of readdirSync(folder)) {
    const bytes = readFileSync(join(folder, name));
    for (let start = 0; start < bytes.length;) {
      const length = Number(bytes.readBigUInt64LE(start));
      const data = bytes.subarray(start + 12, start + 12 + length);
      const { wallTime, step, summary } = eventType.toObject(eventType.decode(data), { longs: Number });
      for (const { tag, simpleValue } of summary?.value ?? []) found.push([tag, step, simpleValue, wallTime]);
      start += length + 16;
    }
  }
  return found;
}

describe("TensorBoardSink", () => {
  it("writes what decisions show of learning, but what is not known", () => {
    const means = { ...someMeans, prior: NaN, distance: NaN };
    const figures: RunEvent = {
      type: "self-play-figures",
      stage: "games",
      learned: 20,
      unit: "games",
      games: 10,
      distinct: 5,
      draws: 2.5,
      forced: 1,
      decisions: 33,
      thirds: [means, means, means],
      teacher: means,
    };
    const written = scalars([at(1, figures)]).map(([tag, step, value]) => [tag, step, value]);
    expect(written.slice(0, 4)).toEqual([
      ["games/distinct", 20, 0.5],
      ["games/draws", 20, 0.25],
      ["games/beginning/decisions", 20, 8],
      ["games/beginning/legal", 20, 2],
    ]);
    expect(written).toHaveLength(2 + 4 * 14);
    expect(written.at(-1)).toEqual(["games/teacher/greedyError", 20, 0.0625]);
  });

  it("writes the figures of games and their rate", () => {
    expect(scalars([at(1, games(10)), at(3, games(30))])).toEqual([
      ["self_play/mean", 10, 5, 1_700_000_001],
      ["self_play/min", 10, 1, 1_700_000_001],
      ["self_play/max", 10, 9, 1_700_000_001],
      ["self_play/plies", 10, 40, 1_700_000_001],
      ["self_play/mean", 30, 5, 1_700_000_003],
      ["self_play/min", 30, 1, 1_700_000_003],
      ["self_play/max", 30, 9, 1_700_000_003],
      ["self_play/plies", 30, 40, 1_700_000_003],
      ["self_play/games_per_second", 30, 10, 1_700_000_003],
    ]);
  });

  it("writes losses, curves with their intervals, and the value monitor", () => {
    const agent = {
      games: 2,
      mean: 4,
      interval: [3, 5],
      returns: [3, 5],
      facts: { maxTile: [8, 16] },
    } as const;
    const written = scalars([
      at(1, { type: "training", stage: "weights", step: 7, loss: 0.5, parts: { value: 0.25 }, rate: 2 }),
      at(2, {
        type: "match",
        stage: "curve",
        learned: 9,
        unit: "steps",
        agents: [{ agent: "greedy", ...agent }],
      }),
      at(3, { type: "value-drift", stage: "monitor", learned: 9, startValue: 8, meanReturn: 4, ratio: 2 }),
      at(4, { type: "run-ended", outcome: "finished" }),
      at(4, { type: "note", level: "info", message: "without a stage" }),
    ]);
    expect(written.map(([tag, step, value]) => [tag, step, value])).toEqual([
      ["weights/loss", 7, 0.5],
      ["weights/loss/value", 7, 0.25],
      ["weights/learning_rate", 7, 2],
      ["curve/greedy/mean", 9, 4],
      ["curve/greedy/low", 9, 3],
      ["curve/greedy/high", 9, 5],
      ["curve/greedy/maxTile", 9, 12],
      ["monitor/start_value", 9, 8],
      ["monitor/mean_return", 9, 4],
      ["monitor/start_value_ratio", 9, 2],
    ]);
  });

  it("writes shares of games won with their intervals, and ratings; nothing of agents without a finished game", () => {
    const share = (games: number) => ({ games, value: 0.5, interval: [0.25, 0.75] }) as const;
    const standing = (agent: string, games: number) => ({
      agent,
      wins: share(games),
      fair: 0.5,
      rating: { value: 40, interval: [-8, 88] as const },
      bySeat: [],
    });
    const result = (agent: string, games: number) => ({
      agent,
      games,
      mean: 0.5,
      interval: [0.25, 0.75] as const,
      returns: [],
      facts: {},
    });
    const written = scalars([
      at(1, {
        type: "match",
        stage: "duel",
        learned: 9,
        unit: "steps",
        agents: [result("one", 8), result("dead", 0)],
        contest: {
          players: 2,
          games: 8,
          distinct: 8,
          standings: [standing("one", 8), standing("dead", 0)],
          pairs: [],
          seats: [],
          failures: [],
        },
      }),
    ]);
    expect(written.map(([tag, , value]) => [tag, value])).toEqual([
      ["duel/one/mean", 0.5],
      ["duel/one/low", 0.25],
      ["duel/one/high", 0.75],
      ["duel/one/won", 0.5],
      ["duel/one/won_low", 0.25],
      ["duel/one/won_high", 0.75],
      ["duel/one/rating", 40],
    ]);
  });

  it("makes no file if there is no figure", () => {
    const folder = scratchFolder();
    const sink = new TensorBoardSink(folder);
    sink.listen(at(0, { type: "run-ended", outcome: "finished" }));
    sink.close();
    expect(readdirSync(folder)).toEqual([]);
  });
});
