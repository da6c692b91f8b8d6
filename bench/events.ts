import { setImmediate } from "node:timers/promises";
import { EventBus } from "../src/events/bus.ts";
import type { RunEvent } from "../src/events/event.ts";
import { processorMs } from "./in-turn.ts";
import { type BenchReport, median } from "./report.ts";

/** Events of each kind; the run works on between groups of them, as stages do. */
const EVENTS = 50_000;
const GROUP = 50;
const OBSERVERS = 3;
/** Milliseconds that the slow observer keeps the main thread busy with every event. */
const SLOW_MS = 50;
/** Seconds of work beside the slow observer. */
const WORK_S = 15;

const kinds: Readonly<Record<string, (i: number) => RunEvent>> = {
  progress: (i) => ({ type: "progress", stage: `stage ${i % 5}`, done: i, total: Infinity, unit: "games" }),
  training: (i) => ({ type: "training", stage: "weights", step: i, loss: 1, parts: { value: 1 }, rate: 0.1 }),
};

/**
 * `bench events`: the processor time of an event, with three observers that do nothing, and what an observer costs that
 * keeps the main thread busy for 50 ms with every event.
 */
export async function benchEvents(): Promise<BenchReport> {
  const rows = [];
  for (const [kind, make] of Object.entries(kinds)) {
    const times: number[] = [];
    for (let repetition = 0; repetition < 5; repetition++) times.push(await eventTime(make));
    rows.push({
      case: `${kind}, ${OBSERVERS} observers`,
      metric: "processor time of an event",
      value: median(times),
      unit: "us",
    });
  }
  const { emits, share } = await besideSlowObserver();
  rows.push(
    { case: `an observer of ${SLOW_MS} ms`, metric: "ten events", value: emits, unit: "ms" },
    {
      case: `an observer of ${SLOW_MS} ms`,
      metric: `share of the main thread's time, ${WORK_S} s`,
      value: 100 * share,
      unit: "%",
    },
  );
  return { bench: "events", rows };
}

/** Microseconds of processor time of an event, its hand-over included. */
async function eventTime(make: (i: number) => RunEvent): Promise<number> {
  const bus = new EventBus();
  for (let i = 0; i < OBSERVERS; i++) bus.observe(`observer ${i}`, () => {});
  const begun = processorMs();
  for (let i = 0; i < EVENTS; i++) {
    bus.emit(make(i));
    if (i % GROUP === GROUP - 1) await setImmediate();
  }
  await bus.close();
  return (1000 * (processorMs() - begun)) / EVENTS;
}

/** Milliseconds of ten events, and the share of the time that the observer took while the run worked. */
async function besideSlowObserver() {
  const bus = new EventBus();
  let calls = 0;
  bus.observe("slow", () => {
    calls++;
    const begun = performance.now();
    while (performance.now() - begun < SLOW_MS);
  });
  const first = performance.now();
  for (let i = 0; i < 10; i++) bus.emit(kinds["training"]!(i));
  const emits = performance.now() - first;
  const begun = performance.now();
  for (let i = 10; performance.now() - begun < 1000 * WORK_S; i++) {
    const slice = performance.now();
    while (performance.now() - slice < 2);
    bus.emit(kinds["training"]!(i));
    await setImmediate();
  }
  const share = (calls * SLOW_MS) / (performance.now() - begun);
  await bus.close();
  return { emits, share };
}
