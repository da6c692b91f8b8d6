import { expect, it } from "vitest";
import { MOST_PROGRAMS, ProgramPlayers } from "../../../src/operators/play/program-players.ts";
import type { Search } from "../../../src/search/search.ts";

/** Programs that note when they are made and stopped. */
function programs() {
  const players = new ProgramPlayers();
  const made: string[] = [];
  const stopped: string[] = [];
  const take = (place: number, key: string, agent: string) =>
    players.take(place, key, agent, () => {
      const name = `${agent} ${made.length}`;
      made.push(name);
      return { stop: () => void stopped.push(name) } as unknown as Search<unknown>;
    });
  return { players, made, stopped, take };
}

it("lends a program to one game at a time, and again to the next game of its agent", () => {
  const { players, made, take } = programs();
  players.begin(0, 1);
  const first = take(0, "a/0", "a");
  expect(take(0, "a/0", "a")).toBe(first);
  players.begin(1, 1);
  const second = take(1, "a/1", "a");
  expect(second).not.toBe(first);
  players.end(0);
  players.begin(7, 2);
  expect(take(7, "a/1", "a")).toBe(first);
  expect(take(7, "b/0", "b")).not.toBe(second);
  expect(made).toEqual(["a 0", "a 1", "b 2"]);
});

it("lets games begin while there is room, and one that needs more only alone", () => {
  const { players } = programs();
  expect(players.admits(MOST_PROGRAMS + 1)).toBe(true);
  players.begin(0, MOST_PROGRAMS - 1);
  expect([players.admits(0), players.admits(1), players.admits(2)]).toEqual([true, true, false]);
  players.begin(1, 1);
  expect([players.admits(0), players.admits(1)]).toEqual([true, false]);
  players.end(0);
  expect([players.admits(MOST_PROGRAMS - 1), players.admits(MOST_PROGRAMS)]).toEqual([true, false]);
  players.end(1);
  expect(players.admits(MOST_PROGRAMS + 1)).toBe(true);
});

it("stops the program that has waited longest where more agents play than there is room for", () => {
  const { players, made, stopped, take } = programs();
  for (let agent = 0; agent <= MOST_PROGRAMS; agent++) {
    players.begin(0, 1);
    take(0, "key", String(agent));
    players.end(0);
  }
  expect(stopped).toEqual(["0 0"]);
  // It is started again by its next game, in place of the next one.
  players.begin(0, 1);
  take(0, "key", "0");
  expect(made).toHaveLength(MOST_PROGRAMS + 1);
  expect(stopped).toEqual(["0 0", "1 1"]);
});
