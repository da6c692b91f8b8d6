import { BroadcastChannel, isMainThread } from "node:worker_threads";
import { isOutsideFile } from "../messages/outside-place.ts";

/** A call of a plug-in whose result cannot be repeated. */
export interface UnrepeatableCall {
  /** What was called: `Math.random`. */
  readonly name: string;
  /** `path:line:column`. */
  readonly place: string;
}

/** Maximum number of calls of one function in a thread that are examined: finding the caller takes microseconds. */
const MOST_CALLS = 2000;

const CHANNEL = "ludoflow unrepeatable calls";

const reported = new Set<string>();
const listeners = new Set<(call: UnrepeatableCall) => void>();
let channel: BroadcastChannel | undefined;
let watching = false;

/** From now on calls by plug-ins of what gives another result each time are reported to `listenForUnrepeatable`. */
export function watchGlobals(): void {
  if (watching) return;
  watching = true;
  watch("Math", Math, "random");
  watch("Date", Date, "now");
  watch("performance", performance, "now");
  watch("crypto", crypto, "getRandomValues");
  watch("crypto", crypto, "randomUUID");
}

function watch<K extends string, F extends (...values: never[]) => unknown>(
  name: string,
  object: Record<K, F>,
  key: K,
): void {
  const original = object[key];
  let left = MOST_CALLS;
  const watched = (...values: Parameters<F>): unknown => {
    if (left > 0) {
      left--;
      report(`${name}.${key}`, watched);
    }
    return original.apply(object, values);
  };
  Object.defineProperty(object, key, { value: watched, configurable: true, writable: true });
}

/** Reports a call of `watched` by a plug-in once for each place, in this thread or, from other threads, in the main thread. */
function report(name: string, watched: (...values: never[]) => unknown): void {
  const place = placeOfCaller(watched);
  if (place === undefined) return;
  const call: UnrepeatableCall = { name, place };
  if (isMainThread) notifyListeners(call);
  else if (!reported.has(place)) {
    reported.add(place);
    // Written at once: a thread that plays games has no event loop.
    channel ??= new BroadcastChannel(CHANNEL);
    channel.postMessage(call);
  }
}

/** The place in a plug-in that calls `watched`; undefined if other code does. Only the caller counts: plug-ins call ludoflow. */
function placeOfCaller(watched: (...values: never[]) => unknown): string | undefined {
  // oxlint-disable-next-line typescript/unbound-method -- only put back
  const { prepareStackTrace, stackTraceLimit } = Error;
  const called: { stack?: unknown } = {};
  try {
    Error.stackTraceLimit = 1;
    // A stack as text would take several times as long.
    Error.prepareStackTrace = (_, [caller]) => caller;
    Error.captureStackTrace(called, watched);
    const caller = called.stack as NodeJS.CallSite | undefined;
    const file = caller?.getFileName() ?? "";
    return isOutsideFile(file)
      ? `${decodeURI(file.replace("file://", ""))}:${caller!.getLineNumber()}:${caller!.getColumnNumber()}`
      : undefined;
  } finally {
    Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  }
}

function notifyListeners(call: UnrepeatableCall): void {
  if (listeners.size === 0 || reported.has(call.place)) return;
  reported.add(call.place);
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
      notifyListeners((message as unknown as { readonly data: UnrepeatableCall }).data),
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

/** The warning about such a call. */
export function unrepeatableMessage({ name, place }: UnrepeatableCall): string {
  return `${place}: ${name} gives another result each time, so games cannot be played again and a resumed run differs; draw from the random that the function is given`;
}
