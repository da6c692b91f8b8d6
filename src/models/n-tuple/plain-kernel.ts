import { Afterstates } from "../../games/2048/afterstates.ts";
import type { Game2048 } from "../../games/2048/2048.ts";
import type { NTupleKernel, NTupleTables } from "./kernel.ts";
import { PlainGames } from "./plain-games.ts";
import { FixedRate, type StepRule, TemporalCoherence } from "./step-rule.ts";
import type { TupleLookup } from "./tuple-lookup.ts";

/** The kernel without WebAssembly, for boards of any size. */
export function plainKernel(
  lookup: TupleLookup,
  { weights, coherence }: NTupleTables,
  game: Game2048,
): NTupleKernel {
  const after = new Afterstates(game.rows, game.columns);
  const { stages } = lookup;
  const next = game.initial();
  const outcomes = new Int32Array(game.maxLegal);
  const probabilities = new Float64Array(game.maxLegal);
  let chosen = 0;
  const kernel: NTupleKernel = {
    value: (lines, offset) => lookup.value(weights, lines, offset),
    best(lines) {
      const legal = after.slide(lines);
      let best = -Infinity;
      for (let direction = 0; direction < 4; direction++) {
        if (((legal >> direction) & 1) === 0) continue;
        const value = after.rewards[direction]! + lookup.value(weights, after.lines, 8 * direction);
        if (value > best) {
          best = value;
          chosen = direction;
        }
      }
      return best;
    },
    chosen: () => chosen,
    throughChance(state) {
      const count = game.chance.outcomes(state, outcomes, probabilities);
      let mean = 0;
      for (let i = 0; i < count; i++) {
        game.copy(state, next);
        game.play(next, outcomes[i]!);
        if (next.toMove === 0) mean += probabilities[i]! * kernel.best(next.lines);
      }
      return mean;
    },
    stepper(step) {
      const indices = new Int32Array(lookup.lookups);
      const rule: StepRule =
        step.use === "tc"
          ? new TemporalCoherence(step.rate, coherence, lookup.lookups)
          : new FixedRate(step.rate, lookup.lookups);
      return (lines, offset, target) => {
        lookup.indices(lines, offset, indices);
        if (!stages.promotes) return rule.step(weights, indices, target);
        stages.promote(weights, indices);
        const stepped = rule.step(weights, indices, target);
        stages.touch(weights, indices);
        return stepped;
      };
    },
    games: (options) => new PlainGames(kernel, game, options),
  };
  return kernel;
}
