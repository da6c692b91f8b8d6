import type { EventLine } from "../../views/run-views.ts";
import { atWork } from "../parts/texts.ts";
import { choose, query } from "../shell/router.ts";
import type { RunShown } from "./run-state.ts";

/** The most lines that are drawn. */
const MOST = 500;

/** The events of the run, the newest first. */
export function EventsTab({ run: { lines } }: { readonly run: RunShown; readonly path: string }) {
  const words = (query.value.get("events") ?? "").toLowerCase();
  const shown = lines.filter(({ of, text }) => `${of} ${text}`.toLowerCase().includes(words)).slice(-MOST);
  return (
    <div class="panel">
      <div class="panel-head">
        <h2>Events</h2>
        <input
          type="search"
          placeholder="Filter…"
          aria-label="Filter the events"
          value={query.value.get("events") ?? ""}
          onInput={(event) => choose({ events: event.currentTarget.value || undefined })}
        />
      </div>
      <EventList lines={shown} />
    </div>
  );
}

/** Lines of events, the newest first. */
export function EventList({ lines }: { readonly lines: readonly EventLine[] }) {
  if (lines.length === 0) return <p class="muted">Nothing yet.</p>;
  return (
    <ol class="events">
      {lines.toReversed().map(({ elapsed, level, of, order, text, time }) => (
        <li key={order} class={level}>
          <time dateTime={time} title={new Date(time).toLocaleString("en-GB")}>
            {atWork(elapsed)}
          </time>
          <span class="muted" title={of}>
            {of}
          </span>
          <span>{text}</span>
        </li>
      ))}
    </ol>
  );
}
