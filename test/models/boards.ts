import type { Game, PlaneEncoding } from "../../src/games/game.ts";
import type { NetDefinition } from "../../src/models/definition.ts";
import type { Net } from "../../src/models/net.ts";
import { completeOptions } from "../../src/options.ts";
import type { Static, TObject } from "../../src/schema.ts";

/**
 * As much of a game as nets look at. With `planes` actions lie on the board, in the order of the cells and in that of
 * the planes on every cell, so that an action's place is not its number; the last `offBoard` actions lie on no cell.
 * Without `encoding` the planes travel as floats.
 */
export function boardGame(
  players: number,
  actions: number,
  shape: readonly [number, number, number],
  planes?: number,
  encoding?: readonly PlaneEncoding[],
  offBoard = 0,
): Game<unknown> {
  const cells = shape[0] * shape[1];
  const onBoard = actions - offBoard;
  const index = (action: number) =>
    action < onBoard
      ? (action % planes!) * cells + Math.floor(action / planes!)
      : planes! * cells + action - onBoard;
  return {
    name: "board",
    players,
    actions,
    maxLegal: actions,
    returnBounds: [-80, 20],
    nets: {
      planes: { board: { shape, ...(encoding === undefined ? {} : { encoding }) } },
      ...(planes === undefined ? {} : { actionPlanes: { planes, offBoard, index } }),
    },
  } as unknown as Game<unknown>;
}

/** A net for a game with these options; the others are their defaults. */
export function netOf<O extends TObject>(
  definition: NetDefinition<O>,
  game: Game<unknown>,
  given: Readonly<Partial<Static<O>>>,
): Net {
  const completed = completeOptions(definition.options, given as Readonly<Record<string, unknown>>);
  if ("wrong" in completed) throw new Error(completed.wrong);
  return definition.build(game, completed.options);
}
