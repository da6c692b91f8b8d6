import { openGame } from "../src/games/registry.ts";
import { Random } from "../src/random.ts";
import { drive } from "../src/search/drive.ts";
import { PlayoutPolicy } from "../src/search/playouts/playout-policy.ts";
import { openSearch } from "../src/search/registry.ts";
import { processorMs, ratesInTurn, type Turns } from "./in-turn.ts";
import { type BenchReport, compared } from "./report.ts";
import { searchCases } from "./search-cases.ts";

/** Number of rounds; each times the search and bare playouts in turn. The result is the median of the rates. */
const TURNS: Turns = { rounds: 9, warmUps: 2, sliceMs: 200 };

/**
 * `bench search`: simulations per second of `mcts-max-n` in Blokus with the source's settings, 800 a decision, beside
 * bare playouts of the same policy from the same position: what the tree costs. And of other searches. One thread;
 * seconds are of processor time, since a search that shares its core with other work is not the slower for it.
 */
export async function benchSearch(): Promise<BenchReport> {
  const cases = searchCases({ openGame, openSearch, Random, drive, PlayoutPolicy });
  const rows = cases
    .filter(({ bench }) => bench === "search")
    .map(({ name, open }) => {
      const { playOut, run } = open();
      const players = playOut === undefined ? [run] : [run, playOut];
      const [simulations, playouts] = ratesInTurn(players, TURNS, processorMs);
      const row = { case: name, metric: "simulations", unit: "simulations/s", value: simulations! };
      return playouts === undefined ? row : compared(row, { name: "bare playouts", value: playouts });
    });
  return { bench: "search", rows };
}
