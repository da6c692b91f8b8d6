import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Board, GridBoard, Side } from "../../../figures/boards/board.ts";
import { drawBoard } from "../../../figures/boards/draw-board.ts";
import { gridLayout } from "../../../figures/boards/grid-layout.ts";
import type { BoardMarks } from "../../../figures/boards/marks.ts";
import { svgElement } from "../parts/svg-element.ts";

/** What a pointer is at, on a board. */
export interface BoardTarget {
  readonly cell?: number;
  readonly side?: Side;
  readonly card?: string;
}

/** What `BoardView` takes. */
export interface BoardViewProps {
  readonly board: Board;
  /** What a screen reader says of it: the position in words. */
  readonly label: string;
  /** Heat, numbers, dots, ghost: what is drawn over it. */
  readonly marks?: BoardMarks;
  /** The most pixels that it may be high; as wide as its place otherwise. */
  readonly most?: number | undefined;
  /** Turned by 180 degrees: only boards of rows and columns turn. */
  readonly turned?: boolean;
  /** Called when a pointer is pressed on a part of the board, and when it moves over another one (undefined: it has left). */
  readonly onPress?: (target: BoardTarget) => void;
  readonly onLook?: (target: BoardTarget | undefined) => void;
}

/**
 * A position of any game, by the drawing that reports have too (`drawBoard`), as large as its place. The server sends the
 * `board` (a game's `drawing.board(state, seat)`); the places of moves are its `drawing.place(state, action)`: a page finds
 * the moves at a cell by the `cells` and `reach` of their places. A game that describes no board comes as a picture: it
 * is shown as an image, so nothing in it runs, and its moves are chosen from a list. Pointers only: a page that takes moves has
 * also a list of them, or keys.
 */
export function BoardView({ board, label, marks, most, onLook, onPress, turned }: BoardViewProps) {
  const place = useRef<HTMLDivElement>(null);
  const width = useSignal(0);
  const looked = useRef("");
  useEffect(() => {
    const element = place.current!;
    const sizes = new ResizeObserver(() => (width.value = Math.floor(element.clientWidth)));
    sizes.observe(element);
    return () => sizes.disconnect();
  }, []);

  const seen = turned === true && board.kind === "grid" ? turnedBoard(board) : board;
  const seenMarks = turned === true && board.kind === "grid" ? turnedMarks(board, marks) : marks;
  const side = fittingWidth(seen, width.value, most, seenMarks?.sides !== undefined);
  useEffect(() => {
    if (side < 24 || seen.kind === "picture") return;
    const svg = svgElement(drawBoard(seen, side, seenMarks).text);
    place.current!.querySelector(".board-canvas")!.replaceChildren(...(svg === undefined ? [] : [svg]));
  });

  const targetOf = (event: PointerEvent): BoardTarget | undefined => {
    const svg = place.current!.querySelector(".board-canvas > svg");
    if (svg === null) return undefined;
    const at = event.target as Element;
    const card = at.closest("[data-card]")?.getAttribute("data-card");
    if (card !== undefined && card !== null) return { card };
    const edge = at.closest("[data-side]")?.getAttribute("data-side");
    if (edge !== undefined && edge !== null) return { side: edge as Side };
    if (seen.kind !== "grid") return undefined;
    const box = svg.getBoundingClientRect();
    const { cellAt } = gridLayout(seen, side, seenMarks?.sides !== undefined);
    const cell = cellAt(event.clientX - box.left, event.clientY - box.top);
    return cell === undefined ? undefined : { cell: turned === true ? turnedCell(seen, cell) : cell };
  };
  const look = (target: BoardTarget | undefined) => {
    const text = JSON.stringify(target) ?? "";
    if (text === looked.current) return;
    looked.current = text;
    onLook?.(target);
  };
  return (
    <div
      ref={place}
      class={onPress === undefined ? "board-place" : "board-place playable"}
      role="img"
      aria-label={label}
      onPointerDown={(event) => {
        const target = onPress && event.button === 0 ? targetOf(event) : undefined;
        if (target !== undefined) onPress!(target);
      }}
      onPointerMove={(event) => onLook && look(targetOf(event))}
      onPointerLeave={() => onLook && look(undefined)}
    >
      {seen.kind === "picture" ? (
        <img
          class="board-sheet"
          alt=""
          src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(withNamespace(seen.svg))}`}
        />
      ) : (
        <div class="board-canvas" />
      )}
    </div>
  );
}

/** The width of the drawing in a place of some width and height. */
function fittingWidth(board: Board, width: number, most: number | undefined, sides: boolean): number {
  if (most === undefined || board.kind !== "grid") return width;
  const { height } = gridLayout(board, width, sides);
  if (height <= most) return width;
  // Names and sides do not grow with the board: two steps come near enough.
  let fitting = width * (most / height);
  fitting -= ((gridLayout(board, fitting, sides).height - most) * board.columns) / board.rows;
  return Math.floor(Math.min(width, fitting));
}

function turnedCell({ columns, rows }: GridBoard, cell: number): number {
  return columns * rows - 1 - cell;
}

/** A board as seen from the opposite side. */
function turnedBoard(board: GridBoard): GridBoard {
  const turn = (cells: readonly number[]) => cells.map((cell) => turnedCell(board, cell));
  return {
    ...board,
    ...(board.columnNames === undefined ? {} : { columnNames: board.columnNames.toReversed() }),
    ...(board.rowNames === undefined ? {} : { rowNames: board.rowNames.toReversed() }),
    ...(board.dots === undefined ? {} : { dots: turn(board.dots) }),
    ...(board.last === undefined ? {} : { last: turn(board.last) }),
    pieces: board.pieces.map((piece) => ({ ...piece, cells: turn(piece.cells) })),
  };
}

function turnedMarks(board: GridBoard, marks: BoardMarks | undefined): BoardMarks | undefined {
  if (marks === undefined) return undefined;
  const turn = (cell: number) => turnedCell(board, cell);
  const { dots, ghost, hatch, heat, numbers } = marks;
  const turnedShares = (shares: ReadonlyMap<number, number>) =>
    new Map([...shares].map(([cell, share]) => [turn(cell), share]));
  return {
    ...marks,
    ...(heat === undefined ? {} : { heat: turnedShares(heat) }),
    ...(hatch === undefined ? {} : { hatch: turnedShares(hatch) }),
    ...(numbers === undefined
      ? {}
      : { numbers: numbers.map((each) => ({ ...each, cell: turn(each.cell) })) }),
    ...(dots === undefined ? {} : { dots: dots.map(turn) }),
    ...(ghost === undefined ? {} : { ghost: { ...ghost, cells: ghost.cells.map(turn) } }),
  };
}

/** A picture as an image of its own needs the namespace. */
function withNamespace(svg: string): string {
  return /^<svg[^>]* xmlns=/.test(svg) ? svg : svg.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"');
}
