/**
 * Measures what the figures and the diagnoses of self-play cost, as shares of the processor time of the nets alone: sums over the
 * decisions of each game, different games, detectors after each generation of 100 games; and evaluations for closer looks as
 * a share of those for searches. Searching, examples and training make the shares of a whole run smaller: divide the microseconds a
 * game by the run's processor time a game.
 *
 *     node bin/node.js bench/diagnosis.ts [--games 200]
 */
import { parseArgs } from "node:util";
import type { WatchedStage } from "../src/diagnosis/detector.ts";
import { diagnosesAfter } from "../src/diagnosis/run-diagnoses.ts";
import { initialState, reduce } from "../src/events/run-state.ts";
import type { Evaluator } from "../src/games/evaluation.ts";
import { decisionSums } from "../src/operators/play/decision-sums.ts";
import { GenerationTally } from "../src/operators/play/generation-tally.ts";
import { valueProbe } from "../src/operators/play/value-probe.ts";
import { Random } from "../src/random.ts";
import { driveEpisode } from "../src/search/drive.ts";
import { episode } from "../src/search/episode.ts";
import { openSearch } from "../src/search/registry.ts";
import { processorMs } from "./in-turn.ts";
import { randomStates } from "./random-states.ts";
import { BATCH, openSmallNet, requestOf } from "./small-net.ts";

const { values: flags } = parseArgs({ options: { games: { type: "string", default: "200" } } });
const games = Number(flags.games);

const GENERATION = 100;

/** A stage in the second half of its games, where all detectors look. */
const watched: WatchedStage = {
  planned: GENERATION,
  generation: GENERATION,
  players: 2,
  returnBounds: [0, 1],
  fresh: true,
  random: new Set(),
  learners: new Set(),
  expected: undefined,
};

const cases: readonly (readonly [string, string, number, Readonly<Record<string, unknown>>])[] = [
  ["tic-tac-toe", "puct-max-n", 25, { policyHead: "dense" }],
  ["connect-four", "gumbel", 32, { policyHead: "dense", planes: "compact" }],
  ["blokus-duo", "gumbel", 64, { policyHead: "convolutional", planes: "compact" }],
];

for (const [rules, use, simulations, net] of cases) {
  const { evaluator, game } = openSmallNet(rules, net);
  const states = [0, 2, 4].flatMap((count) => randomStates(game, count, 4));
  const request = requestOf(game, states);
  for (let i = 0; i < 50; i++) evaluator.evaluate(request);
  const begun = processorMs();
  for (let i = 0; i < 200; i++) evaluator.evaluate(request);
  const evaluation = (processorMs() - begun) / (200 * BATCH);

  let [evaluations, looks, spent, generations] = [0, 0, 0, 0];
  let into: "searches" | "looks" = "searches";
  const counting: Evaluator<unknown> = {
    evaluate: (given) => {
      if (into === "searches") evaluations += given.count;
      else looks += given.count;
      evaluator.evaluate(given);
    },
  };
  const tally = new GenerationTally("games", GENERATION);
  let state = initialState;
  for (let number = 0; number < games; number++) {
    const seat = {
      search: openSearch(use, game, { simulations }),
      random: Random.named("games", number),
      evaluator: 0,
    };
    const before = evaluations;
    into = "searches";
    const played = driveEpisode(
      episode(
        game,
        Array.from({ length: game.players }, () => seat),
        Random.named("chance"),
        {
          keep: { visits: true },
        },
      ),
      [counting],
    );
    into = "looks";
    const of = {
      game,
      ...played,
      start: undefined,
      evaluations: evaluations - before,
      policy: 0,
      value: 0,
    };
    const probe = driveEpisode(valueProbe(of, Random.named("probe", number)), [counting]);
    // Each game is counted several times, so that its time can be measured.
    const times = 20;
    const start = processorMs();
    for (let i = 0; i < times; i++) {
      tally.count(played, { decisionSums: decisionSums(played, game, { teacher: false, probe }) });
      const event = tally.figures(++generations * GENERATION);
      if (event === undefined) continue;
      state = reduce(state, { time: "2026-01-01T00:00:00Z", elapsed: 1, ...event });
      diagnosesAfter(event, state, watched);
    }
    spent += (processorMs() - start) / times;
  }
  const share = (part: number, whole: number) => `${((100 * part) / whole).toFixed(2)}%`;
  process.stdout.write(
    `${rules} ${use} ${simulations}: sums and diagnoses ${((1000 * spent) / games).toFixed(0)} us a game, ${share(spent, evaluations * evaluation)} of the evaluations' processor time (${(evaluations / games).toFixed(0)} a game, ${(1000 * evaluation).toFixed(1)} us each); closer looks ${share(looks, evaluations)} of the evaluations\n`,
  );
  await evaluator.close();
}
