import type { Board } from "../../../figures/boards/board.ts";
import { CHANCE, OVER } from "../../../games/game.ts";
import type { GameConfig } from "../../../games/registry.ts";
import { Random } from "../../../random.ts";
import { boardOf } from "../board-of.ts";
import { openKnown } from "./known-games.ts";

/** Of a game of random moves, how much has been played. */
const PLAYED = 0.45;

/** A position in the midst of a game, for the picture beside its name: always the same one. Hands are hidden but for the first. */
export function sampleBoard(config: GameConfig): Board {
  const { game } = openKnown(config);
  const played = (most: number) => {
    const random = Random.named("page", "sample");
    const state = game.initial();
    const legal = new Int32Array(game.maxLegal);
    let plies = 0;
    for (let mover = game.toMove(state); mover !== OVER && plies < most; mover = game.toMove(state)) {
      const action =
        mover === CHANCE
          ? game.chance!.sample(state, random)
          : legal[random.below(game.legal(state, legal))]!;
      game.play(state, action);
      plies++;
    }
    return { plies, state };
  };
  const { plies } = played(1000);
  return boardOf(
    game,
    played(Math.floor(PLAYED * plies)).state,
    game.information === undefined ? undefined : 0,
  );
}
