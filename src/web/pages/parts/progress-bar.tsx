import type { ShownProgress } from "../../views/run-views.ts";
import { progressText } from "./texts.ts";

/** How far a run is, as a bar. */
export function ProgressBar({
  progress,
  quiet = false,
}: {
  readonly progress: ShownProgress;
  readonly quiet?: boolean;
}) {
  return (
    <progress
      class={quiet ? "quiet" : ""}
      value={Math.min(progress.done, progress.total)}
      max={progress.total}
      aria-label={progressText(progress)}
    />
  );
}
