import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { OVER } from "../../../src/games/game.ts";
import { GameGo } from "../../../src/games/go/go.ts";
import { Random } from "../../../src/random.ts";

/** Writes random games on 5x5 between players of 6 dan as a new folder of SGF. */
export function writeArchive(folder: string): void {
  const game = new GameGo({ size: 5, komi: 0 } as ConstructorParameters<typeof GameGo>[0]);
  const random = Random.named("archive");
  const legal = new Int32Array(game.maxLegal);
  mkdirSync(folder);
  for (let number = 0; number < 60; number++) {
    const state = game.initial();
    let text = "(;GM[1]FF[4]SZ[5]KM[0]BR[6d]WR[6d]RE[B+R]";
    for (let ply = 0; ply < 24 && game.toMove(state) !== OVER; ply++) {
      // Mostly the first legal point, so that there is something to predict.
      const count = game.legal(state, legal) - 1;
      const move = count > 0 ? legal[random.below(4) === 0 ? random.below(count) : 0]! : 25;
      const letter = (coordinate: number) => String.fromCodePoint(97 + coordinate);
      const point = move === 25 ? "" : letter(move % 5) + letter(Math.floor(move / 5));
      text += `;${ply % 2 === 0 ? "B" : "W"}[${point}]`;
      game.play(state, move);
    }
    writeFileSync(join(folder, `${number}.sgf`), `${text})`);
  }
}
