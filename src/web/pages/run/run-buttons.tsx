import { useSignal } from "@preact/signals";
import { isAtWork } from "../../../runs/run-condition.ts";
import type { RunHead } from "../../views/run-views.ts";
import { fixed } from "../../../figures/number-text.ts";
import { ask, lostSince } from "../shell/contact.ts";

/** Stops or resumes a run; errors are shown beside the buttons. */
function useControl(path: string) {
  const busy = useSignal(false);
  const error = useSignal<string | undefined>(undefined);
  return {
    busy: busy.value || lostSince.value !== undefined,
    error: error.value,
    control: async (what: "stop" | "resume") => {
      busy.value = true;
      error.value = undefined;
      try {
        await ask(`/api/${what}`, { run: path });
      } catch (failure) {
        error.value = (failure as Error).message;
      }
      busy.value = false;
    },
  };
}

/** What can be done with a run. */
export function RunButtons({ head: { condition, game, path, saved } }: { readonly head: RunHead }) {
  const { busy, control, error } = useControl(path);
  return (
    <div class="actions">
      {isAtWork(condition) && (
        <button type="button" disabled={busy} onClick={() => void control("stop")}>
          Stop
        </button>
      )}
      {["interrupted", "silent"].includes(condition) && (
        <button type="button" class="main" disabled={busy} onClick={() => void control("resume")}>
          Resume
        </button>
      )}
      {condition !== "damaged" && (
        <a
          class="button"
          href={`/report/${path.split("/").map(encodeURIComponent).join("/")}/report.html`}
          target="_blank"
          rel="noreferrer"
        >
          Report
        </a>
      )}
      {saved !== undefined && game !== "" && (
        <a
          class={condition === "finished" ? "button main" : "button"}
          href={`/play/${encodeURIComponent(game)}?player=${encodeURIComponent(`run:${path}`)}`}
        >
          Play it
        </a>
      )}
      {error !== undefined && (
        <pre class="bad" role="alert">
          {error}
        </pre>
      )}
    </div>
  );
}

/** The notice of a run that failed, was killed or cannot be read. */
export function FailureNotice({ head }: { readonly head: RunHead }) {
  const { condition, message, path, saved } = head;
  const { busy, control, error } = useControl(path);
  if (condition !== "failed" && condition !== "damaged" && condition !== "silent") return null;
  const kept =
    saved === undefined
      ? "Recorded games are kept."
      : `Everything up to the checkpoint after ${fixed(saved.learned, 0)} ${saved.unit} is kept.`;
  return (
    <div class={`notice ${condition === "silent" ? "warn" : "bad"}`} role="status">
      <p>
        <b>
          {condition === "silent"
            ? "This run gives no sign of life and has not recorded its end: its process was killed."
            : (message ?? "This run has failed.")}
        </b>{" "}
        {condition !== "damaged" && kept}
        {error !== undefined && <span class="bad"> {error}</span>}
      </p>
      {condition === "failed" && (
        <button type="button" class="main" disabled={busy} onClick={() => void control("resume")}>
          Resume
        </button>
      )}
    </div>
  );
}
