import { basename, dirname, join } from "node:path";
import type { RecordedEvent } from "../../events/event.ts";
import { listCheckpoints } from "../../operators/run/weights/checkpoint-files.ts";
import { RunFolderInvalid } from "./run-folder-invalid.ts";
import { metricsPath } from "./run-folder.ts";

/**
 * Checks that each net of a stopped run still has the checkpoint that it continues from: the last one in `events`, which are
 * all events of the run, or a later one. From an earlier one it would continue otherwise than it has begun. Throws
 * RunFolderInvalid.
 */
export function checkRecordedCheckpoints(folder: string, events: readonly RecordedEvent[]): void {
  const recorded = new Map(
    events.flatMap((event) => (event.type === "checkpoint" ? [[dirname(event.path), event] as const] : [])),
  );
  for (const [net, event] of recorded) {
    const kept = listCheckpoints(join(folder, net));
    if (kept.some(({ learned }) => learned >= event.learned)) continue;
    const earlier = kept.findLast(({ partial }) => !partial);
    const remedy =
      earlier === undefined
        ? "or begin a new run"
        : `or continue from the one before in a new run: ludoflow fork ${folder} --at ${join(net, basename(earlier.path))}`;
    throw new RunFolderInvalid(
      `the checkpoint ${join(folder, event.path)}, which ${basename(metricsPath(folder))} names, is gone: put it back, ${remedy}`,
    );
  }
}
