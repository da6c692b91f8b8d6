import { rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import type { EventBus, ObservedEvent } from "../../events/bus.ts";
import { isMomentary, type RecordedEvent } from "../../events/event.ts";
import { isFlow } from "../../events/flow-event.ts";
import type { RunState } from "../../events/run-state.ts";
import { endpointPath } from "./endpoint-path.ts";

/** The most programs that may listen to a run. */
const MOST_LISTENERS = 8;
/** The least time between two lines of a stage's progress: a page is woken by each line. In milliseconds. */
const PROGRESS_MS = 250;
/** A line that asks a run to stop. */
export const STOP = "stop";

/**
 * Lets other programs of this user listen to a run of this process: they get, as JSON lines, what `metrics.jsonl` does not keep,
 * which is progress, pace, and what flows each second. The line `stop` asks the run to stop as Ctrl-C does.
 *
 * A listener costs the run nothing (see `EventBus`); without a listener nothing is computed. Returns a function that closes the
 * endpoint. If the system gives no socket, there is none: the run does not depend on it.
 */
export function openRunEndpoint(
  folder: string,
  { bus, stop }: { readonly bus: Pick<EventBus, "observe" | "state">; readonly stop: () => void },
): () => void {
  const path = endpointPath(folder);
  if (path === undefined) return () => {};
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    const leave = serve(socket, bus, stop);
    socket.on("close", () => {
      sockets.delete(socket);
      leave();
    });
  });
  server.maxConnections = MOST_LISTENERS;
  server.on("error", () => {});
  // The folder is claimed for this process, so a socket that is there was left by a kill.
  if (process.platform !== "win32") rmSync(path, { force: true });
  server.listen(path);
  server.unref();
  return () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
}

/** Serves one listener; returns a function that ends it. */
function serve(socket: Socket, bus: Pick<EventBus, "observe" | "state">, stop: () => void): () => void {
  socket.unref();
  socket.on("error", () => {});
  const lines = createInterface({ input: socket, crlfDelay: Infinity });
  lines.on("line", (line) => {
    if (line === STOP) stop();
  });
  lines.on("error", () => {});
  for (const event of momentary(bus.state)) socket.write(`${JSON.stringify(event)}\n`);
  const lastSent = new Map<string, number>();
  return bus.observe(
    "a page",
    async (event) => {
      // While the progress of a stage waits, a newer one replaces it.
      if (event.type === "progress") {
        const early = (lastSent.get(event.stage) ?? -Infinity) + PROGRESS_MS - performance.now();
        if (early > 0 && event.done < event.total) await setTimeout(early, undefined, { ref: false });
        lastSent.set(event.stage, performance.now());
      }
      await write(socket, event);
    },
    { flows: true },
  );
}

/** The last events of the stages that are not in `metrics.jsonl`. */
function momentary({ elapsed, progress: whole, stages }: RunState): RecordedEvent[] {
  const time = new Date().toISOString();
  return [...(whole === undefined ? [] : [{ ...whole, elapsed }]), ...ofStages(stages, elapsed, time)];
}

function ofStages(stages: RunState["stages"], elapsed: number, time: string): RecordedEvent[] {
  return Object.values(stages).flatMap(({ at, paces, progress }) => [
    ...(progress === undefined ? [] : [{ ...progress, time, elapsed: at }]),
    ...paces.slice(-1).map((pace) => ({ ...pace, time, elapsed })),
  ]);
}

/** Writes an event that no file keeps; the next event waits until the reader has taken it. */
function write(socket: Socket, event: ObservedEvent): void | Promise<void> {
  if (event.type === "skipped" || !(isMomentary(event) || isFlow(event)) || socket.destroyed) return;
  if (socket.write(`${JSON.stringify(event)}\n`)) return;
  return new Promise((resolve) => {
    const done = () => {
      socket.off("drain", done).off("close", done);
      resolve();
    };
    socket.on("drain", done).on("close", done);
  });
}
