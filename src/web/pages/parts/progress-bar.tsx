import type { ShownProgress } from "../../views/run-views.ts";
import { progressText } from "./texts.ts";

/** How far a run is, as a bar. */
export function ProgressBar({ progress }: { readonly progress: ShownProgress }) {
  return (
    <progress
      value={Math.min(progress.done, progress.total)}
      max={progress.total}
      aria-label={progressText(progress)}
    />
  );
}
