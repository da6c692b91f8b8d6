import type { Board } from "../../../figures/boards/board.ts";
import type { GameView } from "../../views/game-views.ts";
import { PieceIcon } from "../boards/piece-shape.tsx";

/** A line for each seat: its colour, agent, score, and the pieces that it has left. */
export function SeatLines({
  board,
  mover,
  names,
  view,
}: {
  readonly view: GameView;
  readonly names: readonly string[];
  readonly board: Board;
  readonly mover: number | undefined;
}) {
  return (
    <ul class="seat-lines">
      {names.map((name, seat) => {
        const { left = [], note, score } = board.seats[seat] ?? {};
        return (
          <li key={seat}>
            <i class={`swatch seat-${seat % 6}`} aria-hidden="true" />
            <b title={name}>{name}</b>
            {view.seats[seat]!.name !== undefined && <span class="muted">{view.seats[seat]!.name}</span>}
            {score !== undefined && (
              <span class="seat-points">
                {/^[\d−.,]+$/.test(score) && <span class="muted">score </span>}
                {score}
              </span>
            )}
            {note !== undefined && <span class="muted">{note}</span>}
            {mover === seat && names.length > 1 && <span class="to-move">to move</span>}
            {left.length > 0 && (
              <span class="pieces-left" title={`${left.length} pieces left`}>
                {left.map((piece) => {
                  const shape = view.pieceShapes?.[piece];
                  return shape && <PieceIcon key={piece} shape={shape} seat={seat} cell={4} />;
                })}
                <span class="hidden">{left.length} pieces left</span>
              </span>
            )}
          </li>
        );
      })}
      {board.notes !== undefined && <li class="muted">{board.notes.join(", ")}</li>}
    </ul>
  );
}
