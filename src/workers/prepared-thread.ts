/** Runs the module named by `module` of the last argument, after the preparation that the argument also names. */
import { workerData } from "node:worker_threads";
import { type LoadOutcome, reportEnd } from "./load-outcome.ts";
import type { ThreadStart } from "./worker-thread.ts";

const { module, preparation } = JSON.parse(process.argv.at(-1)!) as ThreadStart;
const { outcome } = (workerData ?? {}) as { readonly outcome?: LoadOutcome };
// Before all else: the code of plug-ins may end the thread at any time.
if (outcome !== undefined) reportEnd(outcome);
const prepared = (await import(preparation.module)) as { prepare(argument: unknown): unknown };
await prepared.prepare(preparation.argument);
await import(module);
