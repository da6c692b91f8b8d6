import { describe, expect, it } from "vitest";
import { OVER } from "../../src/games/game.ts";
import { Random } from "../../src/random.ts";
import { driveAll, driveEpisode } from "../../src/search/drive.ts";
import {
  type EpisodeRequest,
  episode,
  type Episode,
  type EpisodeOptions,
  type Seat,
} from "../../src/search/episode.ts";
import { PlayerFailed } from "../../src/search/player-failed.ts";
import { openSearch } from "../../src/search/registry.ts";
import { HashEvaluator, hashGame, type HashState } from "./depth-first/hash-game.ts";

const game = hashGame({ seed: 21, players: 2, branching: 4, depth: 12, chance: 0.3 });
const evaluators = [new HashEvaluator(game), new HashEvaluator(game)];

function seats(number: number): Seat<HashState>[] {
  return [
    {
      search: openSearch("mc-softmax", game, { simulations: 12, samples: 2 }),
      random: Random.named(number, "agent", 0),
      evaluator: 0,
    },
    {
      search: openSearch("puct-max-n", game, { simulations: 12 }),
      random: Random.named(number, "agent", 1),
      evaluator: 1,
    },
  ];
}

function begin(number: number, options: EpisodeOptions<HashState> = {}) {
  return episode(game, seats(number), Random.named(number, "chance"), options);
}

const play = (number: number, options?: EpisodeOptions<HashState>) =>
  driveEpisode(begin(number, options), evaluators);

describe("an episode", () => {
  it("begins with the position that is given, and leaves that one as it is", () => {
    const start = game.initial();
    for (const action of play(1).actions.slice(0, 5)) game.play(start, action);
    const before = game.initial();
    game.copy(start, before);
    const record = play(2, { start });
    expect(start).toEqual(before);
    const whole = play(2);
    expect(record.actions.length).toBeLessThan(whole.actions.length);
    for (const action of record.actions) game.play(start, action);
    expect(game.toMove(start)).toBe(OVER);
    expect(record.returns).toEqual([...start.returns]);
  });

  it("records a legal game: replaying its actions gives its end, movers and returns", () => {
    const lengths = new Set<number>();
    for (let number = 0; number < 20; number++) {
      const record = play(number);
      const state = game.initial();
      const legal = new Int32Array(game.maxLegal);
      let next = 0;
      for (const [ply, action] of record.actions.entries()) {
        const mover = game.toMove(state);
        if (mover >= 0) {
          expect(record.decisions[next]).toMatchObject({ ply, seat: mover });
          expect(record.decisions[next]!.values).toHaveLength(2);
          next++;
        }
        expect(legal.slice(0, game.legal(state, legal))).toContain(action);
        game.play(state, action);
      }
      expect(next).toBe(record.decisions.length);
      expect(game.toMove(state)).toBe(OVER);
      expect(record.returns).toEqual([...state.returns]);
      lengths.add(record.actions.length);
    }
    expect(lengths.size).toBeGreaterThan(1);
  });

  it("tells every seat's search the start and every ply, with the state before it", () => {
    const told: string[][] = [[], []];
    const watched = seats(3).map((seat, number): Seat<HashState> => {
      const { search } = seat;
      return {
        ...seat,
        search: {
          maxRequest: search.maxRequest,
          search: (state, random, decisions) => search.search(state, random, decisions),
          begin: (state) => told[number]!.push(`begin ${game.toMove(state)}`),
          observe: (state, action) => told[number]!.push(`${game.toMove(state)} ${action}`),
        },
      };
    });
    const record = driveEpisode(episode(game, watched, Random.named(3, "chance")), evaluators);
    const state = game.initial();
    const expected = [`begin ${game.toMove(state)}`];
    for (const action of record.actions) {
      expected.push(`${game.toMove(state)} ${action}`);
      game.play(state, action);
    }
    expect(told).toEqual([expected, expected]);
  });

  it("is a function of its streams", () => {
    expect(play(5)).toEqual(play(5));
    expect(play(5).actions).not.toEqual(play(6).actions);
  });

  it("keeps visits and samples where the options say so, and they stay as they were", () => {
    const bare = play(2);
    expect(bare.samples).toEqual([]);
    expect(bare.decisions.every(({ visits }) => visits.length === 0)).toBe(true);
    const record = play(2, { keep: { visits: true, samples: true } });
    expect(record.actions).toEqual(bare.actions);
    for (const { visits, seat } of record.decisions)
      expect(visits.reduce((a, b) => a + b, 0)).toBe(seat === 0 ? 11 : 12);
    expect(record.samples.length).toBeGreaterThan(0);
    expect(record).toEqual(play(2, { keep: { visits: true, samples: true } }));
  });

  it("verifies a recorded game, and says where it first differs", () => {
    const record = play(9);
    const values = record.decisions.map((decision) => decision.values);
    expect(play(9, { expected: { actions: record.actions, values } }).difference).toBeUndefined();
    const changed = (ply: number) => record.actions.map((action, i) => (i === ply ? 77 : action));
    for (const ply of [0, 1, 2, record.actions.length - 1]) {
      const decided = record.decisions.some((decision) => decision.ply === ply);
      expect(play(9, { expected: { actions: changed(ply), values } }).difference).toEqual({
        ply,
        kind: decided ? "decision" : "chance",
        expected: 77,
        actual: record.actions[ply],
      });
    }
    const { ply } = record.decisions[1]!;
    const wrong = values.map((each, i) => (i === 1 ? [each[0]!, each[1]! + 1e-12] : each));
    expect(play(9, { expected: { actions: record.actions, values: wrong } }).difference).toMatchObject({
      ply,
      kind: "value",
      actual: values[1]![1],
    });
    const length = record.actions.length;
    expect(play(9, { expected: { actions: record.actions.slice(0, length - 1) } }).difference).toEqual({
      ply: length - 1,
      kind: "length",
      expected: length - 1,
      actual: length,
    });
    expect(play(9, { expected: { actions: [...record.actions, 0] } }).difference).toEqual({
      ply: length,
      kind: "length",
      expected: length + 1,
      actual: length,
    });
  });
});

