import { describe, expect, it } from "vitest";
import { Progress } from "../../../src/cli/progress/progress.ts";
import type { MatchResult, RunEvent } from "../../../src/events/event.ts";
import { initialState, reduce, type RunState } from "../../../src/events/run-state.ts";
import { started } from "../../events/started.ts";

/** The plain lines of a stage of 20 games that is at `done` games so many milliseconds after its first event. */
function lines(...moments: readonly (readonly [milliseconds: number, done: number])[]): string[] {
  return linesOf(...moments.map(([at, done]): [number, RunEvent] => [at, progressAt(done)]));
}

const progressAt = (done: number): RunEvent => ({
  type: "progress",
  stage: "games",
  done,
  total: 20,
  unit: "games",
});

/** The text written about these events, on a terminal or elsewhere. */
function textOf(
  isTTY: boolean,
  events: readonly (readonly [milliseconds: number, event: RunEvent])[],
  earlier = initialState,
): string {
  let text = "";
  const write = (more: string) => {
    text += more;
    return Promise.resolve();
  };
  const progress = new Progress({ isTTY, columns: 60, write });
  let state: RunState = earlier;
  for (const [i, [at, event]] of events.entries()) {
    const emitted = { ...event, seq: i + 1, time: "", elapsed: earlier.elapsed + at / 1000 };
    state = reduce(state, emitted);
    void progress.listen(emitted, state);
    if (isTTY) void progress.paint(state);
  }
  void progress.end(state);
  return text;
}

/** The plain lines about these events. */
const linesOf = (...events: readonly (readonly [milliseconds: number, event: RunEvent])[]) =>
  textOf(false, events).split("\n").slice(0, -1);

