/**
 * Records what the searches of a checkout decide: writes a digest for each case.
 *
 *     node test/search/decisions/record.ts CHECKOUT > test/search/decisions/digests.json
 *
 * With `--long` the cases are recorded in more and longer games, for a comparison of two checkouts.
 */
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { cases } from "./cases.ts";
import { LONG, SHORT } from "./extents.ts";
import { type Checkout, digestOf, nameOf } from "./recorder.ts";

const { positionals, values: flags } = parseArgs({
  allowPositionals: true,
  options: { long: { type: "boolean", default: false } },
});
const folder = resolve(positionals[0] ?? ".");
const parts = await Promise.all(
  ["games/registry.ts", "search/registry.ts", "random.ts", "search/drive.ts"].map(
    (file) => import(join(folder, "src", file)) as Promise<Partial<Checkout>>,
  ),
);
const checkout = Object.assign({}, ...parts) as Checkout;
const digests: Record<string, string> = {};
for (const each of cases) {
  const began = performance.now();
  digests[nameOf(each)] = digestOf(checkout, each, flags.long ? LONG : SHORT);
  process.stderr.write(`${(performance.now() - began).toFixed(0).padStart(6)} ms  ${nameOf(each)}\n`);
}
process.stdout.write(`${JSON.stringify(digests, null, 2)}\n`);
