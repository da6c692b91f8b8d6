import { expect, it } from "vitest";
import type { FaultKind } from "../../fleet/faults/fault-plan.ts";
import { underFaults } from "../../fleet/faults/under-faults.ts";
import { noServer } from "../../fleet/nats-server.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";

/** The rest of the kinds is in `fleet.test.ts`, or comes with `npm run fleet-faults`. */
const kinds: readonly FaultKind[] = [
  "joiner killed",
  "joiner stopped for a while",
  "run killed",
  "run stopped for a while",
  "server killed",
  "joiner partitioned",
  "stream deleted",
  "bucket deleted",
  "joiner lies",
  "joiner acknowledges and sends nothing",
];

it("a run under ten faults of ten kinds has the bytes of one machine", async ({ skip }) => {
  skip(noServer !== undefined, noServer);
  const { different, faults, joinerGames, leftOut, runs } = await underFaults({
    seed: 1,
    faults: kinds.length,
    kinds,
    folder: scratchFolder(),
    limitMs: 600_000,
  });
  expect(different).toEqual([]);
  expect(joinerGames).toBeGreaterThan(0);
  // Where no network may be made, another kind is drawn in place of the partition.
  expect([Object.values(faults).reduce((sum, count) => sum + count, 0), runs >= 2]).toEqual([10, true]);
  expect(leftOut.filter((kind) => kind !== "joiner partitioned")).toEqual([]);
}, 900_000);

it("fails where no joiner has played", async ({ skip }) => {
  skip(noServer !== undefined, noServer);
  const run = { seed: 1, faults: 0, joiners: 0, folder: scratchFolder(), limitMs: 600_000 };
  await expect(underFaults(run)).rejects.toThrow(/no joiner has played a game/);
}, 900_000);
