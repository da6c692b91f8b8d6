/** Runs the module named by `module` of the last argument, after the preparation that it names beside it. */
import { workerData } from "node:worker_threads";
import { type LoadOutcome, tellLoaded } from "./load-outcome.ts";
import type { ThreadStart } from "./worker-thread.ts";

const { module, preparation } = JSON.parse(process.argv.at(-1)!) as ThreadStart;
try {
  const prepared = (await import(preparation.module)) as { prepare(argument: unknown): unknown };
  await prepared.prepare(preparation.argument);
} catch (error) {
  const { outcome } = (workerData ?? {}) as { readonly outcome?: LoadOutcome };
  if (outcome !== undefined) tellLoaded(outcome, (error as Error).message);
  throw error;
}
await import(module);
