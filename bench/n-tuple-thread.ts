/** A thread of the bench n-tuple: learns on shared tables for a given time, and reports the number of moves. */
import { parentPort, workerData } from "node:worker_threads";
import { Game2048 } from "../src/games/2048/2048.ts";
import { AfterstateLearner } from "../src/models/n-tuple/afterstate-learner.ts";
import { NTupleNetwork } from "../src/models/n-tuple/network.ts";
import type { NTupleOptions } from "../src/models/n-tuple/options.ts";
import type { LearnerOptions, SharedTables } from "../src/models/tables.ts";
import { Random } from "../src/random.ts";
import { serve } from "../src/workers/serve.ts";

/** What the thread is started with. */
export interface BenchThreadData {
  readonly net: NTupleOptions;
  readonly options: LearnerOptions;
  readonly tables: SharedTables;
  readonly thread: number;
}

const { net, options, tables, thread } = workerData as BenchThreadData;
const game = new Game2048({ rows: 4, columns: 4 });
const learner = new AfterstateLearner(new NTupleNetwork(game, net, tables), game, options);
const random = Random.named("bench", "n-tuple", "thread", thread);

serve<number, number>(parentPort!, (milliseconds) => {
  const start = performance.now();
  let moves = 0;
  while (performance.now() - start < milliseconds) {
    learner.playGame(random);
    moves += learner.values.length;
  }
  return (1000 * moves) / (performance.now() - start);
});
