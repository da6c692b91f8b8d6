import { expect, it } from "vitest";
import { GameTable } from "../../../src/operators/play/game-table.ts";
import { networkOf, openExperiment } from "../../../src/operators/experiment/open-experiment.ts";
import { slotShape } from "../../../src/operators/play/evaluation/slot-shape.ts";
import { newNotifier } from "../../../src/workers/mailbox.ts";
import { newSlot } from "../../../src/workers/slots.ts";
import { bareExperiment } from "../bare-experiment.ts";

const experiment = bareExperiment({
  nets: { zero: { use: "mlp", hidden: [3], valueActivation: "linear", valueScale: 1, values: "returns" } },
  agents: { mover: { use: "random" } },
});

it("reports responses from caches since the report before, also in place of a thread that has crashed", () => {
  const opened = openExperiment(experiment);
  const slots = [newSlot(slotShape(opened.game, networkOf(opened, "zero"), 4))];
  const hits = BigInt64Array.of(5n);
  const evaluators = {
    zero: {
      endpoint: { slots, notifier: newNotifier(), hits },
      options: { cache: 4, symmetries: "none" as const },
    },
  };
  const table = new GameTable(experiment, evaluators);
  const report = (index: number) => {
    const task = { stage: "games", name: ["games", index], index, generation: 0 };
    const game = { ...task, seats: ["mover", "mover"], versions: [{}, {}] };
    const played = table.start({ task: game, tables: [] }, 0).next();
    if (played.done !== true) throw new Error("an agent without a net has made a request");
    return played.value.cacheHits;
  };
  expect(report(0)).toBe(0);
  hits[0]! += 3n;
  expect([report(1), report(2)]).toEqual([3, 0]);
});
