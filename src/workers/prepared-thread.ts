/** Runs the module named by `module` of the last argument, after the preparation that it names beside it. */
import type { ThreadStart } from "./worker-thread.ts";

const { module, preparation } = JSON.parse(process.argv.at(-1)!) as ThreadStart;
const prepared = (await import(preparation.module)) as { prepare(argument: unknown): unknown };
await prepared.prepare(preparation.argument);
await import(module);
