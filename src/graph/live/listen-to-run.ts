import { createConnection } from "node:net";
import { createInterface } from "node:readline";
import type { RecordedEvent } from "../../events/event.ts";
import { endpointPath } from "./endpoint-path.ts";
import { STOP } from "./run-endpoint.ts";

/** A connection to a run that another process of this machine works on. */
export interface RunListener {
  /** Asks the run to stop as Ctrl-C does; false if no run listens. */
  readonly stop: () => Promise<boolean>;
  readonly close: () => void;
}

/**
 * Listens to a run: `listener` gets its progress, pace and flows as they happen; `onClose` is called once when the run has
 * ended, or if no run is at work there.
 */
export function listenToRun(
  folder: string,
  listener: (event: RecordedEvent) => void,
  onClose: () => void,
): RunListener {
  const path = endpointPath(folder);
  if (path === undefined) {
    queueMicrotask(onClose);
    return { stop: async () => false, close: () => {} };
  }
  const socket = createConnection(path);
  socket.on("error", () => {});
  socket.on("close", onClose);
  const connected = new Promise<boolean>((resolve) => {
    socket.once("connect", () => resolve(true));
    socket.once("close", () => resolve(false));
  });
  const lines = createInterface({ input: socket, crlfDelay: Infinity });
  lines.on("error", () => {});
  lines.on("line", (line) => {
    try {
      listener(JSON.parse(line) as RecordedEvent);
    } catch {
      // A line that was cut by a kill.
    }
  });
  return {
    stop: async () => (await connected) && !socket.destroyed && socket.write(`${STOP}\n`) !== undefined,
    close: () => void socket.off("close", onClose).destroy(),
  };
}
