import { Type } from "../../schema.ts";
import { DecisionBuffer } from "../choice/decision-buffer.ts";
import type { SearchDefinition } from "../definition.ts";
import { downgradeSchema, unsuitedDowngrade } from "../depth-first/downgrade.ts";
import { Expectimax } from "../depth-first/expectimax.ts";

const options = Type.Object({ downgrade: downgradeSchema }, { additionalProperties: false });

/**
 * `greedy` without a net: a move that the game prefers most (in Blokus one of a largest piece). Each such move is
 * equally likely. This is the rollout policy of BlokusZero's baseline without its random moves. The values of positions
 * are 0, and the action values are the preferences.
 */
const preferred: SearchDefinition<typeof options> = {
  name: "greedy",
  description: "A move that the game prefers most: in Blokus a largest piece.",
  options,
  needs: { value: false, policy: false },
  best: "value",
  unsuited: ({ name, search }, { downgrade }) =>
    search?.preference === undefined
      ? `${name} has no preference among moves; name a net that values positions`
      : downgrade === null
        ? undefined
        : "without a net no board is valued: leave downgrade out, or name a net",
  valueBounds: () => undefined,
  create(game) {
    const preference = game.search!.preference!;
    const buffer = new DecisionBuffer(game);
    const best = new Int32Array(game.maxLegal);
    const values = Array.from({ length: game.players }, () => 0);
    return {
      maxRequest: 0,
      // oxlint-disable-next-line require-yield -- it makes no requests
      *search(state, random) {
        const rows = buffer.open(state);
        const { actions, actionValues } = rows;
        let count = 0;
        let greatest = -Infinity;
        for (let i = 0; i < actions.length; i++) {
          const value = preference(actions[i]!);
          actionValues[i] = value;
          if (value < greatest) continue;
          if (value > greatest) {
            greatest = value;
            count = 0;
          }
          best[count++] = i;
        }
        return buffer.close(rows, best[random.below(count)]!, values);
      },
    };
  },
};

/**
 * Plays the first action with the greatest reward + V for the mover, where V is the net's value of the position after
 * the action: the afterstate if chance moves next. This is expectimax with 0 plies. Without a net see `preferred`.
 */
export const greedy: SearchDefinition<typeof options> = {
  name: "greedy",
  description:
    "The move with the greatest reward plus value of the position after it; without a net, a move that the game prefers most (in Blokus a largest piece).",
  options,
  needs: { value: true, policy: false },
  withoutNet: preferred,
  best: "value",
  unsuited: unsuitedDowngrade,
  create: (game, { downgrade }) => new Expectimax(game, 0, { downgrade }),
};
