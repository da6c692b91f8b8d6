/**
 * Runs the module named by `module` of the first argument, after what threads do first: they use the compile cache on
 * disk, which Node does not enable in threads, and prepare themselves.
 */
import { enableCompileCache } from "node:module";
import type { ThreadStart } from "./worker-thread.ts";

const { module, cache, preparation } = JSON.parse(process.argv[2]!) as ThreadStart;
if (cache) enableCompileCache();
if (preparation !== undefined) {
  const prepared = (await import(preparation.module)) as { prepare(argument: unknown): unknown };
  await prepared.prepare(preparation.argument);
}
await import(module);
