import { Type } from "../../schema.ts";
import { DecisionBuffer } from "../choice/decision-buffer.ts";
import type { SearchDefinition } from "../definition.ts";

const options = Type.Object({}, { additionalProperties: false });

/** The game's own rule-based player. It estimates nothing. */
export const defaultPlayer: SearchDefinition<typeof options> = {
  name: "default",
  description: "The game's own rule-based player: in Daihinmin the default client of the contest.",
  options,
  needs: { value: false, policy: false },
  best: "any",
  unsuited: ({ name, search }) =>
    search?.rulePlayer === undefined ? `${name} has no rule-based player` : undefined,
  create(game) {
    const buffer = new DecisionBuffer(game);
    const values = Array.from({ length: game.players }, () => 0);
    const rulePlayer = game.search!.rulePlayer!;
    return {
      maxRequest: 0,
      // oxlint-disable-next-line require-yield -- it makes no requests
      *search(state) {
        const rows = buffer.open(state);
        return buffer.close(rows, rows.actions.indexOf(rulePlayer(state)), values);
      },
    };
  },
};
