import type { Game } from "../src/games/game.ts";
import { playedFor } from "../src/games/outcome.ts";
import { openGame } from "../src/games/registry.ts";
import { BatchSampler } from "../src/operators/learning/replay/batch-sampler.ts";
import { encodeGameExamples } from "../src/operators/play/examples/game-examples.ts";
import { HeldGames } from "../src/operators/learning/replay/held-games.ts";
import type { ReplayReady } from "../src/operators/run/items.ts";
import { lambdaExamples } from "../src/operators/play/examples/lambda-examples.ts";
import { ExampleCodec } from "../src/operators/play/examples/position-examples.ts";
import { Random } from "../src/random.ts";
import { processorMs } from "./in-turn.ts";
import { inventedGame } from "./invented-game.ts";
import { type BenchReport, type BenchRow, compared, median } from "./report.ts";

/** Simulations of a decision: the source's number. */
const SIMULATIONS = 800;

/** Rows of the source's minibatches. */
const ROWS = 64;

/** Number of minibatches of each kind; the result is the median of their times. */
const DRAWS = 9;

/**
 * `bench examples`: the memory of a game of four-player Blokus in a replay buffer, after 800 simulations per decision,
 * beside the memory of its positions one by one; and the processor time of drawing 64 rows.
 *
 * No net takes part. Priors are softmaxes of normal logits: the larger their deviation, the sharper the policy. So the
 * stored policies range from the flattest ones to those of a trained net.
 */
export async function benchExamples(): Promise<BenchReport> {
  const game: Game<unknown> = playedFor(openGame("blokus"), "win-loss");
  const rows: BenchRow[] = [];
  const held = new HeldGames({ capacity: Infinity, games: () => Infinity, memory: Infinity });
  for (const search of ["puct-max-n", "gumbel"])
    for (const deviation of [0, 1, 3]) {
      const played = inventedGame(game, { search, simulations: SIMULATIONS, deviation, index: 0 });
      const samples = encodeGameExamples(game, played, { resultWeight: 1, quick: "values" });
      const positions = lambdaExamples(game, played.actions, played.decisions, 1);
      rows.push(
        compared(
          {
            case: `blokus, ${search}, logits of deviation ${deviation}`,
            metric: `game of ${played.decisions.length} decisions`,
            value: samples.length,
            unit: "bytes",
          },
          { name: "its positions one by one", value: new ExampleCodec(game).encodeAll(positions).length },
        ),
      );
      const item = {
        source: "",
        index: 0,
        generation: 0,
        closes: true,
        last: true,
        layout: "games",
      } as const;
      held.add({ ...item, samples, reread: () => samples });
    }
  const replay = { layout: "games", size: held.size, at: (position: number) => held.at(position) };
  for (const symmetries of [false, true])
    for (const all of [false, true])
      rows.push({
        case: `blokus, ${all ? "all targets" : "value and policy"}${symmetries ? ", symmetries" : ""}`,
        metric: `drawing ${ROWS} rows`,
        value: drawing(game, replay as ReplayReady, symmetries, all),
        unit: "ms",
      });
  return { bench: "examples", rows };
}

function drawing(game: Game<unknown>, replay: ReplayReady, symmetries: boolean, all: boolean): number {
  const planes = game.nets!.planes["compact"]!;
  const [height, width] = planes.shape;
  const sampler = new BatchSampler(game, {
    planes,
    batch: ROWS,
    policy: { legalOnly: all },
    auxiliary: all
      ? [
          { name: "policyWeight", width: 1 },
          { name: "score", width: game.players },
          { name: "ownership", width: height * width },
          { name: "reply", width: game.maxLegal },
          { name: "replyIndices", width: game.maxLegal },
        ]
      : [{ name: "policyWeight", width: 1 }],
    symmetries,
  });
  const random = Random.named("bench", "drawing");
  sampler.draw(replay, random, 0);
  return median(
    Array.from({ length: DRAWS }, () => {
      const before = processorMs();
      sampler.draw(replay, random, 0);
      return processorMs() - before;
    }),
  );
}