describe("driving many episodes", () => {
  /** Drives 12 episodes; the requests that every `collect` evaluated, by group, and the most generators begun at once. */
  function driven(places: number, groups: number, atOnce = (_asked: EpisodeRequest<HashState>) => false) {
    const results = new Map<number, Episode<HashState>>();
    const numbers: number[] = [];
    const rounds: { readonly group: number; readonly requests: number }[] = [];
    const open = Array.from({ length: groups }, (): EpisodeRequest<HashState>["request"][] => []);
    const sent = Array.from({ length: groups }, () => false);
    let next = 0;
    let inFlight = 0;
    let most = 0;
    driveAll<HashState, Episode<HashState>>({
      places,
      groups,
      next: (place) => {
        if (next === 12) return undefined;
        numbers[place] = next;
        most = Math.max(most, ++inFlight);
        return begin(next++);
      },
      add: (requested, group) => {
        if (atOnce(requested)) {
          evaluators[requested.evaluator]!.evaluate(requested.request);
          return true;
        }
        const { evaluator, request } = requested;
        open[group]!.push(request);
        wanted.set(request, evaluator);
        return false;
      },
      submit: (group) => {
        sent[group] = true;
      },
      collect: (group) => {
        expect(sent[group]).toBe(open[group]!.length > 0);
        sent[group] = false;
        if (open[group]!.length > 0) rounds.push({ group, requests: open[group]!.length });
        for (const request of open[group]!.splice(0)) evaluators[wanted.get(request)!]!.evaluate(request);
      },
      done: (result, place) => {
        inFlight--;
        results.set(numbers[place]!, result);
      },
    });
    return { games: Array.from({ length: 12 }, (_, number) => results.get(number)), rounds, most };
  }
  const wanted = new Map<EpisodeRequest<HashState>["request"], number>();
  const alone = Array.from({ length: 12 }, (_, number) => play(number));

  it("gives the same games whatever the number in flight, and evaluates all open requests at once", () => {
    for (const places of [1, 3, 7, 20]) {
      const { games, rounds, most } = driven(places, 1);
      expect(games).toEqual(alone);
      expect(most).toBe(Math.min(places, 12));
      expect(Math.max(...rounds.map(({ requests }) => requests))).toBe(most);
    }
  });

  it("gives the same games in groups that take turns, the places shared among them", () => {
    for (const [places, groups] of [
      [8, 2],
      [9, 3],
      [1, 2],
    ] as const) {
      const { games, rounds } = driven(places, groups);
      expect(games).toEqual(alone);
      const most = (group: number) =>
        Math.max(0, ...rounds.filter((round) => round.group === group).map(({ requests }) => requests));
      expect(Array.from({ length: groups }, (_, group) => most(group))).toEqual(
        Array.from({ length: groups }, (_, group) => Math.ceil((places - group) / groups)),
      );
      // While all places are taken, no group submits twice before every other one has submitted.
      if (places > 1)
        for (let i = 1; i < 10; i++) expect(rounds[i]!.group).toBe((rounds[i - 1]!.group + 1) % groups);
    }
  });

  it("goes on at once with what is answered at once", () => {
    let requested = 0;
    expect(driven(5, 2, () => requested++ % 3 !== 0).games).toEqual(alone);
    expect(driven(5, 2, () => true)).toMatchObject({ games: alone, rounds: [] });
  });
});

