import { moduleBeside } from "../../../../../src/module-beside.ts";
import { expect, it } from "vitest";
import { checkGraph } from "../../../../../src/graph/check-graph.ts";
import { readExperiment } from "../../../../../src/graph/experiment-file.ts";
import type { OpenTables } from "../../../../../src/models/tables.ts";
import {
  learnerOptions,
  MOST_REPORTS,
  type TdLearnerSettings,
} from "../../../../../src/operators/learning/tables/td-learner-settings.ts";
import type { TdLearnerData } from "../../../../../src/operators/learning/tables/td-learner-worker.ts";
import { startWorker } from "../../../../../src/workers/worker-thread.ts";
import { scratchFolder } from "../../../../formats/scratch-folder.ts";
import { writeExperiment } from "../../../../graph/tiny-run.ts";

const text = `
name: waits
seed: 1
game: { rules: tic-tac-toe }
nets: { value: { use: linear } }
graph:
  learn: { use: td-learner, net: value, games: 100000000, every: 100000000, step: td, rate: 0.01 }
`;

it("waits where its reports of games are not taken, and goes on when they are", async () => {
  const { opened, stages } = checkGraph(readExperiment(writeExperiment(scratchFolder(), text)));
  const open = opened.nets.get("value") as OpenTables;
  const settings = stages[0]!.config as unknown as TdLearnerSettings;
  const shared = (length: number) => new Int32Array(new SharedArrayBuffer(4 * length));
  const [next, stop, untaken] = [shared(1), shared(1), shared(1)];
  const data: TdLearnerData = {
    experiment: opened.experiment,
    stage: "learn",
    net: "value",
    ...learnerOptions(settings),
    exploration: undefined,
    search: undefined,
    record: 0,
    tables: open.load(new Map()),
    state: new Map(),
    stop,
    counts: shared(2),
    next,
    untaken,
  };
  const thread = startWorker<unknown, { readonly note?: { readonly games: readonly unknown[] } }>({
    name: "learner",
    module: moduleBeside("../../../../../src/operators/learning/tables/td-learner-worker", import.meta.url),
    data,
  });
  let [reports, told, ended] = [0, 0, false];
  thread.onMessage(({ note }) => {
    if (note === undefined) ended = true;
    else {
      reports++;
      told += note.games.length;
    }
  });
  thread.post({ ticket: 1, body: { type: "learn", until: 100_000_000 } });
  const patience = { timeout: 60_000 };
  await expect.poll(() => reports, patience).toBe(MOST_REPORTS);
  // The games whose report waits are played; then the thread stands.
  await expect
    .poll(async () => {
      const before = next[0];
      await new Promise((resolve) => setTimeout(resolve, 300));
      return next[0] === before;
    }, patience)
    .toBe(true);
  expect(reports).toBe(MOST_REPORTS);
  Atomics.store(untaken, 0, 0);
  Atomics.notify(untaken, 0);
  await expect.poll(() => reports, patience).toBeGreaterThan(MOST_REPORTS);
  Atomics.store(stop, 0, 1);
  Atomics.store(untaken, 0, 0);
  Atomics.notify(untaken, 0);
  await expect.poll(() => ended, patience).toBe(true);
  // No game is lost on the way.
  expect(told).toBe(next[0]);
  await thread.stop();
});
