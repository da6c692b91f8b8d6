import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { MoveShown, PlayView } from "../../views/play-views.ts";
import { useFreshSignal } from "../parts/fresh-signal.ts";
import type { HandProps } from "./hand.ts";
import { legalMarks } from "./legal-marks.tsx";
import { MoveButtons } from "./move-buttons.tsx";
import { reachOf } from "./move-kind.ts";

/** More legal moves than these are not marked by dots unless all are asked for: almost every empty point would have one. */
const MOST_DOTS = 24;

/** Why no move reaches a cell. */
function refusalOf({ board, refusals }: PlayView, cell: number): string {
  const [known] = Object.entries(refusals).find(([, cells]) => cells.includes(cell)) ?? [];
  const taken = board?.kind === "grid" && board.pieces.some(({ cells }) => cells.includes(cell));
  return known ?? (taken ? "This cell is taken." : "No legal move lies there.");
}

/** Moves at cells: by a pointer, or by arrow keys and Enter. Moves that lie nowhere, as a pass, are buttons. */
export function CellsHand({ children, onPlay, seat, shown, view }: HandProps) {
  const cursor = useSignal<number | undefined>(undefined);
  const looked = useFreshSignal<number | undefined>(undefined, [view.ply]);
  const refused = useFreshSignal<string | undefined>(undefined, [view.ply]);
  const { moves } = view;
  const placed = moves.filter((move) => reachOf(move).length > 0);
  const others = moves.filter((move) => reachOf(move).length === 0);
  const at = (cell: number | undefined) =>
    cell === undefined ? undefined : placed.find((move) => reachOf(move).includes(cell));
  useEffect(() => {
    if (shown?.place?.cells?.[0] !== undefined) cursor.value = shown.place.cells[0];
  }, [shown]);
  const { columns, rows } = view.board?.kind === "grid" ? view.board : { columns: 1, rows: 1 };
  const step = (dx: number, dy: number) => {
    const from = cursor.value ?? Math.floor(rows / 2) * columns + Math.floor(columns / 2);
    // The first press shows where the mark is.
    if (cursor.value === undefined) {
      cursor.value = from;
      return;
    }
    const x = Math.min(columns - 1, Math.max(0, (from % columns) + dx));
    const y = Math.min(rows - 1, Math.max(0, Math.floor(from / columns) + dy));
    cursor.value = y * columns + x;
  };
  const play = (cell: number | undefined) => {
    const move = at(cell);
    if (move !== undefined) onPlay(move);
    else if (cell !== undefined) refused.value = refusalOf(view, cell);
  };
  const pointed = looked.value ?? cursor.value;
  const move: MoveShown | undefined = at(pointed);
  const mine = moves.length > 0;
  const marks = legalMarks();
  return (
    <>
      {children({
        marks: mine
          ? {
              ...(seat === undefined ? {} : { seat }),
              dots:
                marks === "all" || (marks === "dots" && placed.length <= MOST_DOTS)
                  ? placed.flatMap(({ place }) => place?.cells ?? [])
                  : [],
              ...(pointed === undefined
                ? {}
                : { ghost: { cells: move?.place?.cells ?? [pointed], legal: move !== undefined } }),
            }
          : {},
        dots: `up to ${MOST_DOTS}`,
        ...(mine ? { onPress: ({ cell }) => play(cell) } : {}),
        onLook: (target) => {
          looked.value = mine && at(target?.cell) !== undefined ? target?.cell : undefined;
        },
        keys: mine
          ? {
              ArrowLeft: () => step(-1, 0),
              ArrowRight: () => step(1, 0),
              ArrowUp: () => step(0, -1),
              ArrowDown: () => step(0, 1),
              Enter: () => play(cursor.value),
              Escape: () => (cursor.value = undefined),
            }
          : {},
        refused: refused.value,
        says:
          placed.length === 0
            ? "Nothing fits on the board: choose below."
            : "Press a cell, or use the arrow keys and Enter.",
        panel: mine && others.length > 0 && (
          <MoveButtons moves={others} label="Other moves" onPlay={onPlay} />
        ),
      })}
    </>
  );
}
