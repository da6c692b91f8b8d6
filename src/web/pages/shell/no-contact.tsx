import { ago } from "../../../figures/number-text.ts";
import { now } from "../parts/now.tsx";
import { clock } from "../parts/texts.ts";
import { lostSince, tryNow, unknownHere } from "./contact.ts";

/** Says that the server does not answer, and since when the page has not changed. */
export function NoContact() {
  const since = lostSince.value;
  if (since === undefined) return null;
  if (unknownHere.value)
    return (
      <div class="notice warn" role="status">
        <p>
          <b>ludoflow was started anew and does not know this page.</b> Open the link that it has printed now.
          What you see is from {clock(since)}.
        </p>
        <button type="button" onClick={tryNow}>
          Try now
        </button>
      </div>
    );
  return (
    <div class="notice warn" role="status">
      <p>
        <b>No contact with ludoflow for {ago((now.value - since) / 1000)}.</b> What you see is from{" "}
        {clock(since)}. The page tries again by itself; nothing of a run is lost.
      </p>
      <button type="button" onClick={tryNow}>
        Try now
      </button>
    </div>
  );
}
