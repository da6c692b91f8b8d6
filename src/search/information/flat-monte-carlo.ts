import { Type } from "../../schema.ts";
import { OVER } from "../../games/game.ts";
import { DecisionBuffer } from "../choice/decision-buffer.ts";
import type { SearchDefinition } from "../definition.ts";
import { ismctsOptions } from "./ismcts-options.ts";
import { mostVisited } from "../choice/move-choice.ts";
import { PlayoutPolicy } from "../playouts/playout-policy.ts";
import { TimeBudget } from "../time-budget.ts";

// The options are those of ISMCTS, which it is compared with.
const { simulations, milliseconds, exploration, epsilon } = ismctsOptions.properties;

const options = Type.Object(
  { simulations, milliseconds, exploration, epsilon },
  { additionalProperties: false },
);

/**
 * Flat Monte Carlo: UCB1 over the legal actions, without a tree. Each simulation is a playout after one of them, from a
 * position that agrees with what the player has seen. It plays the most visited action. A single legal action is played
 * at once, without values.
 */
export const flatMonteCarlo: SearchDefinition<typeof options> = {
  name: "flat-monte-carlo",
  description: "Playouts after each legal move, shared out by UCB1, without a tree.",
  options,
  needs: { value: false, policy: false, playouts: true },
  best: "visits",
  create(
    game,
    { simulations: number, milliseconds: time, exploration: c, epsilon: uniform },
    _nets,
    threadSeconds,
  ) {
    const buffer = new DecisionBuffer(game);
    const policy = new PlayoutPolicy(game, uniform);
    const budget = new TimeBudget(time, threadSeconds);
    const working = game.initial();
    const { players, information } = game;
    const deal = game.search?.deal;
    const before = new Float64Array(players);
    const after = new Float64Array(players);
    const sums = new Float64Array(game.maxLegal * players);
    return {
      maxRequest: 0,
      // oxlint-disable-next-line require-yield -- it makes no requests
      *search(state, random, _decisions, milliseconds) {
        const rows = buffer.open(state);
        const { actions, visits, actionValues } = rows;
        const mover = game.toMove(state);
        const currentDeal = deal?.(state);
        game.returns(state, before);
        sums.fill(0, 0, actions.length * players);
        budget.start(milliseconds);
        const enough = actions.length === 1 ? 0 : number;
        for (
          let done = 0;
          budget.limited && enough > 0 ? done === 0 || !budget.spent() : done < enough;
          done++
        ) {
          let best = 0;
          let greatest = -Infinity;
          for (let i = 0; i < actions.length; i++) {
            const n = visits[i]!;
            const value = n === 0 ? Infinity : actionValues[i]! + c * Math.sqrt((2 * Math.log(done)) / n);
            if (value > greatest) {
              greatest = value;
              best = i;
            }
          }
          if (information === undefined) game.copy(state, working);
          else information.determinize(state, mover, random, working);
          game.play(working, actions[best]!);
          if (game.toMove(working) !== OVER && deal?.(working) === currentDeal)
            policy.finish(working, random);
          game.returns(working, after);
          visits[best]!++;
          for (let seat = 0; seat < players; seat++)
            sums[best * players + seat]! += after[seat]! - before[seat]!;
          actionValues[best] = sums[best * players + mover]! / visits[best]!;
        }
        const best = mostVisited(visits, actionValues);
        const values = Array.from({ length: players }, (_, seat) =>
          visits[best] === 0 ? 0 : sums[best * players + seat]! / visits[best]!,
        );
        const decision = buffer.close(rows, best, values);
        return budget.reached === undefined ? decision : { ...decision, limit: budget.reached };
      },
    };
  },
};
