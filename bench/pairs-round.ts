/**
 * One case in one round of `npm run bench:pairs`: times a search of two checkouts by turns in this process. Prints as a
 * JSON array the simulations of each in a second of user time, and the ratio of the second to the first; null if a
 * checkout lacks the game.
 *
 *     node bench/pairs-round.ts FIRST SECOND CASE
 *
 * FIRST is loaded first. Both sides make the same decisions, in slices that lie side by side in time, and the ratio is
 * the median of those of the pairs of slices: a machine that others use changes its speed by half within a tenth of a
 * second, which then concerns both or makes an outlier.
 *
 * Time is user time of the process, not of its thread: what one side leaves to the helpers of the garbage collector
 * counts. Those of the compiler have finished after the warm-up.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { SearchCase, SearchModules } from "./search-cases.ts";

/** User time of each side before the clock starts, by when Node has compiled what is hot. */
const WARM_UP_MS = 400;

/** The least user time of each side. */
const MEASURE_MS = 400;

/** User time of a slice: short against changes of the machine's speed, long against the ticks of its clock. */
const SLICE_MS = 15;

/** A search of one checkout. */
class Side {
  readonly #run: () => number;
  simulations = 0;
  milliseconds = 0;

  constructor(run: () => number) {
    this.#run = run;
  }

  /** Undefined if the checkout lacks the game. */
  static async load(checkout: string, name: string): Promise<Side | undefined> {
    const files = [
      "games/registry",
      "search/registry",
      "random",
      "search/drive",
      "search/playouts/playout-policy",
    ];
    const modules = await Promise.all(files.map((file) => import(join(checkout, "src", `${file}.ts`))));
    // Each side has cases of its own: code that both ran would be compiled for the types of both.
    const url = pathToFileURL(join(import.meta.dirname, "search-cases.ts"));
    url.searchParams.set("checkout", checkout);
    const { searchCases } = (await import(url.href)) as typeof import("./search-cases.ts");
    const cases: SearchCase[] = searchCases(Object.assign({}, ...modules) as SearchModules);
    try {
      return new Side(cases.find((each) => each.name === name)!.open().run);
    } catch (error) {
      if ((error as { readonly _tag?: unknown })._tag === "GameNotOpened") return undefined;
      throw error;
    }
  }

  /** Decides so many times; returns the user time that it took, in milliseconds. */
  decide(decisions: number): number {
    const start = process.cpuUsage().user;
    for (let i = 0; i < decisions; i++) this.simulations += this.#run();
    const elapsed = (process.cpuUsage().user - start) / 1000;
    this.milliseconds += elapsed;
    return elapsed;
  }

  get rate(): number {
    return (1000 * this.simulations) / this.milliseconds;
  }
}

const [one, other, name] = process.argv.slice(2);
const first = await Side.load(one!, name!);
const second = await Side.load(other!, name!);
if (first === undefined || second === undefined) {
  process.stdout.write("null");
  process.exit();
}
let warmUp = 0;
do {
  first.decide(1);
  second.decide(1);
  warmUp++;
} while (Math.min(first.milliseconds, second.milliseconds) < WARM_UP_MS);
const decisions = Math.max(1, Math.round((SLICE_MS * warmUp) / first.milliseconds));
for (const side of [first, second]) side.simulations = side.milliseconds = 0;
const ratios: number[] = [];
while (Math.min(first.milliseconds, second.milliseconds) < MEASURE_MS)
  if (ratios.length % 2 === 0) {
    const time = first.decide(decisions);
    ratios.push(time / second.decide(decisions));
  } else {
    const time = second.decide(decisions);
    ratios.push(first.decide(decisions) / time);
  }
ratios.sort((a, b) => a - b);
const median = Math.sqrt(ratios[(ratios.length - 1) >> 1]! * ratios[ratios.length >> 1]!);
process.stdout.write(JSON.stringify([first.rate, second.rate, median]));
