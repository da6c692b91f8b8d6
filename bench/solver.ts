/**
 * Measures what proofs cost in searches with a net: processor time of a simulation without and with `solver`, by turns in one
 * process, with an evaluator that responds at once. Positions are those of the first half of random games: decisions that
 * proofs end early are left out.
 *
 *     node bin/node.js bench/solver.ts [--rounds 60]
 */
import { parseArgs } from "node:util";
import { playedFor } from "../src/games/outcome.ts";
import { openGame } from "../src/games/registry.ts";
import { Random } from "../src/random.ts";
import { drive } from "../src/search/drive.ts";
import { openSearch } from "../src/search/registry.ts";
import { meanEstimate } from "../src/stats/intervals.ts";
import { randomStates } from "./random-states.ts";
import { cheapEvaluator } from "./search-cases.ts";

const { values: flags } = parseArgs({ options: { rounds: { type: "string", default: "60" } } });
const rounds = Number(flags.rounds);

/** Rounds that are not counted: code is still being compiled. */
const WARM_UP = 10;

/** Game, rules, and plies before the positions. */
const games: readonly (readonly [string, Readonly<Record<string, unknown>>, readonly number[]])[] = [
  ["connect-four", {}, [0, 6, 12]],
  ["othello", {}, [0, 10, 30]],
  ["go", { size: 9 }, [0, 10, 40]],
  ["blokus-duo", {}, [2, 8, 16]],
];

const searches = [
  ["puct-max-n", { simulations: 100 }],
  ["gumbel", { simulations: 32 }],
] as const;

const userTime = () => process.cpuUsage().user;

for (const [name, rules, plies] of games)
  for (const [use, options] of searches) {
    const game = playedFor(openGame(name, rules), "win-loss");
    const both = [false, true].map((solver) => openSearch(use, game, { ...options, solver }));
    const decide = (which: 0 | 1, state: unknown) =>
      drive(
        both[which]!.search(state, Random.named("draws"), 0),
        cheapEvaluator(game, Random.named("values")),
      );
    const states = plies
      .flatMap((count) => randomStates(game, count, 4))
      .filter((state) => decide(1, state).visits.reduce((a, b) => a + b) === options.simulations);
    const timeOf = (which: 0 | 1) => {
      const began = userTime();
      for (let turn = 0; turn < 5; turn++) for (const state of states) decide(which, state);
      return (userTime() - began) / (5 * states.length * options.simulations);
    };
    const pairs = Array.from({ length: rounds }, (_, round) => {
      const first = round % 2 === 0 ? 0 : 1;
      const times = [timeOf(first), timeOf(first === 0 ? 1 : 0)];
      return first === 0 ? times : times.reverse();
    }).slice(WARM_UP);
    const without = meanEstimate(pairs.map(([time]) => time!));
    const more = meanEstimate(pairs.map(([off, on]) => on! - off!));
    process.stdout.write(
      `${name} ${use}: ${without.value.toFixed(2)} us a simulation, with proofs ${more.value.toFixed(3)} us more [${more.interval.map((each) => each.toFixed(3)).join(", ")}] (${states.length} positions)\n`,
    );
  }
