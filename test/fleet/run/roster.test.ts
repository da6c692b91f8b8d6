import { expect, it } from "vitest";
import { Roster } from "../../../src/fleet/run/roster.ts";
import { GONE_MS } from "../../../src/fleet/wire/subjects.ts";

const beat = (joiner: string, playing: readonly string[] = []) => ({
  joiner,
  name: `${joiner}:1`,
  runs: { mine: { places: 4, playing } },
});

/** A roster with a clock that the test sets. */
function rosterAt() {
  const clock = { now: 0 };
  return { clock, roster: new Roster("mine", () => clock.now) };
}

it("reports joiners that came, left, or were silent for too long", () => {
  const { clock, roster } = rosterAt();
  expect(roster.onHeartbeat({ ...beat("a"), runs: { another: { places: 1, playing: [] } } })).toBeUndefined();
  expect(roster.onHeartbeat(beat("a", ["x"]))).toBe("came");
  expect(roster.onHeartbeat(beat("b"))).toBe("came");
  expect(roster.onHeartbeat(beat("b"))).toBeUndefined();
  expect([roster.places, roster.isPlayed("x"), roster.isPlayed("y")]).toEqual([8, true, false]);
  expect(roster.onHeartbeat({ ...beat("b"), leaves: true })).toBe("left");
  clock.now = GONE_MS + 1;
  expect(roster.lose().map(({ name, playing }) => [name, playing])).toEqual([["a:1", ["x"]]]);
  expect(roster.takeDone()).toMatchObject({ joiners: 0, places: 0, left: ["b:1", "a:1"] });
  expect(roster.takeDone().left).toEqual([]);
});

it("gives games and rates, the fastest machine first; a rate forgets what is over a minute old", () => {
  const { clock, roster } = rosterAt();
  roster.onHeartbeat(beat("slow"));
  roster.onHeartbeat(beat("fast", ["x", "y"]));
  clock.now = 10_000;
  for (let game = 0; game < 20; game++) roster.counts("fast");
  roster.counts("slow");
  const { games, machines } = roster.takeDone();
  expect(games).toBe(21);
  expect(machines).toEqual([
    { name: "fast:1", places: 4, playing: 2, games: 20, rate: 2 },
    { name: "slow:1", places: 4, playing: 0, games: 1, rate: 0.1 },
  ]);
  clock.now = 100_000;
  expect(roster.takeDone()).toMatchObject({ games: 0, machines: [{ rate: 0 }, { rate: 0 }] });
});
