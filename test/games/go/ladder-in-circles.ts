// A thread with a small stack of calls, which reads one ladder: run by ladder.test.ts.
import { parentPort } from "node:worker_threads";
import { goBoard } from "../../../src/games/go/board.ts";
import { LadderReader } from "../../../src/games/go/ladder.ts";
import { goRules } from "../../../src/games/go/options.ts";
import { setUpGo } from "../../../src/games/go/set-up.ts";
import { boardOf, plainRules } from "./reference.ts";

// Kos beside White's chain at 1,1 let both sides take back without end.
const rows = `
  . X . X . O . O O
  X O O X X . O O .
  O . X . X X . O X
  . O O X O . O O O
  O . X X . O X X .
  X O . O . . X X O
  X . O X X O X . X
  . X O . X O O X O
  . . O X X O X X .`;
const board = goBoard(9);
const rules = goRules({ ...plainRules, handicap: 0, size: 9 });
const state = setUpGo(rules, boardOf(rows), 0)!;
const before = state.colour.slice();
const caught = new LadderReader(board).captures(state.colour, board.cellOf[10]!, board.cellOf[2]!);
parentPort!.postMessage({
  caught,
  restored: before.every((colour, cell) => colour === state.colour[cell]),
});
