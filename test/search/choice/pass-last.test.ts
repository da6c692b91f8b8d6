import { expect, it } from "vitest";
import type { Evaluator } from "../../../src/games/evaluation.ts";
import { openGame } from "../../../src/games/registry.ts";
import { Random } from "../../../src/random.ts";
import { drive } from "../../../src/search/drive.ts";
import { openSearch, SearchNotOpened } from "../../../src/search/registry.ts";
import { casesOf } from "../../number-of-cases.ts";

const game = openGame("go", { size: 5, komi: 0.5 });

/** Searches with the option: by playouts, and guided by a net that knows nothing, with playouts at the leaves. */
const searches = {
  uct: { exploration: 0.5 },
  "apv-mcts": { cPuct: 1, expansion: 1, priorTemperature: 1, batch: 1 },
  "puct-max-n": { cInit: 1, playouts: { weight: 1, epsilon: 0 } },
};
const knowsNothing: Evaluator<unknown> = {
  evaluate: ({ count, values, priors }) => {
    values.fill(0.5, 0, count * game.players);
    priors?.fill(1 / 26);
  },
};

/** How a position ends in which the mover searches and the other side passes: the moves of the mover, and the last board. */
function playedOn(use: keyof typeof searches, position: string, passLast: boolean, seed: number) {
  const reading = game.notation.parsePosition(position);
  if ("error" in reading) throw new TypeError(position);
  const { state } = reading;
  const search = openSearch(use, game, { simulations: 100, reuse: false, passLast, ...searches[use] });
  const random = Random.named("pass last", seed);
  const own = game.toMove(state);
  const moves: string[] = [];
  while (game.toMove(state) >= 0 && moves.length < 40) {
    if (game.toMove(state) === own) {
      const { action } = drive(search.search(state, random, 0), knowsNothing);
      moves.push(game.notation.format(state, action));
      game.play(state, action);
    } else game.play(state, game.search!.passes!.pass);
  }
  return { moves, board: game.notation.position(state).split(" ")[0]! };
}

const uses = ["uct", "apv-mcts", "puct-max-n"] as const;
const seeds = Array.from({ length: casesOf(8) }, (_, seed) => seed);

it.each(uses)("%s captures what is dead before it passes, where it has won", (use) => {
  // Black has all but two white stones, which cannot live. White passes, and a pass of Black ends the game as well.
  const won = "1X2O/XXXXX/1X1XX/XXXXX/O1XX1 X";
  const whites = (passLast: boolean) =>
    seeds.filter((seed) => playedOn(use, won, passLast, seed).board.includes("O"));
  expect(whites(true)).toEqual([]);
  expect(whites(false)).not.toEqual([]);
  for (const seed of seeds) expect(playedOn(use, won, true, seed).moves.at(-1)).toBe("pass");
});

it.each(uses)("%s passes as without the option where it has lost", (use) => {
  const lost = "1O1OX/OOOO1/1O1OO/OOOOO/1O1O1 X";
  for (const seed of seeds) expect(playedOn(use, lost, true, seed)).toEqual(playedOn(use, lost, false, seed));
});

it.each(uses)("%s refuses it for games without passes", (use) => {
  expect(() => openSearch(use, openGame("tic-tac-toe"), { passLast: true })).toThrow(SearchNotOpened);
});
