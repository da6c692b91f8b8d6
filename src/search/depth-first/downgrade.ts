import type { Game } from "../../games/game.ts";
import { Type } from "../../schema.ts";

/** The option `downgrade`: the tile from which on boards are searched downgraded. */
export const downgradeSchema = Type.Optional(
  Type.Union([Type.Integer({ minimum: 4, maximum: 131_072 }), Type.Null()], {
    default: null,
    description:
      "Tile-downgrading in 2048 (Guei, Chen and Wu 2021): a tile, such as 16384. A board with this tile or a greater one is searched with its greatest tiles halved, down to the first tile that is missing, so that the net values boards that it knows better. The values of the search are those of the downgraded board. null: off.",
  }),
);

/**
 * The reason, in words, why a game's boards cannot be downgraded from this tile on; undefined if they can, or for
 * null.
 */
export function unsuitedDowngrade<S>(
  game: Game<S>,
  { downgrade }: { readonly downgrade: number | null },
): string | undefined {
  if (downgrade === null) return undefined;
  if (game.search?.downgrade === undefined)
    return `${game.name} has no tiles to downgrade: leave downgrade out`;
  if (!Number.isInteger(Math.log2(downgrade)))
    return `downgrade is ${downgrade}, which is not a tile: name a power of two, such as 16384`;
  return undefined;
}

/**
 * The reason why an agent's search values are not to be learned: they are values of downgraded boards. Else undefined.
 */
export function valuesOfLesser(agent: string, config: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof config["downgrade"] !== "number") return undefined;
  return `"${agent}" searches lesser boards in place of great ones (downgrade), and what it finds there is no value of theirs: leave downgrade out of agents.${agent}`;
}
