import { expect, it } from "vitest";
import { openGame } from "../../../src/games/registry.ts";
import { Random } from "../../../src/random.ts";
import { drive } from "../../../src/search/drive.ts";
import { openSearch, SearchNotOpened } from "../../../src/search/registry.ts";

const game = openGame("go", { size: 5, komi: 0.5 });
const never = { evaluate: () => undefined };

/** The moves of both sides from a position on, the other side passing; by seat to move first. */
function playedOn(position: string, passLast: boolean): string[] {
  const reading = game.notation.parsePosition(position);
  if ("error" in reading) throw new TypeError(position);
  const { state } = reading;
  const search = openSearch("uct", game, { simulations: 400, exploration: 0.5, passLast });
  const random = Random.named("pass last");
  const own = game.toMove(state);
  const moves: string[] = [];
  const pass = game.search!.pass!;
  while (game.toMove(state) >= 0 && moves.length < 40) {
    const action = game.toMove(state) === own ? drive(search.search(state, random, 0), never).action : pass;
    if (game.toMove(state) === own) moves.push(game.notation.format(state, action));
    game.play(state, action);
  }
  return moves;
}

it("captures what is dead before it passes, where it has won", () => {
  // Black has all but a white stone in the corner, which cannot live; White passes.
  const won = "1X2O/XXXXX/1X1XX/XXXXX/1X1X1 X";
  const moves = playedOn(won, true);
  expect(moves).toContain("D5");
  expect(moves.at(-1)).toBe("pass");
});

it("passes as without the option where it has lost", () => {
  const lost = "1O1OX/OOOO1/1O1OO/OOOOO/1O1O1 X";
  expect(playedOn(lost, true)).toEqual(playedOn(lost, false));
});

it("is refused for games without passes", () => {
  expect(() => openSearch("uct", openGame("tic-tac-toe"), { passLast: true })).toThrow(SearchNotOpened);
});
