import { basename, dirname, join } from "node:path";
import type { RecordedEvent } from "../../events/event.ts";
import { listCheckpoints } from "../../operators/training/checkpoint-files.ts";
import { RunFolderInvalid } from "./run-folder-invalid.ts";
import { metricsPath } from "./run-folder.ts";

/**
 * Looks whether each net of a stopped run still has the checkpoint that it goes on from: the last one that the run has told of, or
 * a later one. From an earlier one it would go on otherwise than it has begun. `events` are all that it has told. Throws
 * RunFolderInvalid.
 */
export function checkToldCheckpoints(folder: string, events: readonly RecordedEvent[]): void {
  const told = new Map(
    events.flatMap((event) => (event.type === "checkpoint" ? [[dirname(event.path), event] as const] : [])),
  );
  for (const [net, event] of told) {
    const kept = listCheckpoints(join(folder, net));
    if (kept.some(({ learned }) => learned >= event.learned)) continue;
    const earlier = kept.findLast(({ partial }) => !partial);
    const remedy =
      earlier === undefined
        ? "or begin a new run"
        : `or go on from the one before in a run of its own: ludoflow fork ${folder} --at ${join(net, basename(earlier.path))}`;
    throw new RunFolderInvalid(
      `the checkpoint ${join(folder, event.path)}, which ${basename(metricsPath(folder))} tells of, is gone: put it back, ${remedy}`,
    );
  }
}
