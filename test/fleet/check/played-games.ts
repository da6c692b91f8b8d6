import { join } from "node:path";
import { expect } from "vitest";
import { checkReport } from "../../../src/fleet/check/report-check.ts";
import { examplesIn, exampleReader, layoutOf } from "../../../src/operators/play/examples/examples.ts";
import { Random } from "../../../src/random.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import {
  crossedExperiment,
  linearExperiment,
  paperExperiment,
  poolExperiment,
  startRun,
  valuesExperiment,
  writeExperiment,
  zeroExperiment,
} from "../../graph/tiny-run.ts";
import { checkedHost, type PlayedTask } from "./checked-host.ts";

/** Positions from inside a search of a game with chance, and a match that is analysed and measured. */
const sampledExperiment = `
name: tiny-sampled
seed: 19
workers: 1
compute: { threads: 1 }
game: { rules: 2048, rows: 2, columns: 2 }
nets:
  value: { use: mlp, hidden: [8], valueActivation: linear, valueScale: 100 }
agents:
  learner: { use: mc-softmax, net: value, simulations: 4, samples: 3 }
  other: { use: greedy, net: value }
graph:
  games: { use: self-play, agent: learner, games: 6, generation: 3, examples: { use: search-samples } }
  replay: { use: replay-buffer, from: games, capacity: 60 }
  weights: { use: trainer, from: replay, net: value, batch: 8, steps: 2, rate: 0.01 }
  saved: { use: checkpoint, from: weights, keep: 0 }
  curve: { use: arena, after: weights, every: 0, agents: [learner, other], games: 4, analyse: 2 }
`;

/** A game of cards, whose deals are draws of chance, shared by the games of a round. */
const cardsExperiment = `
name: tiny-cards
seed: 20
workers: 1
game: { rules: daihinmin }
agents:
  one: { use: flat-monte-carlo, simulations: 2 }
  other: { use: random }
graph:
  match: { use: arena, agents: [one, other], games: 4 }
`;

/** Experiments whose games differ in what a report of them holds. */
export const experiments = {
  "AlphaZero with a warm start and quick searches": zeroExperiment,
  "matches, openings, statistics": paperExperiment,
  "earlier selves": poolExperiment,
  "openings, weights and exact values": valuesExperiment,
  "lambda-returns, also by a net": crossedExperiment,
  "samples of searches": sampledExperiment,
  "openings by UCT": linearExperiment,
  cards: cardsExperiment,
};

const played = new Map<string, PlayedTask[]>();

/** Games of an experiment whose honest reports are taken. */
export async function gamesOf(name: keyof typeof experiments): Promise<PlayedTask[]> {
  const known = played.get(name);
  if (known !== undefined) return known;
  const games: PlayedTask[] = [];
  const folder = scratchFolder();
  const outcome = await startRun(writeExperiment(folder, experiments[name]), join(folder, "run"), [], {
    hostOf: checkedHost((game) => games.push(game)),
  });
  expect(outcome).toEqual({ outcome: "finished" });
  played.set(name, games);
  return games;
}

/** What is said of a report with other contents. */
export const refused = ({ opened, report, task }: PlayedTask, changed: Partial<PlayedTask["report"]>) =>
  expect(() => checkReport(opened, task, { ...report, ...changed }));

/** Every honest report of an experiment's games is taken, and no report of another of its games. */
export async function expectOwnReports(name: keyof typeof experiments): Promise<void> {
  const games = await gamesOf(name);
  expect(games.length).toBeGreaterThan(3);
  const texts = games.map(({ report }) => Buffer.from(report.record).toString("hex"));
  for (const [index, game] of games.entries()) {
    const other = games[(index + 1) % games.length]!;
    // Where the number and the moves of two games are equal, their records may be.
    if (texts[index] !== texts[games.indexOf(other)])
      refused(game, { record: other.report.record }).toThrow();
  }
}

/** Turns bits of examples of a game of each experiment, one at a time: what is taken can be learned from. */
export async function expectReadableExamples(names: readonly (keyof typeof experiments)[]): Promise<void> {
  let [taken, refusals] = [0, 0];
  for (const name of names) {
    const game = (await gamesOf(name)).findLast(({ task }) => task.examples !== undefined);
    if (game === undefined) continue;
    const { opened, report, task } = game;
    const layout = layoutOf(task.examples!);
    const reader = exampleReader(opened.game, layout, { reply: true, end: true });
    const random = Random.named(name);
    for (let round = 0; round < 400; round++) {
      const samples = report.samples.slice();
      samples[random.below(samples.length)]! ^= 1 << random.below(8);
      try {
        checkReport(opened, task, { ...report, samples });
      } catch {
        refusals++;
        continue;
      }
      taken++;
      const legal = new Int32Array(opened.game.maxLegal);
      for (let number = 0; number < examplesIn(samples, layout); number++) {
        reader.read(samples, number);
        const { actions, count, weights } = reader.policy;
        expect([...reader.values].every((value) => Number.isFinite(value))).toBe(true);
        if (reader.policyWeight === 0) continue;
        const legalHere = [...legal.subarray(0, opened.game.legal(reader.state, legal))];
        expect(legalHere).toEqual(expect.arrayContaining([...actions.subarray(0, count)]));
        expect(weights.subarray(0, count).reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 2);
      }
    }
  }
  // What a search alone knows can be another one: the shares of visits, and values of a net.
  expect(refusals).toBeGreaterThan(2 * taken);
}
