import { describe, expect, it } from "vitest";
import type { EvaluatorFlow, StageFlow, ThreadsFlow } from "../../src/events/flow-event.ts";
import type { RunFlows } from "../../src/report/run-flows.ts";
import { whatHoldsUp } from "../../src/report/what-holds-up.ts";

/** Flows of a hundred seconds: shares of the time are seconds. */
const SECONDS = 100;

const stage = (name: string, worked: number, waited: number, more: Partial<StageFlow> = {}): StageFlow => ({
  type: "stage-flow",
  stage: name,
  seconds: SECONDS,
  worked,
  waited,
  held: SECONDS - worked - waited,
  itemsIn: 10,
  itemsOut: 10,
  readers: 1,
  ...more,
});

/** A stage that plays for learning. */
const selfPlay = (worked: number, waited: number, holds = 60): StageFlow =>
  stage("games", worked, waited, { itemsIn: 0, holds, bound: 64 });

const threads = (group: string, count: number, worked: number, waited = 0): ThreadsFlow => ({
  type: "threads-flow",
  group,
  threads: count,
  seconds: SECONDS,
  worked,
  waited,
});

const evaluator = (busy: number, batches: number, rows: number): EvaluatorFlow => ({
  type: "evaluator-flow",
  evaluator: "evaluator_of_zero",
  net: "zero",
  seconds: SECONDS,
  threads: 2,
  batches,
  rows,
  busy,
  sizes: [],
  versions: 1,
});

/** A machine with this many cores, of which the run used so many on average, and other programs so many. */
const flows = (busy: number, cores: number, parts: Partial<RunFlows>, others = 0): RunFlows => ({
  stages: [],
  threads: [],
  evaluators: [],
  buffers: [],
  fleet: undefined,
  machine: {
    type: "machine-flow",
    seconds: SECONDS,
    processor: busy * SECONDS,
    idle: (cores - busy - others) * SECONDS,
    cores,
    memory: 1e9,
    heap: 1e8,
  },
  ...parts,
});

const uses = { games: "self-play", learn: "trainer", curve: "arena" };

const sentence = (...given: Parameters<typeof whatHoldsUp>) => whatHoldsUp(...given)?.sentence;

