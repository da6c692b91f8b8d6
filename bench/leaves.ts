/**
 * Measures what an evaluation costs in a game alone: processor time of the process for each evaluation of a search by `gumbel`
 * and `puct-max-n`, 400 simulations a decision, with one, eight and sixteen leaves in flight, beside the same positions in
 * requests of 32 as the batches of many games are. By turns in one process. The search's own time, between its requests, is
 * printed apart.
 *
 *     node bin/node.js bench/leaves.ts [--rounds 15] [--filters 32] [--blocks 4]
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

const { values: flags } = parseArgs({
  options: {
    rounds: { type: "string", default: "15" },
    filters: { type: "string", default: "32" },
    blocks: { type: "string", default: "4" },
  },
});
const rounds = Number(flags.rounds);
const size = { filters: Number(flags.filters), blocks: Number(flags.blocks) };

/** Rounds that are not counted: code is still being compiled. */
const WARM_UP = 2;
const SIMULATIONS = 400;
/** Numbers of leaves in flight. */
const LEAVES = [1, 8, 16];

const cases: readonly (readonly [string, Readonly<Record<string, unknown>>, readonly number[]])[] = [
  ["connect-four", { policyHead: "dense", planes: "compact" }, [0, 6, 12]],
  ["othello", { policyHead: "convolutional", planes: "compact" }, [0, 10, 30]],
  ["blokus-duo", { policyHead: "convolutional", planes: "compact" }, [2, 8, 16]],
];

for (const [rules, net, plies] of cases) {
  const { evaluator, game } = openSmallNet(rules, { ...net, ...size });
  const states = plies.flatMap((count) => randomStates(game, count, 4));
  const request = requestOf(game, states);
  const batches = () => {
    const begun = processorMs();
    for (let i = 0; i < 20; i++) evaluator.evaluate(request);
    return { evaluation: (1000 * (processorMs() - begun)) / (20 * BATCH), search: 0 };
  };
  for (const use of ["gumbel", "puct-max-n"]) {
    const searching = (leaves: number) => {
      const search = openSearch(use, game, { simulations: SIMULATIONS, leaves });
      return () => {
        let evaluations = 0;
        let evaluating = 0;
        const counting: Evaluator<unknown> = {
          evaluate: (given) => {
            const sent = performance.now();
            evaluations += given.count;
            evaluator.evaluate(given);
            evaluating += performance.now() - sent;
          },
        };
        const [begun, at] = [processorMs(), performance.now()];
        for (const state of states) drive(search.search(state, Random.named("draws"), 0), counting);
        // The searching thread waits in its requests only.
        const own = performance.now() - at - evaluating;
        const spent = processorMs() - begun - own;
        return { evaluation: (1000 * spent) / evaluations, search: (1000 * own) / evaluations };
      };
    };
    const sides = [batches, ...LEAVES.map(searching)];
    const rows = sides.map(() => [] as { readonly evaluation: number; readonly search: number }[]);
    for (let round = 0; round < WARM_UP + rounds; round++)
      for (let i = 0; i < sides.length; i++) {
        const side = (i + round) % sides.length;
        const row = sides[side]!();
        if (round >= WARM_UP) rows[side]!.push(row);
      }
    const [batch, ...alone] = rows.map((row) => ({
      evaluation: median(row.map(({ evaluation }) => evaluation)),
      search: median(row.map(({ search }) => search)),
    }));
    const texts = alone.map(
      ({ evaluation, search }, i) =>
        `${evaluation.toFixed(1)} with ${LEAVES[i]} in flight (${(evaluation / batch!.evaluation).toFixed(2)}; search ${search.toFixed(1)})`,
    );
    process.stdout.write(
      `${rules} ${use}: ${batch!.evaluation.toFixed(1)} us of processor time an evaluation in requests of ${BATCH}; in a game alone ${texts.join(", ")}\n`,
    );
  }
  await evaluator.close();
}
