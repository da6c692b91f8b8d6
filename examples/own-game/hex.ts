/**
 * Hex (P. Hein 1942, J. Nash 1948): Black connects the top side with the bottom, White the left side with the right. Cells
 * touch along rows and columns, and diagonally from the upper right to the lower left. One of the two always wins.
 */
import { defineGame, integer, OVER } from "ludoflow";

export default defineGame({
  name: "hex",
  description: "Hex: two players connect opposite sides of a rhombus of hexagons.",
  players: 2,
  options: {
    size: integer({ min: 2, max: 19, default: 11, description: "Cells of a side." }),
  },
  create: ({ size }, rules) => {
    const cells = size * size;
    const steps = [-size, 1 - size, -1, 1, size - 1, size];
    const row = (cell: number) => Math.floor(cell / size);
    const column = (cell: number) => cell % size;

    /** Whether the stones that hang together with a new one touch both sides of their seat. */
    function connects(board: Int8Array, start: number): boolean {
      const along = board[start] === 1 ? row : column;
      const found = new Set([start]);
      let first = false;
      let last = false;
      for (const cell of found) {
        if (along(cell) === 0) first = true;
        if (along(cell) === size - 1) last = true;
        for (const step of steps) {
          const beside = cell + step;
          const near = beside >= 0 && beside < cells && Math.abs(column(beside) - column(cell)) <= 1;
          if (near && board[beside] === board[start]) found.add(beside);
        }
      }
      return first && last;
    }

    return rules({
      actions: cells,
      initial: () => ({ board: new Int8Array(cells), toMove: 0, winner: -1 }),
      toMove: (state) => state.toMove,
      legal(state, out) {
        if (state.toMove === OVER) return 0;
        let count = 0;
        for (let cell = 0; cell < cells; cell++) if (state.board[cell] === 0) out[count++] = cell;
        return count;
      },
      play(state, action) {
        state.board[action] = state.toMove + 1;
        if (connects(state.board, action)) {
          state.winner = state.toMove;
          state.toMove = OVER;
        } else state.toMove = 1 - state.toMove;
      },
      copy(from, into) {
        into.board.set(from.board);
        into.toMove = from.toMove;
        into.winner = from.winner;
      },
      returns(state, out) {
        for (let seat = 0; seat < 2; seat++) out[seat] = state.winner === seat ? 1 : 0;
      },
      // What follows may be left out: moves are then numbers, and there is no board to look at, and no net.
      notation: {
        format: (_, action) => `${String.fromCharCode(97 + column(action))}${row(action) + 1}`,
        parse(state, text) {
          const cell = text.charCodeAt(0) - 97 + size * (Number(text.slice(1)) - 1);
          const free = state.toMove !== OVER && state.board[cell] === 0;
          return /^[a-s]\d+$/.test(text) && text.charCodeAt(0) - 97 < size && free ? cell : undefined;
        },
      },
      drawing: {
        text: ({ board }) =>
          Array.from(
            { length: size },
            (_, y) =>
              " ".repeat(y) +
              [...board.subarray(y * size, y * size + size)].map((stone) => ".XO"[stone]).join(" "),
          ).join("\n"),
      },
      // The half turn exchanges the two sides of each player, so each position gives two examples.
      symmetry: {
        count: 2,
        transform(state, symmetry, into) {
          into.board.set(state.board);
          if (symmetry === 1) into.board.reverse();
          into.toMove = state.toMove;
          into.winner = state.winner;
        },
        action: (action, symmetry) => (symmetry === 1 ? cells - 1 - action : action),
        seat: (seat) => seat,
      },
      nets: {
        planes: {
          // The own stones, and the opponent's.
          stones: {
            shape: [size, size, 2],
            write({ board, toMove }, out, offset) {
              for (let cell = 0; cell < cells; cell++) {
                out[offset + 2 * cell] = board[cell] === toMove + 1 ? 1 : 0;
                out[offset + 2 * cell + 1] = board[cell] === 2 - toMove ? 1 : 0;
              }
            },
          },
        },
        actionPlanes: { planes: 1, index: (action) => action },
      },
    });
  },
});
