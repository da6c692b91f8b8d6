import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type LiveChannel, openLive } from "../live/live-channel.ts";
import type { LiveEvent } from "../live/live-stream.ts";

/** Whether there is contact with the server: since when there is none, in milliseconds of the clock; undefined while there is. */
export const lostSince = signal<number | undefined>(undefined);
/** Whether the server was started anew and does not know this page: its newest link must be opened. */
export const unknownHere = signal(false);
/** Reconnect count; pages refetch what failed while offline. */
export const reconnects = signal(0);
/** Whether something of the shown page is live. */
export const live = signal(false);

/** Whether the page is in sight: a hidden page asks for nothing. */
export const inSight = signal(document.visibilityState !== "hidden");

/** The server sends a sign of life every two seconds; without one for so long there is no contact. */
const SILENCE_MS = 4500;
/** The interval at which a page without contact asks whether the server is there, and the time that it waits for the answer. */
const PULSE_MS = 1500;
const PULSE_WAIT_MS = 2000;
/** The interval at which a shown page says what it follows. */
const FOLLOW_MS = 2000;

let channel: LiveChannel | undefined;
/** What this page follows, and who listens to it. */
const listeners = new Map<string, Set<(event: LiveEvent) => void>>();
let lastContact = Date.now();
let lastPulse = 0;

/** Says what this page follows: nothing while it is hidden. */
function follow(): void {
  channel?.follow(inSight.value ? [...listeners.keys()].toSorted() : undefined);
}

/** Tries at once to get in contact. */
export function tryNow(): void {
  channel?.again();
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

/** Asks whether the server is there and lets this page in. Only what the page follows counts as contact. */
async function pulse(): Promise<boolean> {
  lastPulse = Date.now();
  const asked = () => fetch("/api/pulse", { signal: AbortSignal.timeout(PULSE_WAIT_MS) });
  try {
    const { status } = await asked();
    const admitted = status !== 401 || (await comeBack());
    unknownHere.value = !admitted;
    if (admitted && status === 401) channel?.again();
    return admitted;
  } catch {
    return false;
  }
}

/** Keeps the contact of a page while it is shown, and watches it. */
export function useContact(): void {
  useEffect(() => {
    channel = openLive({
      event: (event) => {
        onContact();
        for (const each of listeners.get(event.topic) ?? []) each(event);
      },
      ended: () => {
        if (Date.now() - lastPulse > PULSE_MS) void pulse();
      },
    });
    const shown = () => {
      inSight.value = document.visibilityState !== "hidden";
      // Nothing came while it was hidden, and nothing was to come.
      if (inSight.value) lastContact = Date.now();
      follow();
    };
    const leave = () => channel!.follow(undefined);
    document.addEventListener("visibilitychange", shown);
    window.addEventListener("pageshow", shown);
    window.addEventListener("pagehide", leave);
    shown();
    const repeated = window.setInterval(follow, FOLLOW_MS);
    const watching = window.setInterval(() => {
      if (!inSight.value) return;
      const now = Date.now();
      if (now - lastContact <= SILENCE_MS) return;
      lostSince.value ??= lastContact;
      if (now - lastPulse > PULSE_MS) void pulse();
    }, 250);
    return () => {
      window.clearInterval(repeated);
      window.clearInterval(watching);
      document.removeEventListener("visibilitychange", shown);
      window.removeEventListener("pageshow", shown);
      window.removeEventListener("pagehide", leave);
    };
  }, []);
}

/**
 * Follows a topic of the server while a part of the page is shown: its newest state, then what changes. `handlers` are called by the
 * name of the event, with its value; `gone` if the server has no such thing now. After a break, and when the page was hidden, the
 * newest state comes again.
 */
export function useTopic(
  topic: string,
  handlers: Readonly<Record<string, (value: never) => void>>,
  gone?: () => void,
): void {
  useEffect(() => {
    const listener = ({ event, json }: LiveEvent) => {
      if (event === "gone") gone?.();
      else handlers[event]?.(JSON.parse(json) as never);
    };
    const others = listeners.get(topic);
    if (others === undefined) listeners.set(topic, new Set([listener]));
    else others.add(listener);
    follow();
    return () => {
      const all = listeners.get(topic)!;
      all.delete(listener);
      if (all.size === 0) listeners.delete(topic);
      follow();
    };
  }, [topic]);
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
