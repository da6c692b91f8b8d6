import { describe, expect, it } from "vitest";
import { checkGraph } from "../../../../src/graph/check-graph.ts";
import { readExperiment } from "../../../../src/graph/experiment-file.ts";
import { stageView } from "../../../../src/graph/stage-view.ts";
import { ArenaSchedule } from "../../../../src/operators/measuring/match/arena-schedule.ts";
import { GainTest } from "../../../../src/operators/measuring/match/gain-test.ts";
import { scratchFolder } from "../../../formats/scratch-folder.ts";
import { writeExperiment } from "../../../graph/tiny-run.ts";
import { casesOf } from "../../../number-of-cases.ts";

const experiment = (arena: string) => `
name: gains
seed: 5
schedule: synchronous
game: { rules: tic-tac-toe }
nets:
  zero: { use: mlp, hidden: [4], valueActivation: linear }
agents:
  learner: { use: greedy, net: zero }
  random: { use: random }
graph:
  games: { use: self-play, agent: learner, games: 60, generation: 10, examples: { use: td } }
  replay: { use: replay-buffer, from: games, capacity: 500 }
  weights: { use: trainer, from: replay, net: zero, batch: 8, steps: 4, rate: 0.01 }
  match: { use: arena, ${arena} }
`;

const checked = (text: string) => checkGraph(readExperiment(writeExperiment(scratchFolder(), text)));

const until = { gain: 200, versions: 2, alpha: 0.1, beta: 0.1 };
/** ln((1 - beta) / alpha). */
const bound = Math.log(9);
/** The score of 200 Elo. */
const score1 = 1 / (1 + 10 ** (-200 / 400));

describe("GainTest", () => {
  const arena =
    "after: weights, agents: [learner, random], earlier: { agent: learner, most: 2 }, until: { gain: 200, versions: 2 }, games: 27";
  const openSchedule = () => {
    const { opened } = checked(experiment(arena));
    return new ArenaSchedule(opened, "match", stageView(opened, "match").offered);
  };

  /** A test after so many rounds; `score` is that of the newest version against the one two rounds before, by round and block. */
  function played(
    schedule: ArenaSchedule,
    rounds: number,
    score: (round: number, block: number) => number,
  ): GainTest {
    const test = new GainTest(until, schedule);
    for (let round = 0; round < rounds; round++)
      for (let number = 0; number < schedule.perRound; number++) {
        const game = schedule.perRound * round + number;
        const { seats } = schedule.task(game, 0);
        const own = seats.indexOf("learner");
        const old = seats.indexOf(`learner@${round - 2}`);
        const block = Math.floor(number / schedule.blockLength(round));
        // All other games are lost by the first seat, which must not count.
        const returns = [-1, 1];
        if (own >= 0 && old >= 0) {
          const won = 2 * score(round, block) - 1;
          returns[own] = won;
          returns[old] = -won;
        }
        test.add({ game, seats, returns });
      }
    return test;
  }

  it("counts the two versions' games in whole blocks of all rounds, as Wald's test does", () => {
    // Four participants from the third round on: two whole blocks of 12 games, with two games of the two versions each.
    const test = played(openSchedule(), 4, (_round, block) => block);
    expect(test.after(1)).toMatchObject({ games: 0, ratio: 0, verdict: "undecided" });
    expect(test.after(2).games).toBe(4);
    const wald = (wins: number, losses: number) =>
      wins * Math.log(score1 / 0.5) + losses * Math.log((1 - score1) / 0.5);
    expect(test.after(2).ratio).toBeCloseTo(wald(1, 1), 1);
    expect(test.after(3).games).toBe(8);
    expect(test.after(3).ratio).toBeCloseTo(wald(2, 2), 1);
    expect(test.after(3).bounds[1]).toBeCloseTo(bound, 10);
  });

  it("decides that nothing is gained, and stays decided", () => {
    const test = played(openSchedule(), 8, (round, block) => (round < 3 ? block : 0));
    const verdicts = [2, 3, 4, 5, 6, 7].map((round) => test.after(round).verdict);
    const first = verdicts.indexOf("no gain");
    expect(first).toBeGreaterThan(-1);
    expect(verdicts.slice(first)).toEqual(verdicts.slice(first).map(() => "no gain"));
  });

  it("begins anew after a gain, so that what was gained does not hide that nothing more is", () => {
    const test = played(openSchedule(), 10, (round) => (round < 6 ? 1 : 0));
    const all = [2, 3, 4, 5, 6, 7, 8].map((round) => test.after(round));
    const gained = all.findIndex(({ verdict }) => verdict === "gain");
    expect(gained).toBeGreaterThan(-1);
    expect(all[gained]!.ratio).toBeGreaterThan(bound);
    expect(all[gained + 1]!.games).toBe(4);
    expect(all.at(-1)!.verdict).toBe("no gain");
  });

  it("leaves learning on with the gain, and ends it without, about as often as alpha and beta say", () => {
    // Tests by draws with a known mean: errors of Wald's bounds are below alpha and beta.
    const schedule = openSchedule();
    const tests = casesOf(60);
    let seed = 1;
    const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
    const errors = (mean: number, wrong: string) => {
      let count = 0;
      for (let i = 0; i < tests; i++) {
        const test = played(schedule, 20, () => (random() < mean ? 1 : 0));
        let round = 2;
        while (round < 19 && test.after(round).verdict === "undecided") round++;
        if (test.after(round).verdict === wrong) count++;
      }
      return count / tests;
    };
    // Three standard deviations above .1.
    const most = 0.1 + 3 * Math.sqrt((0.1 * 0.9) / tests);
    expect(errors(0.5, "gain")).toBeLessThan(most);
    expect(errors(score1, "no gain")).toBeLessThan(most);
  });
});

describe("mistakes in until", () => {
  const message = (text: string) => {
    try {
      checked(text);
      return "";
    } catch (error) {
      return (error as Error).message;
    }
  };
  const arena = (settings: string, after = "after: weights") =>
    experiment(`${after}, agents: [learner], ${settings}, games: 12`);
  const selves = "earlier: { agent: learner, every: 2, most: 2 }";

  it.each([
    ["until: { gain: 20, versions: 2 }", /add earlier: \{ agent: NAME \}/],
    [
      `${selves}, until: { gain: 20, versions: 3 }`,
      /no earlier self is 3 rounds old.*a multiple of 2 up to 4/,
    ],
    [`${selves}, until: { gain: 20, versions: 6 }`, /a multiple of 2 up to 4/],
    [`${selves}, until: { gain: 20, versions: 4 }`, /^$/],
    [
      `earlier: { agent: learner, most: 9 }, until: { gain: 20, versions: 4 }`,
      /a block of 10 participants has 90 games/,
    ],
  ])("are told: %s", (settings, expected) => {
    expect(message(arena(settings))).toMatch(expected);
  });

  it("are told where learning has no generation that could be the last", () => {
    const settings = `${selves}, until: { gain: 20, versions: 4 }`;
    const asynchronous = arena(settings).replace("synchronous", "asynchronous");
    expect(message(asynchronous)).toMatch(/write schedule: overlapped/);
    const tables = arena(settings, "after: ladder")
      .replace(/ {2}(games|replay|weights):.*\n/g, "")
      .replace("graph:\n", "graph:\n  ladder: { use: td-learner, net: zero, games: 10, every: 5 }\n")
      .replace("{ use: mlp, hidden: [4], valueActivation: linear }", "{ use: linear }");
    expect(message(tables)).toMatch(/only learning from the games of self-play/);
  });
});
