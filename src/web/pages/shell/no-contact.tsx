import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ago, clock } from "../parts/texts.ts";
import { lostSince, tryNow } from "./contact.ts";

/** Says that the server does not answer, and since when the page stands still. */
export function NoContact() {
  const now = useSignal(Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => (now.value = Date.now()), 1000);
    return () => window.clearInterval(timer);
  }, []);
  const since = lostSince.value;
  if (since === undefined) return null;
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
