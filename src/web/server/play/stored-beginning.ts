import { openRunFolder } from "../../../graph/folder/run-folder.ts";
import { storedGame } from "../games/stored-games.ts";
import { RequestRefused } from "../responses.ts";
import { gameAt } from "../run-paths.ts";
import type { PagePlayer } from "./player.ts";

/** A position of a stored game: the game by its address `NAME/ID/STAGE/3`, and the number of plies before the position. */
export interface StoredBeginning {
  readonly game?: unknown;
  readonly ply?: unknown;
}

/**
 * The plies of a stored game before a position, from which a game with this player can continue. `root` is the folder of runs. Throws
 * RequestRefused if there is no such game, or its options are not the player's.
 */
export function pliesBefore(root: string, { game, ply }: StoredBeginning, player: PagePlayer): number[] {
  const { folder, number, stage } = gameAt(root, typeof game === "string" ? game.split("/") : []);
  const { experiment } = openRunFolder(folder);
  const { actions } = storedGame(folder, stage, number);
  if (!Number.isInteger(ply) || (ply as number) < 0 || (ply as number) > actions.length)
    throw new RequestRefused(400, `The game has ${actions.length} plies.`);
  if (JSON.stringify(experiment.game) !== JSON.stringify(player.game))
    throw new RequestRefused(
      409,
      `${player.offer.name} plays this game with other options; choose another player.`,
    );
  return Array.from(actions.slice(0, ply as number));
}
