import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** Whether there is contact with the server: since when there is none, in milliseconds of the clock; undefined while there is. */
export const lostSince = signal<number | undefined>(undefined);
/** Whether the server was started anew and does not know this page: its newest link must be opened. */
export const unknownHere = signal(false);
/** Reconnect count; pages refetch what failed while offline. */
export const reconnects = signal(0);
/** Whether something of the shown page is live. */
export const live = signal(false);

/** The server sends a sign of life every two seconds; without one for so long there is no contact. */
const SILENCE_MS = 4500;
/** The interval at which a page without a stream asks whether the server is there, and the time that it waits for the answer. */
const PULSE_MS = 1500;
const PULSE_WAIT_MS = 2000;

let reconnect = () => {};
let streams = 0;
let lastContact = Date.now();

/** Tries at once to get in contact. */
export function tryNow(): void {
  reconnect();
  void pulse();
}

function onContact(): void {
  lastContact = Date.now();
  if (lostSince.value === undefined) return;
  lostSince.value = undefined;
  reconnects.value++;
}

/** What this page shows to a server that was started anew. It is in the page's memory alone. */
let key: Promise<string | undefined> | undefined;

/** Asks for the key by which the page comes back. */
export function keepKey(): void {
  key = fetch("/api/return-key")
    .then((response) => response.json() as Promise<{ readonly key?: string | null }>)
    .then(
      (answer) => answer.key ?? undefined,
      () => undefined,
    );
}

/** Shows the server that it has let this page in before; returns whether it lets it in again. */
async function comeBack(): Promise<boolean> {
  const secret = await key;
  // Browsers have digests only if the page comes from this machine or by an encrypted connection.
  const { subtle } = window.crypto as { readonly subtle?: SubtleCrypto };
  if (secret === undefined || subtle === undefined) return false;
  const answered = await fetch("/api/return");
  const { challenge } = (await answered.json()) as { readonly challenge: string };
  const bytes = (text: string) => new TextEncoder().encode(text);
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const imported = await subtle.importKey("raw", bytes(secret), hmac, false, ["sign"]);
  const digest = await subtle.sign(hmac, imported, bytes(`${challenge} ${window.location.origin}`));
  const answer = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const { ok } = await fetch("/api/return", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ answer }),
  });
  return ok;
}

/** Asks whether the server is there and lets this page in. */
async function pulse(): Promise<boolean> {
  const asked = () => fetch("/api/pulse", { signal: AbortSignal.timeout(PULSE_WAIT_MS) });
  try {
    const { status } = await asked();
    const admitted = status !== 401 || (await comeBack());
    unknownHere.value = !admitted;
    // With a stream, only its events count as contact.
    if (admitted && streams === 0) onContact();
    return admitted;
  } catch {
    return false;
  }
}

/** Watches the contact, for pages with a stream and others. */
export function useContact(): void {
  useEffect(() => {
    let asked = 0;
    const timer = window.setInterval(() => {
      const now = Date.now();
      if (now - lastContact > SILENCE_MS) lostSince.value ??= lastContact;
      if (streams === 0 && now - asked > PULSE_MS) {
        asked = now;
        void pulse();
      }
    }, 250);
    return () => window.clearInterval(timer);
  }, []);
}

/**
 * Follows a stream of the server while a part of the page is shown. `listeners` are called by the name of the event, with its
 * value; `gone` if the server is there and has no such stream. A broken stream is opened again, and then sends the newest
 * state.
 */
export function useStream(
  url: string | undefined,
  listeners: Readonly<Record<string, (value: never) => void>>,
  gone?: () => void,
): void {
  useEffect(() => {
    if (url === undefined) return undefined;
    let source: EventSource;
    let tried = Date.now();
    let received = false;
    const open = () => {
      tried = Date.now();
      received = false;
      source = new EventSource(url);
      const listen = (name: string, act: (data: string) => void) =>
        source.addEventListener(name, (event: MessageEvent<string>) => {
          received = true;
          onContact();
          act(event.data);
        });
      for (const [name, listener] of Object.entries(listeners))
        listen(name, (data) => listener(JSON.parse(data) as never));
      listen("beat", () => {});
    };
    reconnect = () => {
      source.close();
      open();
    };
    streams++;
    lastContact = Date.now();
    open();
    // A browser gives up after some failures, and if the server refuses.
    const again = async () => {
      const refused = !received;
      if (!(await pulse())) return;
      if (refused && gone !== undefined) {
        onContact();
        gone();
      }
      if (source.readyState === EventSource.CLOSED) open();
    };
    const timer = window.setInterval(() => {
      if (source.readyState !== EventSource.CLOSED || Date.now() - tried < 1000) return;
      tried = Date.now();
      void again();
    }, 250);
    return () => {
      window.clearInterval(timer);
      source.close();
      streams--;
      reconnect = () => {};
    };
  }, [url]);
}

/** There was no answer. */
export class NoAnswer extends Error {
  constructor() {
    super("There is no contact with ludoflow.");
    this.name = "NoAnswer";
  }
}

/** Asks the server for JSON. Throws NoAnswer, and an error with the server's words. */
export async function ask<T>(url: string, body?: unknown): Promise<T> {
  const asked = () =>
    fetch(
      url,
      body === undefined
        ? {}
        : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) },
    ).catch(() => undefined);
  let response = await asked();
  if (response?.status === 401 && (await pulse())) response = await asked();
  if (response === undefined || response.status === 401) throw new NoAnswer();
  const value = (await response.json().catch(() => ({}))) as T & { readonly message?: string };
  if (!response.ok) throw new Error(value.message ?? `The server has answered ${response.status}.`);
  return value;
}
