// A run with a slow disk and a slow observer; prints a line of JSON for each sample of its memory: `node slow-run.ts FILE OUT`.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/** Milliseconds that each write and each sync take at least. */
const WRITE_MS = 0.5;
const SYNC_MS = 20;
/** Milliseconds for which the observer keeps the main thread busy with each event. */
const OBSERVER_MS = 5;

const asleep = new Int32Array(new SharedArrayBuffer(4));
const slowed = <Args extends readonly unknown[], T>(call: (...args: Args) => T, ms: number) =>
  ((...args: Args) => {
    Atomics.wait(asleep, 0, 0, ms);
    return call(...args);
  }) as typeof call;
fs.writeSync = slowed(fs.writeSync, WRITE_MS) as typeof fs.writeSync;
fs.writevSync = slowed(fs.writevSync, WRITE_MS);
fs.fsyncSync = slowed(fs.fsyncSync, SYNC_MS);
syncBuiltinESMExports();

const { isFlow } = await import("../../src/events/flow-event.ts");
const { readExperiment } = await import("../../src/graph/experiment-file.ts");
const { newRun } = await import("../../src/graph/start-run.ts");

const [file, out] = process.argv.slice(2) as [string, string];
const run = await newRun(readExperiment(file), { file, set: [] }, { out });
let games = 0;
run.observe("slow", () => {
  for (const until = performance.now() + OBSERVER_MS; performance.now() < until;);
});
run.observe(
  "flows",
  (event) => {
    if (!isFlow(event) || event.type !== "stage-flow" || event.stage !== "games") return;
    games += event.itemsOut;
    const { rss } = process.memoryUsage();
    console.log(JSON.stringify({ games, rss, holds: event.holds, bound: event.bound }));
  },
  { flows: true },
);
const { outcome } = await run.start();
console.log(JSON.stringify({ outcome }));
process.exit(outcome === "finished" ? 0 : 1);
