import { expect, it } from "vitest";
import { openGame } from "../../../src/games/registry.ts";
import { Random } from "../../../src/random.ts";
import { drive } from "../../../src/search/drive.ts";
import { openSearch, SearchNotOpened } from "../../../src/search/registry.ts";

const game = openGame("go", { size: 5, komi: 0.5 });
const never = { evaluate: () => undefined };

/** How a position ends in which the mover searches and the other side passes: the moves of the mover, and the last board. */
function playedOn(position: string, passLast: boolean, seed: number) {
  const reading = game.notation.parsePosition(position);
  if ("error" in reading) throw new TypeError(position);
  const { state } = reading;
  const search = openSearch("uct", game, { simulations: 100, exploration: 0.5, passLast });
  const random = Random.named("pass last", seed);
  const own = game.toMove(state);
  const moves: string[] = [];
  while (game.toMove(state) >= 0 && moves.length < 40) {
    if (game.toMove(state) === own) {
      const { action } = drive(search.search(state, random, 0), never);
      moves.push(game.notation.format(state, action));
      game.play(state, action);
    } else game.play(state, game.search!.passes!.pass);
  }
  return { moves, board: game.notation.position(state).split(" ")[0]! };
}

const seeds = Array.from({ length: 8 }, (_, seed) => seed);

it("captures what is dead before it passes, where it has won", () => {
  // Black has all but two white stones, which cannot live. White passes, and a pass of Black ends the game as well.
  const won = "1X2O/XXXXX/1X1XX/XXXXX/O1XX1 X";
  const whites = (passLast: boolean) =>
    seeds.filter((seed) => playedOn(won, passLast, seed).board.includes("O"));
  expect(whites(true)).toEqual([]);
  expect(whites(false)).not.toEqual([]);
  for (const seed of seeds) expect(playedOn(won, true, seed).moves.at(-1)).toBe("pass");
});

it("passes as without the option where it has lost", () => {
  const lost = "1O1OX/OOOO1/1O1OO/OOOOO/1O1O1 X";
  for (const seed of seeds) expect(playedOn(lost, true, seed)).toEqual(playedOn(lost, false, seed));
});

it("is refused for games without passes", () => {
  expect(() => openSearch("uct", openGame("tic-tac-toe"), { passLast: true })).toThrow(SearchNotOpened);
});
