import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { RunEvent } from "../../../src/events/event.ts";
import { GameTally } from "../../../src/operators/play/game-tally.ts";
import { DECISION_SUMS } from "../../../src/operators/play/decision-sums.ts";
import { GenerationTally } from "../../../src/operators/play/generation-tally.ts";
import { StoredTally } from "../../../src/operators/play/stored-tally.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";

const TOTAL = 210;

/** Plays the games from `from` to `to` in a run's folder, as one part of a run; returns the summaries. */
function part(folder: string, from: number, to: number): RunEvent[] {
  const events: RunEvent[] = [];
  const emit = (event: RunEvent) => events.push(event);
  const tally = new StoredTally(new GameTally("games", TOTAL, emit, [-1, 1]), join(folder, "games.tally"));
  tally.begin(from);
  for (let game = from; game < to; game++) {
    tally.count({
      returns: [Math.sin(game), 0],
      plies: 3 + (game % 7),
      evaluations: game,
      entropy: Math.cos(game) ** 2,
      forecasts: Float32Array.of(Math.sin(3 * game), Math.cos(game), 0.1, 0.2),
    });
    tally.report();
  }
  return events.filter(({ type }) => type === "games");
}

it("sums up the same games together, to the last bit, wherever the run was killed", () => {
  const whole = part(scratchFolder(), 0, TOTAL);
  expect(whole).toHaveLength(Math.ceil(TOTAL / 2));
  for (const kill of [1, 2, 103]) {
    const folder = scratchFolder();
    const emitted = [...part(folder, 0, kill), ...part(folder, kill, TOTAL)];
    // A summary may be emitted twice; a report counts it once.
    const once = new Map(emitted.map((event) => [JSON.stringify(event), event]));
    expect([...once.values()], `killed after ${kill}`).toEqual(whole);
  }
});

it("emits a summary again that a kill may have lost, and counts a game again that was not recorded", () => {
  const folder = scratchFolder();
  const tally = new StoredTally(
    new GameTally("games", TOTAL, () => undefined, [-1, 1]),
    join(folder, "games.tally"),
  );
  tally.begin(0);
  for (let game = 0; game < 2; game++) tally.count({ returns: [game], plies: 1 });
  // Recorded, but not reported.
  expect(part(folder, 2, 2)).toMatchObject([{ done: 2, count: 2, mean: 0.5 }]);
  // Counted, but not recorded.
  expect(part(folder, 1, 2)).toMatchObject([{ done: 2, count: 2, mean: Math.sin(1) / 2 }]);
  // Damaged by a power cut: games before are left out.
  writeFileSync(join(folder, "games.tally"), new Uint8Array(1000));
  expect(part(folder, 1, 2)).toMatchObject([{ done: 2, count: 1 }]);
});

it("keeps the sums of a generation beside its own, and continues from those of an earlier version without them", () => {
  const path = join(scratchFolder(), "games.tally");
  const events: RunEvent[] = [];
  const open = (generation?: GenerationTally) =>
    new StoredTally(new GameTally("games", TOTAL, (event) => events.push(event)), path, generation);
  const game = (number: number) => ({ actions: Int32Array.of(number), returns: [number, 0], plies: 1 });
  const earlier = open();
  earlier.begin(0);
  earlier.count(game(0));
  const play = (from: number, to: number) => {
    const generation = new GenerationTally("games", 3);
    const tally = open(generation);
    const begun = 3 * Math.floor((from - 1) / 3);
    tally.begin(
      from,
      Array.from({ length: from - begun }, (_, i) => game(begun + i)),
    );
    for (let number = from; number < to; number++) {
      generation.count(game(number), { decisionSums: new Float64Array(DECISION_SUMS).fill(number) });
      tally.count(game(number));
      tally.report();
    }
    return generation.figures(to);
  };
  expect(play(1, 3)).toBeUndefined();
  // The game before was counted by the earlier version.
  expect(events.filter(({ type }) => type === "games")).toMatchObject([{ done: 2, count: 2, mean: 0.5 }]);
  expect(play(3, 5)).toBeUndefined();
  expect(play(5, 6)).toMatchObject({ games: 3, distinct: 3, decisions: 3 + 4 + 5 });
});
