/**
 * A GTP program of Othello for tests that passes by itself, as GRhino does: it takes no pass in `play`, gets no `genmove` for a
 * seat that must pass, and its score gives the empty squares to the winner. It plays the first legal move.
 *
 * Arguments: what to do wrong, and at which of its own moves, from 1.
 */
import { createInterface } from "node:readline";
import { discCount } from "../../../src/games/othello/evaluations.ts";
import { GameOthello } from "../../../src/games/othello/othello.ts";

const [wrong, at] = process.argv.slice(2) as [string?, string?];
const game = new GameOthello({ size: 8 });
const legal = new Int32Array(game.maxLegal);
let state = game.initial();
let moves = 0;

/** The first legal action, after the passes that nobody tells. */
function first(): number {
  while (game.legal(state, legal) === 1 && legal[0] === game.board.pass) game.play(state, game.board.pass);
  return legal[0]!;
}

function score(): string {
  const [black, white] = [discCount(state, 0), discCount(state, 1)];
  const lead = black - white + Math.sign(black - white) * (64 - black - white);
  return lead === 0 ? "0" : `${lead > 0 ? "B" : "W"}+${Math.abs(lead) + (wrong === "miscount" ? 1 : 0)}`;
}

const responses: Readonly<Record<string, (args: readonly string[]) => string | undefined>> = {
  boardsize: ([size]) => (size === "8" ? "" : undefined),
  clear_board: () => {
    state = game.initial();
    return "";
  },
  list_commands: () => Object.keys(responses).join("\n"),
  play: ([colour, move]) => {
    first();
    const action = game.notation.parse(state, move!);
    if (colour !== "bw"[state.toMove] || action === undefined || move === "pass") return undefined;
    game.play(state, action);
    return "";
  },
  genmove: ([colour]) => {
    const action = first();
    if (colour !== "bw"[state.toMove]) return "pass";
    if (++moves === Number(at) && wrong === "occupied") return "E4";
    if (moves === Number(at) && wrong === "passes") return "pass";
    if (moves === Number(at) && wrong === "rows from the bottom") return "D6";
    const text = game.notation.format(state, action);
    game.play(state, action);
    return text.toUpperCase();
  },
  final_score: score,
  quit: () => process.exit(0),
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const [id, command, ...args] = line.split(" ") as [string, string, ...string[]];
  const response = responses[command]?.(args);
  process.stdout.write(response === undefined ? `?${id} syntax error\n\n` : `=${id} ${response}\n\n`);
});
