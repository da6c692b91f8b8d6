import type { Game } from "../../games/game.ts";
import { Type } from "../../schema.ts";

/** From which tile on boards are searched as downgraded, as a setting. */
export const downgradeSchema = Type.Optional(
  Type.Union([Type.Integer({ minimum: 4, maximum: 131_072 }), Type.Null()], {
    default: null,
    description:
      "In 2048, a tile: boards that have it or a greater one are searched with their greatest tiles halved, down to one that is missing, so that the net is asked about boards it knows better (tile-downgrading: Guei, Chen and Wu 2021). The values told are those of such boards. null: no.",
  }),
);

/** Why a game's boards cannot be downgraded from this tile on, in words; undefined where they can, or are not to be. */
export function unsuitedDowngrade<S>(
  game: Game<S>,
  { downgrade }: { readonly downgrade: number | null },
): string | undefined {
  if (downgrade === null) return undefined;
  if (game.search?.downgrade === undefined)
    return `${game.name} has no tiles to downgrade: leave downgrade out`;
  if (!Number.isInteger(Math.log2(downgrade)))
    return `downgrade is ${downgrade}, which is no tile: name a power of two, such as 16384`;
  return undefined;
}

/** Why what an agent's search finds is not to be learned as values of the boards it played; undefined where it is. */
export function valuesOfLesser(agent: string, config: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof config["downgrade"] !== "number") return undefined;
  return `"${agent}" searches lesser boards in place of great ones (downgrade), and what it finds there is no value of theirs: leave downgrade out of agents.${agent}`;
}
