import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RecordedEvent, RunEvent, RunProgress } from "../../../src/events/event.ts";
import type { FlowEvent } from "../../../src/events/flow-event.ts";
import { packageRoot } from "../../../src/package-root.ts";
import { accuracyAt, endOf, isAccurate, planOfRecorded, readRecordedRun, replayed } from "./recorded-run.ts";

const RECORDED = join(import.meta.dirname, "recorded");

/** What a stage did in a second: the share in which it worked, its count after it, and games under way and at most. */
type Did = readonly [worked: number, done?: number, total?: number, holds?: number, bound?: number];

/** Runs begin slowly: those that begin at this time of their clock do not. */
const LATE = 1000;

/** Builds the events of a run second by second. */
class Script {
  readonly events: RecordedEvent[] = [];
  readonly begin: number;
  #elapsed: number;

  constructor(begin = LATE) {
    this.begin = begin;
    this.#elapsed = begin;
  }

  emit(event: RunEvent): this {
    this.events.push({ time: "", elapsed: this.#elapsed, ...event });
    return this;
  }

  start(resumed = false): this {
    const start = { type: "run-started", name: "run", seed: 1, workers: 2, resumed, compute: "" } as const;
    return this.emit(start);
  }

  second(stages: Readonly<Record<string, Did>>, evaluations: Readonly<Record<string, number>> = {}): this {
    this.#elapsed++;
    for (const [stage, [, done, total = 100]] of Object.entries(stages))
      if (done !== undefined) this.emit({ type: "progress", stage, done, total, unit: "games" });
    for (const [stage, count] of Object.entries(evaluations))
      this.emit({ type: "pace", stage, seconds: 1, decisions: 1, evaluations: count, steps: 0 });
    const machine = { processor: 1, idle: 1, cores: 2, memory: 0, heap: 0 };
    this.emit({ type: "machine-flow", seconds: 1, ...machine });
    for (const [stage, [worked, , , holds, bound]] of Object.entries(stages)) {
      const items = { waited: 1 - worked, held: 0, itemsIn: 0, itemsOut: 0, readers: 1 };
      const games = bound === undefined ? {} : { holds: holds!, bound };
      const flow: FlowEvent = { type: "stage-flow", stage, seconds: 1, worked, ...items, ...games };
      this.emit(flow);
    }
    return this;
  }

  /** The result of a round. */
  match(stage: string, learned: number): this {
    return this.emit({ type: "match", stage, learned, unit: "games", agents: [] });
  }
}

const twoPlayers = {
  name: "run",
  seed: 1,
  game: { rules: "tic-tac-toe" },
  nets: {},
  agents: { weak: { use: "uct", simulations: 10 }, strong: { use: "uct", simulations: 100 } },
};
const learning = {
  name: "run",
  seed: 1,
  game: { rules: "2048" },
  nets: { value: { use: "n-tuple", tuples: "4x6" } },
  agents: {
    greedy: { use: "greedy", net: "value" },
    search: { use: "mc-softmax", net: "value", simulations: 50 },
  },
};
const learn = { use: "td-learner", net: "value", games: 100, every: 50, lambda: 0.5, step: "tc" };
const match = { use: "arena", agents: ["weak", "strong"], games: 100 };

/** What is shown of a run after these events. */
function shown(experiment: object, { begin, events }: Script): RunProgress | undefined {
  const run = { experiment: experiment as Readonly<Record<string, unknown>>, events };
  return replayed(run, undefined, begin).at(-1)!.progress;
}

describe("the progress of recorded runs", () => {
  const names = readdirSync(RECORDED);

  it.each(names)(
    "of %s is within 10 points of its time, and the time left within a factor of 1.5",
    (name) => {
      const run = readRecordedRun(join(RECORDED, name));
      const found = accuracyAt(replayed(run), endOf(run));
      expect(found.filter((each) => !isAccurate(each))).toEqual([]);
    },
  );

  it.each(names)("of %s is complete at its end and not before", (name) => {
    const all = replayed(readRecordedRun(join(RECORDED, name)));
    expect(all.at(-1)!.progress).toEqual({ type: "run-progress", share: 1 });
    for (const { progress } of all.slice(0, -1))
      if (progress !== undefined) expect(progress.share).toBeLessThan(1);
  });
});

describe("wholeProgress", () => {
  it("is of all stages: the rest of learning, the rounds beside it and the match at its end", () => {
    const graph = {
      learn,
      curve: { use: "arena", after: "learn", agents: ["greedy"], games: 10 },
      gain: { use: "arena", after: "learn", every: 0, agents: ["greedy", "search"], games: 10 },
    };
    const script = new Script().start();
    for (let s = 1; s <= 5; s++) script.second({ curve: [1, 2 * s, 10] });
    script.match("curve", 0);
    for (let s = 1; s <= 25; s++) script.second({ learn: [1, 2 * s] });
    // 25 s of learning are left, two rounds of 5 s, and ten games of each agent: 50 simulations take 50 times as long, and the games
    // of a search are longer in a game of one player.
    const left = 25 + 2 * 5 + 10 * 0.5 + 10 * 0.5 * 50 * 1.25;
    const progress = shown({ ...learning, graph }, script)!;
    expect(progress.secondsLeft).toBeCloseTo(left, 6);
    expect(progress.share).toBeCloseTo(30 / (30 + left), 6);
    expect(progress.now).toEqual({ stage: "learn", done: 50, total: 100, unit: "games" });
  });

  it("is the same if rounds work beside learning and if learning waits for them", () => {
    const graph = { learn, curve: { use: "arena", after: "learn", agents: ["greedy"], games: 10 } };
    const apart = new Script().start();
    for (let s = 1; s <= 10; s++) apart.second({ curve: [1, s, 10], learn: [0] });
    apart.match("curve", 0);
    for (let s = 1; s <= 50; s++) apart.second({ learn: [1, s], curve: [0] });
    const beside = new Script().start();
    // Each takes half of the machine while both work.
    for (let s = 1; s <= 20; s++) beside.second({ curve: [1, s / 2, 10], learn: [1, s / 2] });
    beside.match("curve", 0);
    for (let s = 11; s <= 50; s++) beside.second({ learn: [1, s], curve: [0] });
    for (const script of [apart, beside])
      expect(shown({ ...learning, graph }, script)).toMatchObject({
        secondsLeft: expect.closeTo(70, 6) as number,
        share: expect.closeTo(60 / 130, 6) as number,
      });
  });

  it("divides the time of stages that play at once by what they compute", () => {
    const graph = { weak: { ...match, agents: ["weak", "strong"] }, other: match };
    const script = new Script().start();
    // Both count ten games, and one computed nine times as much.
    for (let s = 1; s <= 10; s++)
      script.second({ weak: [1, s, 100, 0, 2], other: [1, s, 100, 0, 2] }, { weak: 9000, other: 1000 });
    for (let s = 11; s <= 100; s++) script.second({ weak: [1, s, 100, 0, 2], other: [0] });
    // Ninety games of the other stage are left, of a tenth of a second each.
    const { secondsLeft } = shown({ ...twoPlayers, graph }, script.match("weak", 0))!;
    expect(secondsLeft).toBeCloseTo(9, 1);
  });

  it("has no bar while nothing is known of a stage that does not learn", () => {
    const script = new Script().start();
    for (let s = 1; s <= 30; s++) script.second({ match: [1, 0, 100, 4, 4] }, { match: 100 });
    expect(shown({ ...twoPlayers, graph: { match } }, script)).toBeUndefined();
    script.second({ match: [1, 4, 100, 4, 4] }, { match: 100 });
    expect(shown({ ...twoPlayers, graph: { match } }, script)!.share).toBeGreaterThan(0);
  });

  it("takes no speed from the first units of thousands", () => {
    const graph = { learn: { ...learn, games: 4000, every: 1000 } };
    const script = new Script().start();
    for (let s = 1; s <= 3; s++) script.second({ learn: [1, s, 4000] });
    expect(shown({ ...learning, graph }, script)).toBeUndefined();
    for (let s = 1; s <= 5; s++) script.second({ learn: [1, 3 + 100 * s, 4000] });
    expect(shown({ ...learning, graph }, script)!.secondsLeft).toBeLessThan(60);
  });

  it("has no bar if the file does not say how much there is to do", () => {
    const graph = { records: { use: "sgf", sources: [join(packageRoot(), "experiments/go9-games")] } };
    const experiment = { ...twoPlayers, game: { rules: "go", size: 5 }, agents: {}, graph };
    expect(shown(experiment, new Script().start().second({ records: [1, 5] }))).toBeUndefined();
  });

  it("counts the first seconds of a run, in which code is compiled, less than later ones", () => {
    const late = new Script().start();
    const early = new Script(0).start();
    for (const script of [late, early]) for (let s = 1; s <= 4; s++) script.second({ match: [1, s] });
    const [expected, found] = [late, early].map(
      (script) => shown({ ...twoPlayers, graph: { match } }, script)!.secondsLeft!,
    );
    expect(expected).toBeCloseTo(96, 6);
    expect(found! / expected!).toBeGreaterThan(0.3);
    expect(found! / expected!).toBeLessThan(0.7);
  });

  it("knows that threads have no games left at the end of a match", () => {
    const script = new Script().start();
    for (let s = 1; s <= 50; s++) script.second({ match: [1, s, 100, 0, 8] });
    const { secondsLeft } = shown({ ...twoPlayers, graph: { match } }, script)!;
    // Of eight games under way on two threads a thread plays its last ones alone: about two games' time of both.
    expect(secondsLeft).toBeCloseTo(50 + 2, 6);
  });

  it("does not count start-up as the cost of a stage's units", () => {
    const script = new Script().start();
    for (let s = 1; s <= 20; s++) script.second({ match: [1, 0] }, {});
    for (let s = 1; s <= 4; s++) script.second({ match: [1, s] }, { match: 100 });
    const waits = new Script().start();
    const none = { seconds: 1, decisions: 0, evaluations: 0, steps: 0 };
    for (let s = 1; s <= 20; s++)
      waits.emit({ type: "pace", stage: "match", ...none }).second({ match: [1, 0] });
    for (let s = 1; s <= 4; s++) waits.second({ match: [1, s] }, { match: 100 });
    const graph = { match };
    expect(shown({ ...twoPlayers, graph }, script)!.secondsLeft).toBeCloseTo((96 * 24) / 4, 6);
    expect(shown({ ...twoPlayers, graph }, waits)!.secondsLeft).toBeCloseTo(96, 6);
  });

  it("says that the time left is at most so much if a test may end a match, and forgets it when the test has", () => {
    const graph = { match: { ...match, sequential: { elo0: 0, elo1: 50 } }, after: { ...match, games: 10 } };
    const script = new Script().start();
    for (let s = 1; s <= 20; s++) script.second({ match: [1, s] });
    const before = shown({ ...twoPlayers, graph }, script)!;
    expect(before).toMatchObject({ atMost: true, secondsLeft: expect.closeTo(80 + 10, 6) as number });
    // The test is decided: the round's total is what was played.
    script
      .second({ match: [0, 20, 20] })
      .match("match", 0)
      .second({ match: [0] });
    const { atMost, secondsLeft, share } = shown({ ...twoPlayers, graph }, script)!;
    expect(atMost).toBeUndefined();
    // Games that were not played say nothing about the speed of those of the other match.
    expect(secondsLeft).toBeCloseTo(10, 6);
    expect(share).toBeCloseTo(2 / 3, 6);
  });

  it("continues from an earlier part of the run, whose lost work does not count", () => {
    const script = new Script().start();
    for (let s = 1; s <= 60; s++) script.second({ learn: [1, s] });
    const graph = { learn };
    const killed = shown({ ...learning, graph }, script)!;
    expect(killed).toMatchObject({
      secondsLeft: expect.closeTo(40, 6) as number,
      share: expect.closeTo(0.6, 6) as number,
    });
    // It continues from the checkpoint after 50 games.
    script.start(true).second({ learn: [0, 50] });
    for (let s = 51; s <= 70; s++) script.second({ learn: [1, s] });
    const { secondsLeft, share } = shown({ ...learning, graph }, script)!;
    expect(secondsLeft).toBeCloseTo(30, 0);
    // Of 110 seconds 80 have passed: those of the lost games are gone.
    expect(share).toBeCloseTo(80 / 110, 2);
  });

  it("knows the rounds of an earlier part from their results, and those that are played again", () => {
    const graph = { learn, curve: { use: "arena", after: "learn", agents: ["greedy"], games: 10 } };
    const script = new Script().start();
    for (const learned of [0, 50]) {
      for (let s = 1; s <= 10; s++) script.second({ curve: [1, s, 10] });
      script.match("curve", learned);
      for (let s = 1; s <= 50; s++) script.second({ learn: [1, learned + s], curve: [0] });
    }
    // Killed before the last round, it continues from the checkpoint before the round of 50 games.
    script
      .start(true)
      .second({ learn: [0, 50], curve: [0, 10, 10] })
      .match("curve", 50)
      .second({ learn: [1, 51], curve: [0] });
    const { secondsLeft } = shown({ ...learning, graph }, script)!;
    expect(secondsLeft).toBeCloseTo(49 + 10, 0);
  });

  it("follows the speed if another run of a sweep takes half of the machine", () => {
    const script = new Script().start();
    for (let s = 1; s <= 50; s++) script.second({ learn: [1, s] });
    for (let s = 1; s <= 50; s++) script.second({ learn: [1, 50 + s / 2] });
    // The 25 games that are left take 50 s at the speed of now.
    const { secondsLeft } = shown({ ...learning, workers: 1, graph: { learn } }, script)!;
    expect(secondsLeft).toBeGreaterThan(25 * 1.5);
    expect(secondsLeft).toBeLessThan(25 * 2 + 1e-6);
  });

  it("expects longer games of a learner whose games become longer", () => {
    const script = new Script().start();
    let plies = 0;
    for (let s = 1; s <= 10; s++) {
      plies += 100;
      const games = { count: 5, mean: 0, min: 0, max: 0, plies };
      for (let i = 0; i < plies / 100; i++) script.second({ learn: [1, 5 * s] });
      script.emit({ type: "games", stage: "learn", done: 5 * s, ...games });
    }
    // The time is quadratic in the number of games: 55 s for the first half, and three times as much for the second.
    const { secondsLeft } = shown({ ...learning, graph: { learn } }, script)!;
    expect(secondsLeft! / 55).toBeGreaterThan(2.5);
    expect(secondsLeft! / 55).toBeLessThan(3.5);
  });

  it("takes speeds that were measured before the run for what has not begun", () => {
    const graph = { first: match, second: { ...match, agents: ["strong", "weak"] } };
    const experiment = { ...twoPlayers, graph };
    const plan = planOfRecorded({ experiment });
    const agents = new Map([
      ["weak", 0.01],
      ["strong", 0.03],
    ]);
    const decisions = new Map([
      ["weak", 10],
      ["strong", 10],
    ]);
    const speeds = { agents, decisions, stages: new Map() };
    const { events } = new Script().start().second({ first: [1, 0, 100, 16, 16] });
    for (const [known, seconds] of [
      // At the end of the first match four of its games' times pass with an idle thread.
      [{ ...plan, speeds }, (2 * 100 + 4) * 0.2],
      [plan, undefined],
    ] as const)
      expect(replayed({ experiment, events }, known, LATE).at(-1)!.progress?.share).toEqual(
        seconds === undefined ? undefined : expect.closeTo(1 / seconds, 9),
      );
  });
});
