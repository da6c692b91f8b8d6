// A SharedWorker: one connection for all tabs of a browser, which has six for each host.
import { type LiveEvent, LiveStream } from "./live-stream.ts";

/** What a tab says: what it follows, undefined when it is hidden or leaves. It says so again and again while it is shown. */
export interface TabMessage {
  readonly topics: readonly string[] | undefined;
  /** Whether the connection is to be opened anew. */
  readonly again?: boolean;
}

/** What a tab is sent: events of its topics and signs of life; undefined when the connection has failed. */
export type WorkerMessage = LiveEvent | undefined;

/** A tab that says nothing for so long has crashed. In milliseconds. */
const SILENT_MS = 10_000;
/** Changes that come together, as when a page leads to another one, are one change. In milliseconds. */
const TOGETHER_MS = 20;

interface Tab {
  readonly topics: readonly string[];
  readonly heard: number;
}

const tabs = new Map<MessagePort, Tab>();
/** What the stream follows. */
let followed: string | undefined;
let planned: { anew: boolean } | undefined;

const stream = new LiveStream(
  (event) => {
    for (const [port, { topics }] of tabs)
      if (event.topic === "-" || topics.includes(event.topic)) port.postMessage(event);
  },
  () => {
    for (const port of tabs.keys()) port.postMessage(undefined);
  },
);

/** Follows what the tabs follow; `anew` even if that is the same as before: a tab has come that needs the newest state. */
function plan(anew: boolean): void {
  if (planned !== undefined) {
    planned.anew ||= anew;
    return;
  }
  planned = { anew };
  setTimeout(() => {
    const all = [...new Set([...tabs.values()].flatMap(({ topics }) => topics))].toSorted();
    const now = tabs.size === 0 ? undefined : all.join(" ");
    if (planned!.anew || now !== followed) stream.follow(tabs.size === 0 ? undefined : all);
    followed = now;
    planned = undefined;
  }, TOGETHER_MS);
}

function receive(port: MessagePort, { again = false, topics }: TabMessage): void {
  const before = tabs.get(port)?.topics ?? [];
  if (topics === undefined) tabs.delete(port);
  else tabs.set(port, { topics, heard: performance.now() });
  plan(again || topics?.some((topic) => !before.includes(topic)) === true);
}

globalThis.addEventListener("connect", (event) => {
  const [port] = (event as MessageEvent).ports;
  port!.addEventListener("message", ({ data }: MessageEvent<TabMessage>) => receive(port!, data));
  port!.start();
});

setInterval(() => {
  const now = performance.now();
  for (const [port, { heard }] of tabs) if (now - heard > SILENT_MS) tabs.delete(port);
  plan(false);
}, SILENT_MS / 4);