/** A player that cannot go on at its n-th decision. */
function failing(after: number): Seat<HashState> {
  const [seat] = seats(0);
  let searches = 0;
  return {
    ...seat!,
    search: {
      maxRequest: seat!.search.maxRequest,
      search(state, random, decisions) {
        if (searches++ === after) throw new PlayerFailed("fake: died");
        return seat!.search.search(state, random, decisions);
      },
    },
  };
}

describe("a player that cannot go on", () => {
  it("ends the game at its decision, and says which seat it was and why", () => {
    const whole = driveEpisode(episode(game, seats(3), Random.named("f")), evaluators);
    const broken = driveEpisode(episode(game, [failing(2), seats(3)[1]!], Random.named("f"), {}), evaluators);
    expect(whole.failure).toBeUndefined();
    expect(broken.failure).toEqual({ seat: 0, message: "fake: died" });
    expect(broken.actions.length).toBeLessThan(whole.actions.length);
    expect(broken.decisions.filter(({ seat }) => seat === 0)).toHaveLength(2);
    expect(broken.returns).toHaveLength(2);
  });

  it("is asked once for an objection to the result, also in several seats", () => {
    let asked = 0;
    const search = Object.assign(seats(3)[0]!.search, { objection: () => void asked++ });
    const both = seats(3).map((seat) => ({ ...seat, search }));
    expect(driveEpisode(episode(game, both, Random.named("f")), evaluators).dispute).toBe(undefined);
    expect(asked).toBe(1);
  });

  it("is told apart from a bug, which is thrown", () => {
    const buggy: Seat<HashState> = {
      ...seats(3)[0]!,
      search: {
        maxRequest: 1,
        search: () => {
          throw new TypeError("a bug");
        },
      },
    };
    expect(() => driveEpisode(episode(game, [buggy, buggy], Random.named("f")), evaluators)).toThrow("a bug");
  });
});

describe("an opening", () => {
  const legal = new Int32Array(game.maxLegal);
  /** The first legal action at the first three decisions. */
  const opening = (state: HashState, decisions: number) =>
    decisions < 3 && game.legal(state, legal) > 0 ? legal[0] : undefined;

  it("is played before the players begin, who are told of it and count its decisions", () => {
    const counted: number[] = [];
    let observed = 0;
    const [first, second] = seats(4);
    const watched: Seat<HashState> = {
      ...first!,
      search: {
        maxRequest: first!.search.maxRequest,
        observe: () => void observed++,
        search(state, random, decisions) {
          counted.push(decisions);
          return first!.search.search(state, random, decisions);
        },
      },
    };
    const played = driveEpisode(
      episode(game, [watched, second!], Random.named("o"), { opening }),
      evaluators,
    );
    const replayed = game.initial();
    let decisions = 0;
    for (const action of played.actions) {
      const mover = game.toMove(replayed);
      if (mover >= 0 && decisions++ < 3) {
        game.legal(replayed, legal);
        expect(action).toBe(legal[0]);
      }
      game.play(replayed, action);
    }
    expect(decisions).toBe(played.decisions.length + 3);
    expect(Math.min(...counted)).toBeGreaterThanOrEqual(3);
    expect(observed).toBe(played.actions.length);
  });

  it("is the same again where a game is compared with its record", () => {
    const record = driveEpisode(episode(game, seats(4), Random.named("o"), { opening }), evaluators);
    const expected = { actions: record.actions, values: record.decisions.map(({ values }) => values) };
    const again = driveEpisode(episode(game, seats(4), Random.named("o"), { opening, expected }), evaluators);
    expect(again.difference).toBeUndefined();
    const without = driveEpisode(episode(game, seats(4), Random.named("o"), { expected }), evaluators);
    expect(without.difference).toBeDefined();
  });
});
