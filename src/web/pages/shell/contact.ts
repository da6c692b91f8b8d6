import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** Whether there is contact with the server: since when there is none, in milliseconds of the clock; undefined while there is. */
export const lostSince = signal<number | undefined>(undefined);
/** Whether something of the shown page is live. */
export const live = signal(false);

/** The server tells that it is there every two seconds; without a word for so long there is no contact. */
const SILENCE_MS = 4500;

let reconnect = () => {};

/** Tries at once to get in contact. */
export function tryNow(): void {
  reconnect();
}

/**
 * Follows a stream of the server while a part of the page is shown. `listeners` are called by the name of the event, with its
 * value. A stream that breaks is opened again, and tells all that is newest then.
 */
export function useStream(
  url: string | undefined,
  listeners: Readonly<Record<string, (value: never) => void>>,
): void {
  useEffect(() => {
    if (url === undefined) return undefined;
    let source: EventSource;
    let heard = Date.now();
    let tried = Date.now();
    const hear = () => {
      heard = Date.now();
      lostSince.value = undefined;
    };
    const open = () => {
      tried = Date.now();
      source = new EventSource(url);
      for (const [name, listener] of Object.entries(listeners))
        source.addEventListener(name, (event: MessageEvent<string>) => {
          hear();
          listener(JSON.parse(event.data) as never);
        });
      source.addEventListener("beat", hear);
    };
    reconnect = () => {
      source.close();
      open();
    };
    open();
    const timer = window.setInterval(() => {
      const now = Date.now();
      if (now - heard > SILENCE_MS) lostSince.value ??= heard;
      // A browser gives up after some failures.
      if (source.readyState === EventSource.CLOSED && now - tried > 2000) open();
    }, 500);
    return () => {
      window.clearInterval(timer);
      source.close();
      reconnect = () => {};
      lostSince.value = undefined;
    };
  }, [url]);
}

/** Asks the server for JSON. Throws an error with the server's words. */
export async function ask<T>(url: string, body?: unknown): Promise<T> {
  const response = await fetch(
    url,
    body === undefined
      ? {}
      : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) },
  ).catch(() => undefined);
  if (response === undefined) throw new Error("There is no contact with ludoflow.");
  const value = (await response.json().catch(() => ({}))) as T & { readonly message?: string };
  if (!response.ok) throw new Error(value.message ?? `The server has answered ${response.status}.`);
  return value;
}
