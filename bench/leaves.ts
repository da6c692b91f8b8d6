/**
 * Measures what an evaluation costs in a game alone: processor time of the process for each evaluation of a search by `gumbel`
 * and `puct-max-n`, 400 simulations a decision, with one leaf and with eight in flight, beside the same positions in
 * requests of 32 as the batches of many games are. By turns in one process; the search's own time counts as well.
 *
 *     node bin/node.js bench/leaves.ts [--rounds 15]
 */
import { parseArgs } from "node:util";
import type { Evaluator } from "../src/games/evaluation.ts";
import { Random } from "../src/random.ts";
import { drive } from "../src/search/drive.ts";
import { openSearch } from "../src/search/registry.ts";
import { processorMs } from "./in-turn.ts";
import { median } from "./report.ts";
import { randomStates } from "./random-states.ts";
import { BATCH, openSmallNet, requestOf } from "./small-net.ts";

const { values: flags } = parseArgs({ options: { rounds: { type: "string", default: "15" } } });
const rounds = Number(flags.rounds);

/** Rounds that are not counted: code is still being compiled. */
const WARM_UP = 2;
const SIMULATIONS = 400;

const cases: readonly (readonly [string, Readonly<Record<string, unknown>>, readonly number[]])[] = [
  ["connect-four", { policyHead: "dense", planes: "compact" }, [0, 6, 12]],
  ["othello", { policyHead: "convolutional", planes: "compact" }, [0, 10, 30]],
  ["blokus-duo", { policyHead: "convolutional", planes: "compact" }, [2, 8, 16]],
];

for (const [rules, net, plies] of cases) {
  const { evaluator, game } = openSmallNet(rules, net);
  const states = plies.flatMap((count) => randomStates(game, count, 4));
  const request = requestOf(game, states);
  const batches = () => {
    const begun = processorMs();
    for (let i = 0; i < 20; i++) evaluator.evaluate(request);
    return (1000 * (processorMs() - begun)) / (20 * BATCH);
  };
  for (const use of ["gumbel", "puct-max-n"]) {
    const searches = [1, 8].map((leaves) => openSearch(use, game, { simulations: SIMULATIONS, leaves }));
    const searching = (which: number) => () => {
      let evaluations = 0;
      const counting: Evaluator<unknown> = {
        evaluate: (given) => {
          evaluations += given.count;
          evaluator.evaluate(given);
        },
      };
      const begun = processorMs();
      for (const state of states) drive(searches[which]!.search(state, Random.named("draws"), 0), counting);
      return (1000 * (processorMs() - begun)) / evaluations;
    };
    const sides = [batches, searching(0), searching(1)];
    const times = sides.map(() => [] as number[]);
    for (let round = 0; round < WARM_UP + rounds; round++)
      for (let i = 0; i < sides.length; i++) {
        const side = (i + round) % sides.length;
        const time = sides[side]!();
        if (round >= WARM_UP) times[side]!.push(time);
      }
    const [batch, one, eight] = times.map((each) => median(each));
    process.stdout.write(
      `${rules} ${use}: ${batch!.toFixed(1)} us of processor time an evaluation in requests of ${BATCH}; in a game alone ${one!.toFixed(1)} with one leaf (${(one! / batch!).toFixed(2)}), ${eight!.toFixed(1)} with eight (${(eight! / batch!).toFixed(2)})\n`,
    );
  }
  await evaluator.close();
}
