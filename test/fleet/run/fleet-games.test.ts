import { expect, it, vi } from "vitest";
import { type FleetGame, FleetGames } from "../../../src/fleet/run/fleet-games.ts";
import type { GameReport, GameTask } from "../../../src/operators/play/game-task.ts";

const report = {} as GameReport;

/** Games with carriers that note what they are asked for. */
function dealing(placesHere: number, joiners: { places: number }) {
  const here: number[] = [];
  const put = new Set<string>();
  const played = new Set<string>();
  const finished: number[] = [];
  const games = new FleetGames(placesHere, {
    playHere: ({ task }) => here.push(task.index),
    encode: async ({ index }) => ({ key: String(index), bytes: new Uint8Array(0) }),
    put: ({ key }) => put.add(key),
    remove: (key) => put.delete(key),
    isPlayed: (key) => played.has(key),
    places: () => joiners.places,
  });
  const game = (index: number): FleetGame => ({
    task: { stage: "games", index } as GameTask,
    retries: 0,
    finish: () => finished.push(index),
  });
  return { finished, game, games, here, played, put };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));

it("gives games to threads first, then as many as keep joiners busy; the rest waits", async () => {
  const { game, games, here, put } = dealing(2, { places: 2 });
  for (let index = 0; index < 10; index++) games.add(game(index));
  await settled();
  expect(here).toEqual([0, 1]);
  expect([...put]).toEqual(["2", "3", "4"]);
  games.take(games.away("3")!, report);
  await settled();
  expect([...put]).toEqual(["2", "4", "5"]);
  expect(games.away("3")).toBeUndefined();
});

it("takes one report of a game and no second one", async () => {
  const { finished, game, games } = dealing(0, { places: 1 });
  games.add(game(7));
  await settled();
  const away = games.away("7")!;
  games.take(away, report);
  games.take(away, report);
  expect(finished).toEqual([7]);
});

it("lets no game be far ahead of the oldest unfinished one of its stage", async () => {
  const { game, games, put } = dealing(0, { places: 1 });
  for (let index = 0; index < 100; index++) games.add(game(index));
  await settled();
  // Game 0 is with a joiner that does not answer; others go on up to a bound.
  for (let index = 1; index < 100; index++) {
    const away = games.away(String(index));
    if (away !== undefined) games.take(away, report);
    await settled();
  }
  expect(put.has("0")).toBe(true);
  expect(Math.max(...[...put].map(Number))).toBeLessThanOrEqual(16);
  games.take(games.away("0")!, report);
  await settled();
  expect(games.away("17")).toBeDefined();
});

it("plays here what joiners have not begun or have left behind, when nothing else is to do", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const joiners = { places: 4 };
    const { finished, game, games, here, played, put } = dealing(1, joiners);
    for (let index = 0; index < 4; index++) games.add(game(index));
    await settled();
    played.add("1");
    games.take({ ...game(0) }, report);
    expect(finished).toEqual([]);
    expect(here).toEqual([0]);
    const gone = games.away("2")!;
    joiners.places = 0;
    played.clear();
    games.bring(gone);
    expect(here).toEqual([0, 2]);
    expect(put.has("2")).toBe(false);
    games.take(gone, report);
    expect(finished).toEqual([2]);
  } finally {
    vi.useRealTimers();
  }
});

it("gives up a game that nobody waits for any more", async () => {
  const { finished, game, games, put } = dealing(0, { places: 2 });
  const given = game(1);
  games.add(given);
  await settled();
  games.drop(given);
  expect([...put]).toEqual([]);
  games.take(given, report);
  expect(finished).toEqual([]);
});

it("asks no joiner again for a game whose result is being looked at", async () => {
  const { finished, game, games, put } = dealing(0, { places: 1 });
  for (let index = 0; index < 3; index++) games.add(game(index));
  await settled();
  const held = games.away("0")!;
  games.hold(held);
  await settled();
  expect([...put]).toEqual(["1", "2"]);
  expect(games.away("0")).toBeUndefined();
  games.take(held, report);
  expect(finished).toEqual([0]);
});

it("counts the games that nobody plays", async () => {
  const { game, games, played } = dealing(1, { places: 2 });
  for (let index = 0; index < 6; index++) games.add(game(index));
  await settled();
  expect(games.waiting).toBe(5);
  played.add("1");
  expect(games.waiting).toBe(4);
});