describe("whatHoldsUp", () => {
  it("names training, for which the games wait", () => {
    expect(
      sentence(
        flows(1.9, 2, {
          stages: [
            selfPlay(55, 43),
            stage("replay", 1, 56),
            stage("learn", 57, 42),
            // It has next to nothing to do, and nothing is lost by it.
            stage("saved", 1, 99),
          ],
          threads: [threads("players", 2, 80, 20), threads("learn", 1, 55)],
        }),
        uses,
      ),
    ).toBe(
      '"learn" (trainer) holds the run up: it worked 57% of the time; "games" (self-play) waited for new weights 43% of the time.',
    );
  });

  it("says that the thread of the trainer is not busy: minibatches are drawn too slowly", () => {
    expect(
      sentence(
        flows(1, 2, {
          stages: [selfPlay(8, 90), stage("learn", 90, 8)],
          threads: [threads("players", 2, 16), threads("learn", 1, 45)],
        }),
      ),
    ).toBe(
      '"learn" holds the run up: it worked 90% of the time; its thread computed only 50% of that; "games" waited for new weights 90% of the time; 1.0 of 2 cores had nothing to do.',
    );
  });

  it("names the games, for which training waits", () => {
    expect(
      sentence(
        flows(1.95, 2, {
          stages: [selfPlay(90, 9), stage("learn", 9, 88)],
          threads: [threads("players", 2, 140, 30), threads("learn", 1, 9)],
          evaluators: [evaluator(40, 1000, 16_000)],
        }),
        uses,
      ),
    ).toBe(
      'The games hold the run up: games of "games" (self-play) were under way 90% of the time, in which the threads that play searched 78%, waited for evaluations 17% and had nothing to do 6%; "learn" (trainer) waited for its input 88% of the time.',
    );
  });

  it("names the evaluation of a net, with its batches", () => {
    const waiting = {
      stages: [selfPlay(95, 4), stage("learn", 4, 95)],
      threads: [threads("players", 2, 38, 142), threads("learn", 1, 4)],
    };
    expect(sentence(flows(2, 2, { ...waiting, evaluators: [evaluator(150, 1000, 15_500)] }), uses)).toBe(
      'The evaluation of the net "zero" holds the run up: games of "games" (self-play) were under way 95% of the time, in which the threads that play searched 20%, waited for evaluations 75% and had nothing to do 5%; the net was computed 79% of that, in batches of 15.5 rows; "learn" (trainer) waited for its input 95% of the time.',
    );
    // Threads and evaluator wait for each other.
    expect(sentence(flows(0.9, 2, { ...waiting, evaluators: [evaluator(57, 1000, 1500)] }), uses)).toMatch(
      /the net was computed 30% of that, in batches of 1\.5 rows; more games under way \(inFlight\) would fill it; .*; 1\.1 of 2 cores had nothing to do\.$/,
    );
    // No advice if other programs keep threads from their cores.
    const crowded = flows(0.9, 2, { ...waiting, evaluators: [evaluator(57, 1000, 1500)] }, 0.9);
    expect(sentence(crowded, uses)).toMatch(/rows; "learn" .*; other programs used 0\.9 of 2 cores\.$/);
  });

  it("says that too few games are under way: the last games of a generation keep one thread of eight busy", () => {
    expect(
      sentence(
        flows(2.5, 8, {
          stages: [selfPlay(80, 15, 9.6), stage("learn", 15, 80)],
          threads: [threads("players", 8, 160, 40), threads("learn", 1, 14)],
          evaluators: [evaluator(30, 1000, 16_000)],
        }),
        uses,
      ),
    ).toBe(
      'Too few games under way hold the run up: games of "games" (self-play) were under way 80% of the time, in which the threads that play searched 25%, waited for evaluations 6% and had nothing to do 69%; there were 12.0 games at a time of at most 64; "learn" (trainer) waited for its input 80% of the time; 5.5 of 8 cores had nothing to do.',
    );
  });

  it("advises more workers if one too few leaves cores idle, and not if all cores are busy", () => {
    const parts = {
      stages: [selfPlay(97, 2), stage("learn", 2, 97)],
      threads: [threads("players", 1, 94, 2), threads("learn", 1, 2)],
    };
    expect(sentence(flows(1.1, 2, parts), uses)).toMatch(
      /^The games hold the run up: .*; more worker threads than 1 \(workers\) would use all 2 cores; .*; 0\.9 of 2 cores had nothing to do\.$/,
    );
    expect(sentence(flows(1.1, 2, parts, 0.7), uses)).toMatch(/; other programs used 0\.7 of 2 cores\.$/);
    expect(sentence(flows(1.1, 2, parts, 0.7), uses)).not.toMatch(/workers|nothing to do\./);
    expect(sentence(flows(0.5, 2, parts, 1.4), uses)).toMatch(
      /^Other programs hold the run up: they used 1\.4 of 2 cores; apart from them, the games hold the run up: .* waited for its input 97% of the time\.$/,
    );
    // The other core computes the net.
    expect(sentence(flows(1.9, 2, parts), uses)).not.toMatch(/workers|cores/);
  });

  it("names the matches of an arena, which hold the learner up", () => {
    expect(
      sentence(
        flows(1.9, 2, {
          stages: [
            selfPlay(30, 20),
            stage("learn", 20, 25),
            stage("curve", 60, 40, { readers: 0, holds: 30, bound: 64 }),
          ],
          threads: [threads("players", 2, 150, 20), threads("learn", 1, 20)],
        }),
        uses,
      ),
    ).toMatch(
      /^The games hold the run up: games of "curve" \(arena\) were under way 60% of the time, .*; "learn" \(trainer\) was held up by its readers 55% of the time\.$/,
    );
  });

  it("of a match alone, says how busy its threads were, without a word of waiting", () => {
    const text = sentence(
      flows(2, 2, {
        stages: [stage("duel", 99, 0, { itemsIn: 0, readers: 0, holds: 50, bound: 64 })],
        threads: [threads("players", 2, 190)],
      }),
    );
    expect(text).toBe(
      'The games hold the run up: games of "duel" were under way 99% of the time, in which the threads that play searched 96%.',
    );
  });

  it("of learners that play in one place, names them and their threads", () => {
    expect(
      sentence(
        flows(1.2, 2, {
          stages: [
            stage("learn", 98, 0, { itemsIn: 0 }),
            stage("curve", 1, 98, { readers: 0, itemsIn: 0, holds: 1, bound: 64 }),
          ],
          threads: [threads("players", 2, 2), threads("learn", 2, 112)],
        }),
      ),
    ).toBe(
      '"learn" holds the run up: it worked 98% of the time; its 2 threads computed only 57% of that; 0.8 of 2 cores had nothing to do.',
    );
  });

  it("says nothing if nothing was done", () => {
    expect(sentence(flows(0, 2, {}))).toBeUndefined();
    expect(sentence(flows(0, 2, { stages: [stage("games", 0, 100)] }))).toBeUndefined();
  });
});
