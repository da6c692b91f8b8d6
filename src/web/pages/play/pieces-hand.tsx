import { useEffect, useRef } from "preact/hooks";
import { fixed } from "../../../figures/number-text.ts";
import type { BoardTarget } from "../boards/board-view.tsx";
import { PieceIcon } from "../boards/piece-shape.tsx";
import { useFreshSignal } from "../parts/fresh-signal.ts";
import type { HandProps } from "./hand.ts";
import { legalMarks } from "./legal-marks.tsx";
import { pieceWords } from "./piece-names.ts";
import {
  cellsOf,
  flipped,
  type Ghost,
  ghostOf,
  misfit,
  movedTo,
  moveUnder,
  nearestFit,
  normalShape,
  openCorners,
  fittingPlaces,
  reshaped,
  type BlockShape,
  turned,
} from "./placements.ts";

/** How far above a finger the piece is held, in pixels. */
const ABOVE_FINGER = 48;

/** Moves with pieces of several squares: choose one, turn and flip it, lay it down. */
export function PiecesHand({ children, onPlay, seat, shown, view }: HandProps) {
  const ghost = useFreshSignal<Ghost | undefined>(undefined, [view.ply]);
  const pointer = useRef<{ down: boolean; touch: boolean }>({ down: false, touch: false });
  const { board, moves, pieceShapes = {} } = view;
  const grid = board?.kind === "grid" ? board : undefined;
  const size = { columns: grid?.columns ?? 1, rows: grid?.rows ?? 1 };
  const mine = seat !== undefined && moves.length > 0;
  useEffect(() => {
    const hinted = shown && ghostOf(shown, size);
    if (hinted !== undefined) ghost.value = hinted;
  }, [shown]);
  useEffect(() => {
    const begin = (event: PointerEvent) =>
      (pointer.current = { down: true, touch: event.pointerType === "touch" });
    const end = () => (pointer.current = { ...pointer.current, down: false });
    document.addEventListener("pointerdown", begin, true);
    document.addEventListener("pointerup", end, true);
    document.addEventListener("pointercancel", end, true);
    return () => {
      document.removeEventListener("pointerdown", begin, true);
      document.removeEventListener("pointerup", end, true);
      document.removeEventListener("pointercancel", end, true);
    };
  }, []);

  const left = (seat === undefined ? undefined : grid?.seats[seat]?.left) ?? [];
  const fitting = new Set(moves.flatMap(({ place }) => place?.piece ?? []));
  const held = ghost.value;
  const under = held && moveUnder(held, moves, size);

  const take = (piece: string) => {
    const shape: BlockShape = normalShape(pieceShapes[piece] ?? []);
    const middle = { x: Math.floor(size.columns / 2) - 1, y: Math.floor(size.rows / 2) - 1 };
    const from = movedTo({ piece, shape, ...middle }, held?.x ?? middle.x, held?.y ?? middle.y, size);
    ghost.value = fittingPlaces(from, moves, size)[0] ?? from;
  };
  const choose = (letter: string) => {
    const named = left.filter((piece) => piece.toLowerCase().startsWith(letter) && fitting.has(piece));
    const next = named[(named.indexOf(held?.piece ?? "") + 1) % Math.max(1, named.length)];
    if (next !== undefined) take(next);
  };
  const change = (next: (shape: BlockShape) => BlockShape) => {
    if (held !== undefined) ghost.value = reshaped(held, next(held.shape), size);
  };
  const shift = (dx: number, dy: number) => {
    if (held !== undefined) ghost.value = movedTo(held, held.x + dx, held.y + dy, size);
  };
  const cycle = (by: 1 | -1) => {
    if (held === undefined) return;
    const places = fittingPlaces(held, moves, size);
    const at = places.findIndex(
      ({ shape, x, y }) => x === held.x && y === held.y && shape.join(";") === held.shape.join(";"),
    );
    const next =
      at < 0 ? (by === 1 ? 0 : places.length - 1) : (at + by + places.length) % Math.max(1, places.length);
    if (places[next] !== undefined) ghost.value = places[next];
  };
  const place = () => under !== undefined && onPlay(under);
  const press = ({ cell }: BoardTarget) => {
    if (cell === undefined || held === undefined) return;
    // A second press on the piece lays it down; a finger only moves it, and the button confirms.
    if (!pointer.current.touch && under !== undefined && cellsOf(held, size).includes(cell)) return place();
    const near = nearestFit(held, cell, moves, size);
    if (near !== undefined) ghost.value = near;
  };
  const drag = (target: BoardTarget | undefined) => {
    if (target?.cell === undefined || held === undefined || !pointer.current.down) return;
    const [x, y] = [target.cell % size.columns, Math.floor(target.cell / size.columns)];
    const height = Math.max(...held.shape.map(([, dy]) => dy)) + 1;
    const width = Math.max(...held.shape.map(([dx]) => dx)) + 1;
    const step = (document.querySelector(".board-canvas svg")?.clientWidth ?? 400) / size.columns;
    const up = pointer.current.touch ? Math.ceil(ABOVE_FINGER / step) + height - 1 : Math.floor(height / 2);
    ghost.value = movedTo(held, x - Math.floor(width / 2), y - up, size);
  };
  const own =
    grid === undefined || seat === undefined
      ? []
      : grid.pieces.filter((piece) => piece.seat === seat).flatMap(({ cells }) => cells);
  const dotsOf = {
    none: () => [],
    dots: () => openCorners(moves, own, grid?.dots ?? [], size),
    all: () => [...new Set(moves.flatMap(({ place }) => place?.cells ?? []))],
  };
  const ways = held === undefined ? 0 : moves.filter((move) => move.place?.piece === held.piece).length;
  const letters = [...new Set(Object.keys(pieceShapes).map((name) => name.charAt(0).toLowerCase()))];
  return (
    <>
      {children({
        marks: mine
          ? {
              seat,
              dots: dotsOf[legalMarks()](),
              ...(held === undefined
                ? {}
                : { ghost: { cells: cellsOf(held, size), legal: under !== undefined } }),
            }
          : {},
        dots: "open corners",
        ...(mine ? { onPress: press } : {}),
        onLook: drag,
        gestures: held !== undefined,
        keys: mine
          ? {
              ...Object.fromEntries(
                letters.flatMap((letter) =>
                  [letter, letter.toUpperCase()].map((key) => [key, () => choose(letter)]),
                ),
              ),
              ArrowLeft: () => shift(-1, 0),
              ArrowRight: () => shift(1, 0),
              ArrowUp: () => shift(0, -1),
              ArrowDown: () => shift(0, 1),
              q: () => change((shape) => turned(shape, false)),
              e: () => change((shape) => turned(shape, true)),
              r: () => change(flipped),
              a: () => cycle(-1),
              d: () => cycle(1),
              Enter: () => place(),
              Escape: () => (ghost.value = undefined),
            }
          : {},
        says:
          held === undefined
            ? "Choose a piece; dots are your open corners."
            : under === undefined
              ? `${sentenceCase(pieceWords(held.piece, held.shape))} does not fit there: ${misfit(cellsOf(held, size), seat, grid)}.`
              : `${sentenceCase(pieceWords(held.piece, held.shape))} fits here.`,
        panel: seat !== undefined && (
          <>
            <div class="panel piece-bar">
              <span class="piece-held">
                {held !== undefined && <PieceIcon shape={held.shape} seat={seat} cell={13} />}
              </span>
              <div class="actions">
                <button
                  type="button"
                  disabled={held === undefined}
                  onClick={() => change((shape) => turned(shape, false))}
                >
                  <span aria-hidden="true">⟲</span> <span class="hidden">Turn left</span> <kbd>Q</kbd>
                </button>
                <button
                  type="button"
                  disabled={held === undefined}
                  onClick={() => change((shape) => turned(shape, true))}
                >
                  <span aria-hidden="true">⟳</span> <span class="hidden">Turn right</span> <kbd>E</kbd>
                </button>
                <button type="button" disabled={held === undefined} onClick={() => change(flipped)}>
                  <span aria-hidden="true">⇋</span> Flip <kbd>R</kbd>
                </button>
                <button type="button" class="main" disabled={under === undefined} onClick={place}>
                  <span aria-hidden="true">✓</span> Place <kbd>Enter</kbd>
                </button>
              </div>
              <p class="muted piece-ways">
                {held === undefined ? (
                  `${fixed(moves.length, 0)} legal moves`
                ) : (
                  <>
                    {fixed(ways, 0)} of {fixed(moves.length, 0)} legal moves use this piece.{" "}
                    <span class="next-place">
                      <button type="button" class="link" onClick={() => cycle(1)}>
                        Next place that fits
                      </button>{" "}
                      <kbd>D</kbd>
                    </span>
                  </>
                )}
              </p>
            </div>
            <section aria-label="Your pieces">
              <h2>
                Your pieces <small>{left.length} left</small>
              </h2>
              <div class="tray">
                {left.map((piece) => (
                  <button
                    type="button"
                    key={piece}
                    class={fitting.has(piece) ? "" : "pale"}
                    disabled={!fitting.has(piece)}
                    aria-pressed={held?.piece === piece}
                    aria-label={`${sentenceCase(pieceWords(piece, pieceShapes[piece] ?? []))}, key ${piece.charAt(0)}`}
                    onClick={(event) => {
                      // By the keyboard: the key that has chosen the piece lays it down. A pointer leaves the keys to the board.
                      if (event.detail > 0) event.currentTarget.blur();
                      else if (held?.piece === piece && under !== undefined) return place();
                      take(piece);
                    }}
                  >
                    <PieceIcon shape={pieceShapes[piece] ?? []} seat={seat} cell={9} />
                    <small aria-hidden="true">{piece.charAt(0)}</small>
                  </button>
                ))}
              </div>
            </section>
          </>
        ),
      })}
    </>
  );
}

function sentenceCase(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
