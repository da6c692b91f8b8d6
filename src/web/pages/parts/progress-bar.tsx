import type { ShownProgress } from "../../views/run-views.ts";
import { percentDone } from "./texts.ts";

/** How far a run is, as a bar. */
export function ProgressBar({ progress }: { readonly progress: ShownProgress }) {
  return (
    <progress value={progress.share} max={1} aria-label={`${percentDone(progress)}% of the whole run`} />
  );
}
