/**
 * A game of lines on a square board, with the mistakes that authors of games make, each behind an option. Without them it is a
 * sound game: who first has `line` stones in a row, a column or a diagonal wins, and a full board is a draw.
 */
import { choice, defineGame, flag, integer, OVER } from "ludoflow";

export default defineGame({
  name: "lines",
  description: "Stones in a line on a square board, with planted mistakes.",
  players: 2,
  options: {
    size: integer({ min: 3, max: 9, default: 3, description: "Cells of a side." }),
    line: integer({ min: 2, max: 9, default: 3, description: "Stones of a line." }),
    cutOff: integer({
      min: 0,
      max: 81,
      default: 0,
      description: "Stones after which a game is a draw; 0: none.",
    }),
    planes: choice(["both", "stones", "zero"], { default: "both", description: "What nets see." }),
    confirmations: integer({
      min: 0,
      max: 20,
      default: 0,
      description: "Decisions with one legal move after each stone.",
    }),
    oneSided: flag({ default: false, description: "Whether seat 1 makes no lines." }),
  },
  create: ({ size, line, cutOff, planes, confirmations, oneSided }, rules) => {
    const cells = size * size;
    const confirm = cells;

    /** Whether the stone on a cell is in a line. */
    function wins(board: Int8Array, cell: number): boolean {
      const stone = board[cell];
      if (oneSided && stone === 2) return false;
      const [row, column] = [Math.floor(cell / size), cell % size];
      const reach = (down: number, right: number): number => {
        let count = 0;
        for (
          let y = row + down, x = column + right;
          y >= 0 && y < size && x >= 0 && x < size;
          y += down, x += right
        ) {
          if (board[y * size + x] !== stone) break;
          count++;
        }
        return count;
      };
      return [
        [0, 1],
        [1, 0],
        [1, 1],
        [1, -1],
      ].some(([down, right]) => 1 + reach(down!, right!) + reach(-down!, -right!) >= line);
    }

    return rules({
      actions: cells + (confirmations > 0 ? 1 : 0),
      initial: () => ({ board: new Int8Array(cells), stones: 0, toConfirm: 0, toMove: 0, winner: -1 }),
      toMove: (state) => state.toMove,
      legal(state, out) {
        if (state.toMove === OVER) return 0;
        if (state.toConfirm > 0) {
          out[0] = confirm;
          return 1;
        }
        let count = 0;
        for (let cell = 0; cell < cells; cell++) if (state.board[cell] === 0) out[count++] = cell;
        return count;
      },
      play(state, action) {
        if (action === confirm) {
          if (--state.toConfirm === 0) state.toMove = 1 - state.toMove;
          return;
        }
        state.board[action] = state.toMove + 1;
        state.stones++;
        if (wins(state.board, action)) {
          state.winner = state.toMove;
          state.toMove = OVER;
        } else if (state.stones === (cutOff === 0 ? cells : Math.min(cutOff, cells))) state.toMove = OVER;
        else if (confirmations > 0) state.toConfirm = confirmations;
        else state.toMove = 1 - state.toMove;
      },
      copy(from, into) {
        into.board.set(from.board);
        into.stones = from.stones;
        into.toConfirm = from.toConfirm;
        into.toMove = from.toMove;
        into.winner = from.winner;
      },
      returns(state, out) {
        const drawn = state.toMove === OVER && state.winner < 0 ? 0.5 : 0;
        for (let seat = 0; seat < 2; seat++) out[seat] = state.winner === seat ? 1 : drawn;
      },
      nets: {
        planes: {
          stones: {
            shape: [size, size, 2],
            write({ board, toMove }, out, offset) {
              for (let cell = 0; cell < cells; cell++) {
                const stone = board[cell]!;
                const own = planes === "both" ? stone === toMove + 1 : planes === "stones" && stone !== 0;
                out[offset + 2 * cell] = own ? 1 : 0;
                out[offset + 2 * cell + 1] = planes === "both" && stone === 2 - toMove ? 1 : 0;
              }
            },
          },
        },
        actionPlanes: { planes: 1, offBoard: confirmations > 0 ? 1 : 0, index: (action) => action },
      },
    });
  },
});
