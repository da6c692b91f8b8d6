import { RunFailed } from "../../../../src/operators/run/run-error.ts";
import { RoundsUnderWay } from "../../../../src/operators/run/weights/rounds-under-way.ts";
import type { EarlierVersions } from "../../../../src/operators/run/weights/weights-board.ts";
import { scratchFolder } from "../../../formats/scratch-folder.ts";

/** A store of versions that keeps nothing, except what is given. */
export function keepsNothing(parts: Partial<EarlierVersions> = {}): EarlierVersions {
  return {
    keep: () => undefined,
    put: () => undefined,
    write: () => undefined,
    copy: (_net, tables) => tables,
    has: () => false,
    read: (stage) => {
      throw new RunFailed({ stage, reason: "nothing is kept" });
    },
    saved: () => [],
    rounds: new RoundsUnderWay(scratchFolder()),
    ...parts,
  };
}
