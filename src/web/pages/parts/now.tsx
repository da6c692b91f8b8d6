import { signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { ago } from "../../../figures/number-text.ts";
import { lostSince } from "../shell/contact.ts";

/** The time of the clock in milliseconds, each second anew: what reads it is drawn anew, and nothing else. */
export const now = signal(Date.now());

window.setInterval(() => (now.value = Date.now()), 1000);

/**
 * A time at work that runs while a process is at work, counted here from the moment when `of` came from the server. It stops
 * without contact.
 */
export function TimeAtWork({
  elapsed,
  live,
  of,
}: {
  readonly elapsed: number;
  readonly live: boolean;
  /** What the time came with. */
  readonly of: unknown;
}) {
  const came = useMemo(() => Date.now(), [of]);
  const since = live ? Math.max(0, (lostSince.value ?? now.value) - came) / 1000 : 0;
  return <>{ago(elapsed + since)}</>;
}
