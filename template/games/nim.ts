/**
 * Nim (C. L. Bouton 1901): a move takes any number of objects from one heap; the seat that takes the last object wins.
 *
 * A game to begin with: change it into one of your own. Six functions are enough to play; what else a game can have is in
 * node_modules/ludoflow/docs/plugins.md.
 */
import { defineGame, integer, OVER } from "ludoflow";

export default defineGame({
  name: "nim",
  description: "Nim: take any number of objects from one heap; the last object wins.",
  players: 2,
  options: {
    heaps: integer({ min: 2, max: 8, default: 4, description: "Number of heaps: of 1, 3, 5, ... objects." }),
  },
  create: ({ heaps }, rules) => {
    const largest = 2 * heaps - 1;
    // Action a takes a % largest + 1 objects from heap floor(a / largest).
    const heapOf = (action: number) => Math.floor(action / largest);
    const takenBy = (action: number) => (action % largest) + 1;

    return rules({
      actions: heaps * largest,
      initial: () => ({
        heaps: Int8Array.from({ length: heaps }, (_, i) => 2 * i + 1),
        toMove: 0,
        winner: -1,
      }),
      toMove: (state) => state.toMove,
      legal(state, out) {
        if (state.toMove === OVER) return 0;
        let count = 0;
        for (let heap = 0; heap < heaps; heap++)
          for (let taken = 1; taken <= state.heaps[heap]!; taken++) out[count++] = heap * largest + taken - 1;
        return count;
      },
      play(state, action) {
        state.heaps[heapOf(action)]! -= takenBy(action);
        if (state.heaps.every((objects) => objects === 0)) {
          state.winner = state.toMove;
          state.toMove = OVER;
        } else state.toMove = 1 - state.toMove;
      },
      copy(from, into) {
        into.heaps.set(from.heaps);
        into.toMove = from.toMove;
        into.winner = from.winner;
      },
      returns(state, out) {
        for (let seat = 0; seat < 2; seat++) out[seat] = state.winner === seat ? 1 : 0;
      },
      // What follows may be left out: moves are then numbers, and a position is shown as JSON.
      notation: {
        format: (_, action) => `${String.fromCharCode(97 + heapOf(action))}${takenBy(action)}`,
        parse(state, text) {
          const heap = text.charCodeAt(0) - 97;
          const taken = Number(text.slice(1));
          return /^[a-h]\d+$/.test(text) && taken >= 1 && taken <= (state.heaps[heap] ?? 0)
            ? heap * largest + taken - 1
            : undefined;
        },
      },
      // What nets see: for each heap a row with a 1 for each object, and who moves. Without this part no net learns the game.
      nets: {
        planes: {
          heaps: {
            shape: [heaps, largest, 2],
            write(state, out, offset) {
              for (let cell = 0; cell < heaps * largest; cell++) {
                out[offset + 2 * cell] = cell % largest < state.heaps[heapOf(cell)]! ? 1 : 0;
                out[offset + 2 * cell + 1] = state.toMove === 1 ? 1 : 0;
              }
            },
          },
        },
      },
      drawing: {
        text: (state) =>
          Array.from(
            state.heaps,
            (objects, i) => `${String.fromCharCode(97 + i)} ${"|".repeat(objects)}`,
          ).join("\n"),
      },
    });
  },
});
