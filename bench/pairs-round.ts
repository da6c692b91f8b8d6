/**
 * One side of a round of `npm run bench:pairs`: times the searches of a checkout one after the other in this process,
 * and prints the simulations of each in a second of user time, as JSON.
 *
 *     node bench/pairs-round.ts CHECKOUT CASES
 *
 * CASES is a JSON array of the names of cases.
 */
import { join } from "node:path";
import { type SearchModules, searchCases } from "./search-cases.ts";

/** User time of each case: before its clock starts, by when Node has compiled what is hot, and measured. */
const WARM_UP_MS = 600;
const MEASURE_MS = 400;

const [checkout, cases] = process.argv.slice(2);
const wanted = JSON.parse(cases!) as string[];
const parts = await Promise.all(
  [
    "games/registry.ts",
    "search/registry.ts",
    "random.ts",
    "search/drive.ts",
    "search/playouts/playout-policy.ts",
  ].map((file) => import(join(checkout!, "src", file)) as Promise<Partial<SearchModules>>),
);
const modules = Object.assign({}, ...parts) as SearchModules;
const rates: Record<string, number> = {};
for (const each of searchCases(modules)) {
  if (!wanted.includes(each.name)) continue;
  runFor(each.run, WARM_UP_MS);
  rates[each.name] = runFor(each.run, MEASURE_MS);
}
process.stdout.write(JSON.stringify(rates));

/** Runs for so many milliseconds of user time; returns what is done in a second of it. */
function runFor(run: () => number, milliseconds: number): number {
  const start = process.cpuUsage().user;
  let done = 0;
  let elapsed = 0;
  do {
    done += run();
    elapsed = (process.cpuUsage().user - start) / 1000;
  } while (elapsed < milliseconds);
  return (1000 * done) / elapsed;
}
