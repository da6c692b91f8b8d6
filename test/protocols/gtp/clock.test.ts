import fc from "fast-check";
import { expect, it } from "vitest";
import { canadianTime, GameClock, type TimeSettings } from "../../../src/protocols/gtp/clock.ts";

const clockOf = (settings: TimeSettings | undefined): GameClock => {
  const clock = new GameClock();
  clock.set(settings);
  return clock;
};

it("without settings, or with no time at all, there is no limit", () => {
  for (const settings of [undefined, canadianTime(0, 1, 0), canadianTime(0, 0, 0), canadianTime(60, 5, 0)])
    expect(clockOf(settings).budget(0, 20)).toBe(undefined);
});

it("shares the main time among the moves left, and keeps a tenth", () => {
  const clock = clockOf(canadianTime(100, 0, 0));
  expect(clock.budget(0, 50)).toBe(0.9 * 2000 - 20);
  clock.spend(0, 40_000);
  expect([clock.budget(0, 50), clock.budget(1, 50)]).toEqual([0.9 * 1200 - 20, 1780]);
  clock.reset();
  expect(clock.budget(0, 50)).toBe(1780);
});

it("gives each move of a Canadian period its share, period by period", () => {
  const clock = clockOf(canadianTime(10, 25, 5));
  clock.spend(0, 11_000);
  expect(clock.budget(0, 50)).toBe(4480);
  for (const _ of [1, 2, 3]) clock.spend(0, 1000);
  expect(clock.budget(0, 50)).toBe(Math.floor(900 * 11 - 20));
  for (const _ of [1, 2]) clock.spend(0, 1000);
  expect(clock.budget(0, 50)).toBe(4480);
});

it("gives each move of Japanese overtime its period, whatever number of periods the controller sends", () => {
  const clock = clockOf({ main: 0, overtime: { seconds: 10, moves: 1, japanese: true } });
  clock.setLeft(0, 10, 3);
  expect(clock.budget(0, 50)).toBe(8980);
  clock.spend(0, 9000);
  expect(clock.budget(0, 50)).toBe(8980);
});

it("believes the time that the controller sends, with settings and without", () => {
  const clock = clockOf(undefined);
  clock.setLeft(1, 30, 0);
  expect([clock.budget(0, 10), clock.budget(1, 10)]).toEqual([undefined, 2680]);
  clock.setLeft(1, 0, 0);
  expect(clock.budget(1, 10)).toBe(1);
});

it("never spends more than there is, however long the game", () => {
  const time = fc.record({
    main: fc.integer({ min: 1, max: 600 }),
    movesLeft: fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 200 }),
  });
  fc.assert(
    fc.property(time, ({ main, movesLeft }) => {
      const clock = clockOf({ main });
      let spent = 0;
      for (const moves of movesLeft) {
        const budget = clock.budget(0, moves)!;
        // At the very end there is still a move to make.
        if (budget > 1) spent += budget;
        clock.spend(0, budget);
      }
      expect(spent).toBeLessThanOrEqual(1000 * main);
    }),
  );
});
