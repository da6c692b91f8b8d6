import { BroadcastChannel, isMainThread } from "node:worker_threads";
import { outsidePlace } from "../messages/outside-place.ts";

/** A call of a plug-in whose result cannot be repeated. */
export interface UnrepeatableCall {
  /** What was called: `Math.random`. */
  readonly name: string;
  /** `path:line:column`. */
  readonly place: string;
}

/** What gives another result each time, by the global object that has it. */
const watched = { Math: "random", Date: "now", performance: "now" } as const;
type Watched = keyof typeof watched;

const KEY = "ludoflow.watched";
const CHANNEL = "ludoflow unrepeatable calls";

/**
 * The source of a module with declarations before it that hide these global objects, where the source uses what is
 * watched: calls are then told to `listenForUnrepeatable`. Other code calls the originals, and lines stay where they are.
 */
export function withWatchedGlobals(source: string): string {
  const used = (Object.keys(watched) as Watched[]).filter((name) => uses(source, name));
  if (used.length === 0 || source.startsWith("#!")) return source;
  (globalThis as Record<symbol, unknown>)[Symbol.for(KEY)] ??= globals();
  const declared = used.map((name) => `${name}=globalThis[Symbol.for("${KEY}")].${name}`);
  return `const ${declared.join(",")};${source}`;
}

function uses(source: string, name: Watched): boolean {
  const called = new RegExp(
    `\\b${name}\\s*\\??\\.\\s*${watched[name]}\\b|\\b${watched[name]}\\b[^}\\n]*\\}\\s*=\\s*${name}\\b`,
  );
  const own = new RegExp(
    `\\b(?:const|let|var|function|class)\\s+${name}\\b|\\bimport\\b[^;"']*\\b${name}\\b[^;"']*["']`,
  );
  return called.test(source) && !own.test(source);
}

function globals(): Readonly<Record<Watched, object>> {
  const hidden = (name: Watched, original: object) =>
    new Proxy(original, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key, target);
        if (key === watched[name]) tell(`${name}.${watched[name]}`);
        // `performance.now` wants its own object.
        return typeof value === "function" && name === "performance"
          ? (value.bind(target) as unknown)
          : value;
      },
    });
  return {
    Math: hidden("Math", Math),
    Date: hidden("Date", Date),
    performance: hidden("performance", performance),
  };
}

/** After so many calls in a thread, others are not looked at. */
const MOST_CALLS = 1000;

let calls = 0;
const told = new Set<string>();
const listeners = new Set<(call: UnrepeatableCall) => void>();
let channel: BroadcastChannel | undefined;

/** Tells a call once for each place, in this thread or, from other threads, in the main thread. */
function tell(name: string): void {
  // To find the place takes microseconds.
  if (calls >= MOST_CALLS) return;
  calls++;
  const place = outsidePlace(new Error("here"));
  if (place === undefined) return;
  const call: UnrepeatableCall = { name, place };
  if (isMainThread) hear(call);
  else if (!told.has(place)) {
    told.add(place);
    // Written at once: a thread that plays games has no event loop.
    channel ??= new BroadcastChannel(CHANNEL);
    channel.postMessage(call);
  }
}

function hear(call: UnrepeatableCall): void {
  if (listeners.size === 0 || told.has(call.place)) return;
  told.add(call.place);
  for (const listen of listeners) listen(call);
}

/**
 * Calls `listen` for calls of plug-ins of this process that cannot be repeated, once for each place in their code. Returns a
 * function that ends this. Only for the main thread.
 */
export function listenForUnrepeatable(listen: (call: UnrepeatableCall) => void): () => void {
  listeners.add(listen);
  if (channel === undefined) {
    channel = new BroadcastChannel(CHANNEL);
    channel.addEventListener("message", (message) =>
      hear((message as unknown as { readonly data: UnrepeatableCall }).data),
    );
    channel.unref();
  }
  return () => {
    listeners.delete(listen);
    if (listeners.size > 0) return;
    channel?.close();
    channel = undefined;
  };
}

/** What users are told of such a call. */
export function unrepeatableMessage({ name, place }: UnrepeatableCall): string {
  return `${place}: ${name} gives another result each time, so games cannot be played again and a resumed run differs; draw from the random that the function is given`;
}
