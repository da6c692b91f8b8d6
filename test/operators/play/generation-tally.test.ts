import { expect, it } from "vitest";
import type { SelfPlayFigures } from "../../../src/events/event.ts";
import { DECISION_SUMS, meansByGroup } from "../../../src/operators/play/decision-sums.ts";
import { GenerationTally } from "../../../src/operators/play/generation-tally.ts";

const SIZE = 5;

/** The game of a number: every fifth one is like the one before it, every third one is a draw. */
const gameOf = (number: number) => ({
  actions: Int32Array.of(1, number % 5 === 4 ? number - 1 : number),
  returns: number % 3 === 0 ? [0.5, 0.5] : [1, 0],
});

/** Sums of a game, none of which is exact in binary. */
const sumsOf = (number: number) =>
  Float64Array.from({ length: DECISION_SUMS }, (_, i) => 1 + Math.sin(number + 7 * i) ** 2);

/** Counts the games of the numbers from `from` to `to`. */
function count(tally: GenerationTally, from: number, to: number): void {
  for (let number = from; number < to; number++)
    tally.count(gameOf(number), { decisionSums: sumsOf(number) });
}

it("tells the games of each generation, and the means over all their decisions", () => {
  const told: SelfPlayFigures[] = [];
  const tally = new GenerationTally("games", SIZE);
  for (let number = 0; number < 2 * SIZE; number++) {
    count(tally, number, number + 1);
    const figures = tally.figures(number + 1);
    if (figures !== undefined) told.push(figures);
  }
  expect(told.map(({ distinct, draws, games, learned }) => [learned, games, distinct, draws])).toEqual([
    [5, 5, 4, 2],
    [10, 5, 4, 2],
  ]);
  const added = new Float64Array(DECISION_SUMS);
  for (const number of [5, 6, 7, 8, 9]) for (const [i, sum] of sumsOf(number).entries()) added[i]! += sum;
  expect([...told[1]!.thirds, told[1]!.teacher]).toEqual(meansByGroup(added));
});

it("has equal figures, to the last bit, wherever a run was killed", () => {
  const figuresOf = (kill: number) => {
    const first = new GenerationTally("games", SIZE);
    count(first, 0, kill);
    const second = new GenerationTally("games", SIZE);
    const begun = Math.floor((kill - 1) / SIZE) * SIZE;
    const games = Array.from({ length: kill - begun }, (_, i) => gameOf(begun + i));
    second.restore(games, first.sums.slice());
    if (kill % SIZE === 0) expect(second.figures(kill)).toEqual(first.figures(kill));
    count(second, kill, 10);
    return second.figures(10);
  };
  const whole = figuresOf(1);
  for (const kill of [2, 4, 5, 6, 9, 10]) expect(figuresOf(kill), `killed after ${kill}`).toEqual(whole);
});

it("tells nothing of a generation whose sums are lost, and all of the next one", () => {
  const tally = new GenerationTally("games", SIZE);
  tally.restore([gameOf(0), gameOf(1)], undefined);
  count(tally, 2, SIZE);
  expect(tally.figures(SIZE)).toBeUndefined();
  count(tally, SIZE, 2 * SIZE);
  expect(tally.figures(2 * SIZE)).toMatchObject({ learned: 10, games: 5, distinct: 4 });
});