describe("Progress", () => {
  it("shows a stage's games and their rate", () => {
    expect(lines([0, 2], [10_000, 12])).toEqual(["games       12/20 games  60%  1.0/s"]);
  });

  it("writes a line every five seconds at most, and the last", () => {
    expect(lines([0, 1], [4000, 2], [5000, 6], [6000, 8], [10_000, 20])).toEqual([
      "games       6/20 games  30%  4.0/s",
      "games       20/20 games  100%  3.0/s",
    ]);
  });

  it("shows no rate of games that come all at once", () => {
    expect(lines([0, 1], [2, 20])).toEqual(["games       20/20 games  100%"]);
  });

  const pace = (waitsFor?: string): RunEvent => ({
    type: "pace",
    stage: "games",
    seconds: 1,
    decisions: waitsFor === undefined ? 2 : 0,
    evaluations: waitsFor === undefined ? 1600 : 0,
    steps: 0,
    ...(waitsFor === undefined ? {} : { waitsFor }),
  });
  const seconds = (count: number) => Array.from({ length: count }, (_, i) => 1000 * (i + 1));

  it("shows how strong the newest version is relative to the oldest", () => {
    const rating = { games: 10, learned: 0 };
    const ratings = (versions: Extract<RunEvent, { type: "version-ratings" }>["versions"]): RunEvent => ({
      type: "version-ratings",
      stage: "curve",
      learned: 1200,
      unit: "steps",
      agent: "player",
      versions,
      others: [],
    });
    const first = { ...rating, version: 0, elo: 0, interval: [0, 0] } as const;
    const last = { ...rating, version: 12, elo: -30.4, interval: [-120.6, 60.2] } as const;
    expect(linesOf([0, ratings([first])], [1, ratings([first, last])])).toEqual([
      "curve: after 1,200 steps version 12 of player is -30 Elo [-121, 60] relative to version 0",
    ]);
  });

  it("says what keeps a run from learning, what to change, and where that is explained", () => {
    const diagnosis: RunEvent = {
      type: "diagnosis",
      stage: "games",
      name: "repeated-games",
      says: "the 40 games are one game",
      cure: "Give openings",
      learned: 40,
      unit: "games",
    };
    expect(linesOf([0, diagnosis])).toEqual([
      "warning: games: repeated-games: the 40 games are one game. Give openings (docs/it-does-not-learn.md#repeated-games)",
    ]);
  });

  it("appears within ten seconds for a stage whose first game lasts", () => {
    expect(linesOf([0, progressAt(0)], ...seconds(20).map((at) => [at, pace()] as const))).toEqual([
      "games       0/20 games  0%  2.0 moves/s  1,600 positions/s",
      "games       0/20 games  0%  2.0 moves/s  1,600 positions/s",
    ]);
  });

  it("appears within ten seconds of the start of a run whose first event is a pace", () => {
    const [first] = linesOf(
      [0, { type: "note", level: "info", message: "begins" }],
      ...seconds(10).map((at) => [at, pace()] as const),
    ).slice(1);
    expect(first).toBe("games       2.0 moves/s  1,600 positions/s");
  });

  it("appears less often in a long run, at least each minute", () => {
    const hour = linesOf([0, progressAt(0)], ...seconds(3600).map((at) => [at, pace()] as const));
    expect(hour.length).toBeGreaterThan(60);
    expect(hour.length).toBeLessThan(90);
  });

  it("shows once what a stage waits for, and again every two minutes", () => {
    const waiting = seconds(120).map((at) => [at, pace("version 3 of zero")] as const);
    expect(linesOf(...waiting)).toEqual(["games       waits for version 3 of zero"]);
  });

  const match = (learned: number, mean: number): MatchResult => ({
    type: "match",
    stage: "curve",
    learned,
    unit: "games",
    agents: [
      { agent: "greedy", games: 2, mean, interval: [mean - 1, mean + 1], returns: [mean, mean], facts: {} },
    ],
  });

  it("keeps the live lines below what it says, one for each stage, in the width of the terminal", () => {
    const text = textOf(true, [
      [0, progressAt(2)],
      [1000, { type: "note", level: "warning", message: "look" }],
      [10_000, { ...progressAt(12), latest: "score 1,234,567,890,123,456" } as RunEvent],
    ]);
    const first = "games       2/20 games  10%\n";
    const up = "\u001b[1A\u001b[0J";
    // The score is longer than what is left of the line, and is left out.
    const last = "games       12/20 games  60%  1.0/s\n";
    expect(text).toBe(first + up + `warning: look\n${first}` + up + first + up + last + up + last);
  });

  const whole = (share: number, secondsLeft: number): RunEvent => ({
    type: "run-progress",
    share,
    secondsLeft,
    now: { stage: "games", done: 2, total: 20, unit: "games" },
  });

  it("shows the whole run: below its stages on a terminal, elsewhere at intervals that grow", () => {
    const live = textOf(true, [
      [0, progressAt(2)],
      [1000, whole(0.1, 9)],
    ]);
    expect(live.endsWith("games       2/20 games  10%\nwhole run   10%  about 00:09 left  now games\n")).toBe(
      true,
    );
    const plain = linesOf(...seconds(300).map((at) => [at, whole(at / 300_000, 300 - at / 1000)] as const));
    expect(plain[0]).toBe("whole run   3%  about 04:49 left  now games");
    expect(plain.length).toBeGreaterThan(10);
    expect(plain.length).toBeLessThan(32);
  });

  it("says at the start what computes the nets", () => {
    const compute = "2 sessions, each onnx on cpu, 1 thread";
    expect(textOf(false, [[0, { ...started(false), compute } as RunEvent]])).toBe(
      "started, seed 1, 1 worker thread; nets: 2 sessions, each onnx on cpu, 1 thread\n",
    );
  });

  it("says a result again only if it has changed since an earlier part of the run", () => {
    const earlier = [started(false), match(10, 5), match(20, 6), match(30, 7)].reduce(
      (state: RunState, event, i) => reduce(state, { ...event, time: "", elapsed: i }),
      initialState,
    );
    const again = [started(true), match(20, 6), match(30, 8), match(40, 9)];
    const events = again.map((event, i): [number, RunEvent] => [1000 * i, event]);
    expect(textOf(false, events, earlier).split("\n")).toEqual([
      "resumed, seed 1, 1 worker thread",
      "curve: after 30 games greedy scores 8 [7, 9] in 2 games",
      "curve: after 40 games greedy scores 9 [8, 10] in 2 games",
      "",
    ]);
  });
});
