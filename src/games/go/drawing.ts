import type { GridBoard } from "../../figures/boards/board.ts";
import { completeDrawing } from "../complete-drawing.ts";
import { OVER } from "../game.ts";
import type { Drawing } from "../game.ts";
import { EMPTY, PASS_CELL } from "./board.ts";
import { columnLetters } from "./notation/coordinates.ts";
import { starPoints } from "./handicap.ts";
import { type GoRefusal, refusalOfCell } from "./legal.ts";
import type { GoRules } from "./options.ts";
import { goScore } from "./score.ts";
import { type GoState, lastMove } from "./state.ts";

/** By seat: its name, and the letter of its stones. */
const SEATS = [
  { name: "Black", letter: "X" },
  { name: "White", letter: "O" },
] as const;

const REFUSALS: Readonly<Record<GoRefusal, string | undefined>> = {
  taken: undefined,
  ko: "Ko: this stone would restore the position before the last move. Play elsewhere first.",
  suicide: "Suicide: a stone there would have no liberty and capture nothing.",
  superko: "Superko: this stone would repeat an earlier position.",
};

/**
 * Boards of Go: as text like GNU Go's, with `X` and `O`, `+` on star points, and the last move in parentheses; as SVG on
 * wood, with a ring on the last move. Both show the stones captured, the present area, and the seat to move.
 */
export function goDrawing(rules: GoRules): Drawing<GoState> {
  const { board } = rules;
  const { size, points, cellOf } = board;
  const stars = new Set(starPoints(size));
  const letters = columnLetters(size);
  const areas = new Float64Array(2);

  /** A line for each seat: the stones that it has captured, its area, whether it is to move or has just passed. */
  const notes = (state: GoState): string[] => {
    goScore(state, board, areas);
    return SEATS.map(({ name, letter }, seat) => {
      const status = state.toMove === seat ? ", to move" : hasPassed(state, seat) ? ", passed" : "";
      const over = state.toMove === OVER ? ", over" : "";
      return `${name} (${letter}) has captured ${state.prisoners[1 - seat]}, area ${areas[seat]}${status}${over}`;
    });
  };

  const position = (state: GoState): GridBoard => {
    goScore(state, board, areas);
    const last = lastMove(state, 1);
    const point = last < 0 || last === PASS_CELL ? -1 : cellOf.indexOf(last);
    return {
      kind: "grid",
      columns: size,
      rows: size,
      ground: "points",
      columnNames: letters,
      rowNames: letters.map((_, row) => String(size - row)),
      dots: [...stars],
      pieces: Array.from({ length: points }, (_, each) => each).flatMap((each) => {
        const colour = state.colour[cellOf[each]!]!;
        return colour === EMPTY ? [] : [{ seat: colour - 1, shape: "stone" as const, cells: [each] }];
      }),
      ...(point < 0 ? {} : { last: [point] }),
      seats: SEATS.map((_, seat) => ({
        score: `area ${areas[seat]}, captured ${state.prisoners[1 - seat]}`,
        ...(hasPassed(state, seat) ? { note: "passed" } : {}),
      })),
    };
  };

  return completeDrawing({
    seats: SEATS.map(({ name }) => name),
    text(state) {
      const last = lastMove(state, 1);
      const header = `   ${letters.join(" ")}`;
      const lines = [header];
      for (let row = 0; row < size; row++) {
        let line = String(size - row).padStart(2);
        for (let column = 0; column < size; column++) {
          const point = row * size + column;
          const cell = cellOf[point]!;
          const colour = state.colour[cell]!;
          const before = column > 0 && cellOf[point - 1] === last ? ")" : " ";
          line += cell === last ? "(" : before;
          line += colour !== EMPTY ? SEATS[colour - 1]!.letter : stars.has(point) ? "+" : ".";
        }
        line += last === cellOf[row * size + size - 1] ? ")" : " ";
        lines.push(`${line}${size - row}`);
      }
      return [...lines, header, ...notes(state)].join("\n");
    },

    board: position,
    place: (_, action) => (action < points ? { cells: [action] } : undefined),
    refusal: (state, point) => REFUSALS[refusalOfCell(state, rules, cellOf[point]!) ?? "taken"],
  });
}

/** Whether the last move was a pass of this seat. */
function hasPassed(state: GoState, seat: number): boolean {
  return lastMove(state, 1) === PASS_CELL && (state.first + state.plies) % 2 !== seat;
}
