import type { Game } from "../src/games/game.ts";
import { openGame } from "../src/games/registry.ts";
import { LinearValue } from "../src/models/linear/linear-value.ts";
import { TdLambdaLearner } from "../src/models/linear/td-lambda.ts";
import { Random } from "../src/random.ts";
import { processorMs, ratesInTurn, type Turns } from "./in-turn.ts";
import { type BenchReport, compared } from "./report.ts";

/** Number of rounds; each times both learners in turn. The result is the median of the rates. */
const TURNS: Turns = { rounds: 11, warmUps: 2, sliceMs: 1000 };

/**
 * `bench td-lambda`: games of Blokus Duo a second of processor time from which TD(lambda) learns, epsilon-greedy, on one
 * thread. The peer computes the features of every position by itself.
 */
export async function benchTdLambda(): Promise<BenchReport> {
  const alone: Game<unknown> = openGame("blokus-duo");
  Object.assign(alone, { linear: { features: { ...alone.linear!.features!, ahead: undefined } } });
  const [together, single] = ratesInTurn(
    [learning(openGame("blokus-duo")), learning(alone)],
    TURNS,
    processorMs,
  );
  return {
    bench: "td-lambda",
    rows: [
      compared(
        { case: "blokus-duo, epsilon .1", metric: "learning", value: together!, unit: "games/s" },
        { name: "position by position", value: single! },
      ),
    ],
  };
}

/** Learns from one game a call. */
function learning(game: Game<unknown>): () => number {
  const value = new LinearValue(
    game,
    new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT * game.linear!.features!.names.length),
  );
  const learner = new TdLambdaLearner(value, game, {
    lambda: 0.8,
    step: { use: "td", rate: 0.01 },
    decay: 100,
  });
  let games = 0;
  return () => {
    learner.playGame(Random.named("bench", "td-lambda", games++), { opening: [], epsilon: 0.1 });
    return 1;
  };
}
