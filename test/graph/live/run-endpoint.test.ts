import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { EventBus } from "../../../src/events/bus.ts";
import type { RecordedEvent } from "../../../src/events/event.ts";
import { listenToRun } from "../../../src/graph/live/listen-to-run.ts";
import { openRunEndpoint } from "../../../src/graph/live/run-endpoint.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "ludoflow-endpoint-"))));
afterEach(() => rmSync(folder, { recursive: true }));

/** Waits for something, for at most ten seconds. */
async function until(holds: () => boolean): Promise<void> {
  for (let i = 0; i < 1000 && !holds(); i++) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(holds()).toBe(true);
}

it("sends listeners the progress that is known, then what no file keeps, and takes a request to stop", async () => {
  const bus = new EventBus();
  bus.emit({ type: "progress", stage: "learn", done: 1, total: 10, unit: "games" });
  let stops = 0;
  const close = openRunEndpoint(folder, { bus, stop: () => stops++ });
  const received: RecordedEvent[] = [];
  let closed = false;
  const listener = listenToRun(
    folder,
    (event) => received.push(event),
    () => (closed = true),
  );
  await until(() => received.length === 1);
  bus.emit({ type: "note", level: "info", message: "in the file" });
  bus.emit({ type: "progress", stage: "learn", done: 2, total: 10, unit: "games" });
  await until(() => received.length === 2);
  expect(received.map((event) => event.type === "progress" && event.done)).toEqual([1, 2]);
  expect(await listener.stop()).toBe(true);
  await until(() => stops === 1);
  close();
  await until(() => closed);
  await bus.close();
});

it("sends the progress of the whole run, first as it is known", async () => {
  const bus = new EventBus();
  bus.emit({ type: "run-progress", share: 0.25, secondsLeft: 30 });
  const close = openRunEndpoint(folder, { bus, stop: () => {} });
  const received: RecordedEvent[] = [];
  listenToRun(
    folder,
    (event) => received.push(event),
    () => {},
  );
  await until(() => received.length === 1);
  bus.emit({ type: "run-progress", share: 0.5, secondsLeft: 20 });
  await until(() => received.length === 2);
  expect(received).toMatchObject([
    { type: "run-progress", share: 0.25, secondsLeft: 30 },
    { type: "run-progress", share: 0.5, secondsLeft: 20 },
  ]);
  close();
  await bus.close();
});

it("sends the progress of a stage a few times a second, the newest, and its end", async () => {
  const bus = new EventBus();
  const close = openRunEndpoint(folder, { bus, stop: () => {} });
  const received: number[] = [];
  const listener = listenToRun(
    folder,
    (event) => {
      if (event.type === "progress") received.push(event.done);
    },
    () => {},
  );
  bus.emit({ type: "progress", stage: "learn", done: 1, total: 1000, unit: "games" });
  await until(() => received.length === 1);
  for (let done = 2; done < 100; done++) {
    bus.emit({ type: "progress", stage: "learn", done, total: 1000, unit: "games" });
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  bus.emit({ type: "progress", stage: "learn", done: 1000, total: 1000, unit: "games" });
  await until(() => received.at(-1) === 1000);
  // Some 100 games in half a second or more.
  expect(received.length).toBeLessThan(30);
  listener.close();
  close();
  await bus.close();
});

it("is not there if no run is at work, and takes the place of one that was killed", async () => {
  let closed = 0;
  const listener = listenToRun(
    folder,
    () => {},
    () => closed++,
  );
  await until(() => closed === 1);
  expect(await listener.stop()).toBe(false);
  const bus = new EventBus();
  bus.emit({ type: "progress", stage: "learn", done: 1, total: 10, unit: "games" });
  openRunEndpoint(folder, { bus, stop: () => {} });
  // A second one at the same place, as after a kill.
  const close = openRunEndpoint(folder, { bus, stop: () => {} });
  const received: RecordedEvent[] = [];
  const second = listenToRun(
    folder,
    (event) => received.push(event),
    () => {},
  );
  await until(() => received.length === 1);
  second.close();
  close();
  await bus.close();
});
