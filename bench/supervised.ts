import { type Game, OVER } from "../src/games/game.ts";
import { openGame } from "../src/games/registry.ts";
import { LikelihoodLearner } from "../src/models/linear/likelihood.ts";
import { linearPolicy } from "../src/models/linear/linear-policy.ts";
import { LinearPolicy } from "../src/models/linear/softmax-policy.ts";
import { CollectedPositions } from "../src/operators/learning/collection/collected-positions.ts";
import { collectionOf } from "../src/operators/learning/collection/collection-of.ts";
import { CollectionBatches } from "../src/operators/learning/supervised/collection-batches.ts";
import { Random } from "../src/random.ts";
import { processorMs } from "./in-turn.ts";
import { type BenchReport, type BenchRow, median } from "./report.ts";

/** Games of a collection; they are drawn anew for each size of the board. */
const GAMES = 60;

/** Decisions in a minibatch. */
const BATCH = 64;

/** Milliseconds of a measurement, and their number; the result is the median of the rates. */
const MS = 200;
const ROUNDS = 5;

/**
 * `bench supervised`: decisions a second of one core, in processor time, that are drawn from recorded games of Go and laid
 * out for a net, or that a linear policy learns. The games are drawn at random, without moves into own eyes, with at most as
 * many moves as the board has points.
 */
export async function benchSupervised(): Promise<BenchReport> {
  const rows: BenchRow[] = [];
  for (const size of [9, 19]) {
    const game: Game<unknown> = openGame("go", { size });
    const tables = linearPolicy.open(game, {}).load(new Map());
    const policy = new LinearPolicy(game, tables);
    const collection = collectionOf(
      "bench",
      2,
      ["all"],
      Array.from({ length: GAMES }, (_, number) => randomGame(game, policy, size * size, number)),
    );
    const positions = new CollectedPositions(game, collection, "training");
    const random = Random.named("bench", "supervised", size);
    const row = (name: string, batch: () => void) => {
      rows.push({ case: `go ${size}x${size}`, metric: name, value: rate(batch), unit: "decisions/s" });
    };
    row("reached by playing", () => {
      for (let i = 0; i < BATCH; i++) positions.draw(random);
    });
    for (const planes of ["compact", "alphago"]) {
      const batches = new CollectionBatches(
        game,
        {
          planes: game.nets!.planes[planes]!,
          batch: BATCH,
          policy: { legalOnly: true },
          auxiliary: [{ name: "policyWeight", width: 1 }],
          symmetries: true,
        },
        positions,
      );
      row(`laid out, planes ${planes}`, () => void batches.draw(random, 0));
    }
    const learner = new LikelihoodLearner(policy);
    row("learned by a linear policy", () => {
      for (let i = 0; i < BATCH; i++) {
        positions.draw(random);
        learner.add(positions.state, positions.action);
      }
      learner.step(0.1);
    });
  }
  return { bench: "supervised", rows };
}

/** The median rate of decisions a second of processor time. */
function rate(batch: () => void): number {
  batch();
  return median(
    Array.from({ length: ROUNDS }, () => {
      const begun = processorMs();
      let decisions = 0;
      for (; processorMs() - begun < MS; decisions += BATCH) batch();
      return (1000 * decisions) / (processorMs() - begun);
    }),
  );
}

function randomGame(game: Game<unknown>, policy: LinearPolicy<unknown>, length: number, number: number) {
  const random = Random.named("bench", "supervised game", length, number);
  const state = game.initial();
  const moves: number[] = [];
  while (game.toMove(state) !== OVER && moves.length < length) {
    const move = policy.draw(state, random);
    game.play(state, move);
    moves.push(move);
  }
  return { moves, returns: [NaN, NaN], part: 0, group: 0 };
}
