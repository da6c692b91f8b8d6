import { type Content, type Markup, markup } from "../markup.ts";
import type { GridBoard, Piece, Side } from "./board.ts";
import { seatsByCell } from "./last-move.ts";
import { type GridLayout, gridLayout } from "./grid-layout.ts";
import { type BoardMarks, LEAST_SHARE, strength } from "./marks.ts";
import { outlinePath, short } from "./outline.ts";
import { boardColours, type Paints, tilePaint } from "./paints.ts";

/** A board of rows and columns as SVG. */
export function drawGrid(board: GridBoard, width: number, paints: Paints, marks: BoardMarks): Markup {
  const layout = gridLayout(board, width, marks.sides !== undefined);
  const parts: Content[] = [
    ground(board, layout, paints),
    names(board, layout, paints),
    heat(board, layout, paints, marks),
    hatch(layout, paints, marks),
    board.pieces.map((piece) => drawPiece(piece, board, layout, paints)),
    turned(board, layout),
    last(board, layout, paints),
    lastSide(board, layout, paints),
    won(board, layout, paints),
    ghost(board, layout, paints, marks),
    dots(layout, paints, marks),
    numbers(layout, paints, marks),
    sides(layout, paints, marks),
  ];
  const [w, h] = [short(layout.width), short(layout.height)];
  return markup`<svg xmlns="http://www.w3.org/2000/svg" class="board" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}" font-family="system-ui, -apple-system, Segoe UI, Liberation Sans, Arial, sans-serif" text-anchor="middle">${parts}</svg>`;
}

function cellsOf({ columns, rows }: GridBoard): number[] {
  return Array.from({ length: columns * rows }, (_, cell) => cell);
}

function ground(board: GridBoard, layout: GridLayout, paints: Paints): Content {
  const { groundHeight, groundWidth, left, middle, step, top } = layout;
  const frame = (fill: string) =>
    markup`<rect x="${short(left)}" y="${short(top)}" width="${short(groundWidth)}" height="${short(groundHeight)}" rx="6" fill="${fill}"/>`;
  const all = cellsOf(board);
  const starts = (colour: string, r: number) =>
    (board.dots ?? []).map((cell) => {
      const [x, y] = middle(cell);
      return markup`<circle cx="${short(x)}" cy="${short(y)}" r="${short(Math.max(1.5, r * step))}" fill="${colour}"/>`;
    });
  const squares = (fill: string, gap: number, radius: number) => {
    if (radius === 0) return markup`<path d="${squaresPath(all, layout, gap)}" fill="${fill}"/>`;
    const side = step - 2 * gap;
    return all.map((cell) => {
      const [x, y] = layout.corner(cell);
      return markup`<rect x="${short(x + gap)}" y="${short(y + gap)}" width="${short(side)}" height="${short(side)}" rx="${short(radius)}" fill="${fill}"/>`;
    });
  };
  switch (board.ground) {
    case "cells":
      return [
        frame(paints.theme("board")),
        squares(paints.theme("cell"), Math.min(1, step / 16), 0),
        starts(paints.theme("muted"), 0.12),
      ];
    case "tiles":
      return [frame(paints.theme("board")), squares(paints.theme("cell"), step * 0.05, step * 0.05)];
    case "holes":
      return [
        frame(boardColours.rack),
        all.map((cell) => {
          const [x, y] = middle(cell);
          return markup`<circle cx="${short(x)}" cy="${short(y)}" r="${short(step * 0.4)}" fill="${paints.theme("cell")}"/>`;
        }),
      ];
    case "green": {
      const lines = crossLines(board, layout, 0);
      return [
        frame(boardColours.green),
        markup`<path d="${lines}" stroke="${boardColours.greenLine}" stroke-width="1" fill="none"/>`,
        starts(boardColours.greenLine, 0.08),
      ];
    }
    default: {
      const lines = crossLines(board, layout, 0.5);
      return [
        frame(boardColours.wood),
        markup`<path d="${lines}" stroke="${boardColours.woodLine}" stroke-width="1" stroke-linecap="square" fill="none"/>`,
        starts(boardColours.woodLine, 0.1),
      ];
    }
  }
}

/** The squares of cells as a path, each smaller by `gap` on every side. */
function squaresPath(cells: readonly number[], { corner, step }: GridLayout, gap = 0): string {
  const side = step - 2 * gap;
  return cells
    .map((cell) => {
      const [x, y] = corner(cell);
      return `M${short(x + gap)} ${short(y + gap)}h${short(side)}v${short(side)}h${short(-side)}z`;
    })
    .join("");
}

/** The lines between cells (`shift` 0) or through their middles (0.5), as a path. */
function crossLines({ columns, rows }: GridBoard, { corner, step }: GridLayout, shift: 0 | 0.5): string {
  const [x0, y0] = corner(0);
  const more = shift === 0 ? 1 : 0;
  const [left, top] = [x0 + shift * step, y0 + shift * step];
  const [right, bottom] = [left + (columns - 1 + more) * step, top + (rows - 1 + more) * step];
  const down = Array.from(
    { length: columns + more },
    (_, i) => `M${short(left + i * step)} ${short(top)}V${short(bottom)}`,
  );
  const across = Array.from(
    { length: rows + more },
    (_, i) => `M${short(left)} ${short(top + i * step)}H${short(right)}`,
  );
  return [...down, ...across].join("");
}

function names({ columnNames, columns, rowNames }: GridBoard, layout: GridLayout, paints: Paints): Content {
  if (!layout.named) return undefined;
  const { groundHeight, left, middle, top } = layout;
  const ink = paints.theme("muted");
  return [
    (columnNames ?? []).map((name, column) => {
      const [x] = middle(column);
      return markup`<text x="${short(x)}" y="${short(top + groundHeight + 16)}" font-size="12" fill="${ink}">${name}</text>`;
    }),
    (rowNames ?? []).map((name, row) => {
      const [, y] = middle(row * columns);
      return markup`<text x="${short(left - 11)}" y="${short(y + 4)}" font-size="12" fill="${ink}">${name}</text>`;
    }),
  ];
}

function drawPiece(piece: Piece, board: GridBoard, layout: GridLayout, paints: Paints): Content {
  const { seat } = piece;
  const { corner, middle, step } = layout;
  const [x, y] = middle(piece.cells[0]!);
  switch (piece.shape) {
    case "tile": {
      const value = piece.value ?? 0;
      const { fill, ink } = tilePaint(value);
      const [left, top] = corner(piece.cells[0]!);
      const gap = step * 0.05;
      const size = Math.min(step * 0.4, (step * 1.05) / String(value).length);
      return markup`<rect x="${short(left + gap)}" y="${short(top + gap)}" width="${short(step - 2 * gap)}" height="${short(step - 2 * gap)}" rx="${short(step * 0.05)}" fill="${fill}"/><text x="${short(x)}" y="${short(y + size * 0.36)}" font-size="${short(size)}" font-weight="650" fill="${ink}">${value}</text>`;
    }
    case "stone":
      return drawStone(board, seat, [x, y], step);
    case "cross": {
      const r = step * 0.28;
      return markup`<path d="M${short(x - r)} ${short(y - r)}l${short(2 * r)} ${short(2 * r)}m0 ${short(-2 * r)}l${short(-2 * r)} ${short(2 * r)}" fill="none" stroke="${paints.seatEdge(seat)}" stroke-width="${short(step * 0.1)}" stroke-linecap="round"/>`;
    }
    case "ring":
      return markup`<circle cx="${short(x)}" cy="${short(y)}" r="${short(step * 0.29)}" fill="none" stroke="${paints.seatEdge(seat)}" stroke-width="${short(step * 0.1)}"/>`;
    default: {
      const edge = outlinePath(piece.cells, board.columns, step, corner);
      const marked = board.seats.length > 2 && step >= 9;
      const marks = marked ? piece.cells.map((cell) => seatMark(seat, middle(cell), step)).join("") : "";
      return markup`<path d="${squaresPath(piece.cells, layout)}" fill="${paints.seat(seat)}" stroke="${paints.seatEdge(seat)}" stroke-opacity=".45" stroke-width="1"/>${marked && markup`<path d="${marks}" fill="none" stroke="${boardColours.white}" stroke-width="${short(Math.max(1, step / 16))}"/>`}<path d="${edge}" fill="none" stroke="${paints.seatEdge(seat)}" stroke-width="${step < 12 ? 1 : 2}" stroke-linecap="square"/>`;
    }
  }
}

/** A stone of Go, a disc of Othello or Connect Four; of two colours the second one's discs in holes have a ring. */
function drawStone(
  { ground: kind }: GridBoard,
  seat: number,
  [x, y]: readonly [number, number],
  step: number,
): Markup {
  const at = markup`cx="${short(x)}" cy="${short(y)}"`;
  const { black, red, white, yellow } = boardColours;
  if (kind === "holes") {
    const fill = seat === 0 ? yellow : red;
    return markup`<circle ${at} r="${short(step * 0.4)}" fill="${fill}"/>${seat === 1 && markup`<circle ${at} r="${short(step * 0.22)}" fill="none" stroke="${white}" stroke-opacity=".85" stroke-width="${short(Math.max(1, step * 0.05))}"/>`}`;
  }
  const r = kind === "points" ? 0.47 : 0.4;
  return markup`<circle ${at} r="${short(step * r)}" fill="${seat === 0 ? black : white}" stroke="${black}" stroke-width="${short(Math.max(0.5, step / 40))}"/>`;
}

/** The mark of a seat in the middle of a square: ring, cross, bar, square. For boards of more seats than two. */
function seatMark(seat: number, [x, y]: readonly [number, number], step: number): string {
  const r = step * 0.2;
  const [d, n] = [short(2 * r), short(-2 * r)];
  switch (seat % 4) {
    case 0:
      return `M${short(x - r)} ${short(y)}a${short(r)} ${short(r)} 0 1 0 ${d} 0a${short(r)} ${short(r)} 0 1 0 ${n} 0`;
    case 1:
      return `M${short(x - r)} ${short(y - r)}l${d} ${d}m0 ${n}l${n} ${d}`;
    case 2:
      return `M${short(x - r)} ${short(y)}h${d}`;
    default:
      return `M${short(x - r)} ${short(y - r)}h${d}v${d}h${n}z`;
  }
}

/** The last move: an outline in ink, and a paper dot in each cell; in a stone only a ring. */
function last(board: GridBoard, { corner, middle, step }: GridLayout, paints: Paints): Content {
  const cells = board.last ?? [];
  if (cells.length === 0) return undefined;
  if (board.ground === "points" || board.ground === "green" || board.ground === "holes")
    return cells.map((cell) => {
      const [x, y] = middle(cell);
      const seat = board.pieces.find((piece) => piece.cells.includes(cell))?.seat;
      const dark = board.ground === "holes" || seat === 1;
      return markup`<circle cx="${short(x)}" cy="${short(y)}" r="${short(step * (board.ground === "holes" ? 0.1 : 0.2))}" fill="${board.ground === "holes" ? boardColours.black : "none"}" stroke="${dark ? boardColours.black : boardColours.white}" stroke-width="${short(Math.max(1.5, step / 14))}"/>`;
    });
  const edge = outlinePath(cells, board.columns, step, corner);
  const blocks = board.pieces.some(({ shape }) => shape === "block");
  return markup`<path d="${edge}" fill="none" stroke="${paints.theme("ink")}" stroke-width="2.5" stroke-linecap="square"/>${
    blocks &&
    cells.map((cell) => {
      const [x, y] = middle(cell);
      return markup`<circle cx="${short(x)}" cy="${short(y)}" r="${short(Math.max(1.5, step * 0.12))}" fill="${paints.theme("paper")}"/>`;
    })
  }`;
}

/** Pieces that the last move turned: a small dot in the colour that each had. */
function turned(board: GridBoard, { middle, step }: GridLayout): Content {
  const seats = seatsByCell(board);
  return (board.turned ?? []).map((cell) => {
    const [x, y] = middle(cell);
    const fill = seats.get(cell) === 0 ? boardColours.white : boardColours.black;
    return markup`<circle class="turned" cx="${short(x)}" cy="${short(y)}" r="${short(Math.max(1.5, step * 0.09))}" fill="${fill}"/>`;
  });
}

/** The side to which the last move slid: an edge of the ground in ink. */
function lastSide(
  { lastSide: side }: GridBoard,
  { groundHeight, groundWidth, left, top }: GridLayout,
  paints: Paints,
): Content {
  if (side === undefined) return undefined;
  const [right, bottom] = [left + groundWidth, top + groundHeight];
  const paths: Readonly<Record<Side, string>> = {
    up: `M${short(left + 6)} ${short(top)}H${short(right - 6)}`,
    down: `M${short(left + 6)} ${short(bottom)}H${short(right - 6)}`,
    left: `M${short(left)} ${short(top + 6)}V${short(bottom - 6)}`,
    right: `M${short(right)} ${short(top + 6)}V${short(bottom - 6)}`,
  };
  return markup`<path class="last-side" d="${paths[side]}" fill="none" stroke="${paints.theme("ink")}" stroke-width="2.5" stroke-linecap="round"/>`;
}

/** The rows that have won: a line from end to end, in ink with a rim of paper. */
function won({ won: rows = [] }: GridBoard, { middle, step }: GridLayout, paints: Paints): Content {
  return rows.map((cells) => {
    const [[x1, y1], [x2, y2]] = [middle(cells[0]!), middle(cells.at(-1)!)];
    // A little beyond the middles of its ends.
    const more = (0.25 * step) / Math.hypot(x2 - x1, y2 - y1);
    const [dx, dy] = [more * (x2 - x1), more * (y2 - y1)];
    const path = `M${short(x1 - dx)} ${short(y1 - dy)}L${short(x2 + dx)} ${short(y2 + dy)}`;
    const width = Math.max(3, step * 0.1);
    return markup`<path d="${path}" fill="none" stroke="${paints.theme("paper")}" stroke-width="${short(width + 4)}" stroke-linecap="round"/><path class="won" d="${path}" fill="none" stroke="${paints.theme("ink")}" stroke-width="${short(width)}" stroke-linecap="round"/>`;
  });
}

/** The colour of a seat on this ground. */
function seatPaint({ ground: kind }: GridBoard, seat: number, paints: Paints): string {
  if (kind === "holes") return seat === 0 ? boardColours.yellow : boardColours.red;
  if (kind === "points" || kind === "green") return seat === 0 ? boardColours.black : boardColours.white;
  return paints.seat(seat);
}

function heat(
  board: GridBoard,
  { corner, middle, step }: GridLayout,
  paints: Paints,
  { heat: shares, seat = 0 }: BoardMarks,
): Content {
  const round = board.ground !== "cells" && board.ground !== "tiles";
  return [...(shares ?? [])].map(([cell, share]) => {
    if (share < LEAST_SHARE) return undefined;
    const [x, y] = corner(cell);
    const [mx, my] = middle(cell);
    const fill = seatPaint(board, seat, paints);
    return round
      ? markup`<circle cx="${short(mx)}" cy="${short(my)}" r="${short(step * 0.4)}" fill="${fill}" fill-opacity="${strength(share)}"/>`
      : markup`<rect x="${short(x + 1)}" y="${short(y + 1)}" width="${short(step - 2)}" height="${short(step - 2)}" fill="${fill}" fill-opacity="${strength(share)}"/>`;
  });
}

function ghost(
  board: GridBoard,
  layout: GridLayout,
  paints: Paints,
  { ghost: shown, seat = 0 }: BoardMarks,
): Content {
  const { corner, middle, step } = layout;
  if (shown === undefined || shown.cells.length === 0) return undefined;
  const off = shown.legal === false;
  if (board.ground !== "cells" && board.ground !== "tiles")
    return shown.cells.map((cell) => {
      const [x, y] = middle(cell);
      return markup`<circle cx="${short(x)}" cy="${short(y)}" r="${short(step * 0.43)}" fill="${seatPaint(board, seat, paints)}" fill-opacity="${off ? "0" : ".6"}" stroke="${seat === 0 ? boardColours.white : boardColours.black}" stroke-width="2" stroke-dasharray="5 4"/>`;
    });
  const edge = outlinePath(shown.cells, board.columns, step, corner);
  return markup`<path d="${squaresPath(shown.cells, layout)}" fill="${off ? paints.theme("muted") : seatPaint(board, seat, paints)}" fill-opacity="${off ? ".25" : ".55"}"/><path d="${edge}" fill="none" stroke="${paints.theme("ink")}" stroke-width="2" stroke-dasharray="5 4"/>`;
}

function dots({ middle, step }: GridLayout, paints: Paints, { dots: cells = [] }: BoardMarks): Content {
  return cells.map((cell) => {
    const [x, y] = middle(cell);
    return markup`<circle cx="${short(x)}" cy="${short(y)}" r="${short(Math.max(2, step * 0.1))}" fill="${paints.theme("muted")}" stroke="${paints.theme("paper")}" stroke-width="1"/>`;
  });
}

function numbers({ middle, step }: GridLayout, paints: Paints, { numbers: shown = [] }: BoardMarks): Content {
  return shown.map(({ cell, text }) => {
    const [x, y] = middle(cell);
    const r = Math.min(16, Math.max(7, step * 0.36));
    return markup`<circle cx="${short(x)}" cy="${short(y)}" r="${short(r)}" fill="${paints.theme("paper")}" stroke="${paints.theme("ink")}" stroke-width="1.5"/><text x="${short(x)}" y="${short(y + r * 0.36)}" font-size="${short(r * 1.05)}" font-weight="650" fill="${paints.theme("ink")}">${text}</text>`;
  });
}

const ARROWS: Readonly<Record<Side, string>> = { up: "↑", right: "→", down: "↓", left: "←" };

/** Slanted lines over cells, stronger with the share. */
function hatch(
  { corner, step }: GridLayout,
  paints: Paints,
  { hatch: shares = new Map() }: BoardMarks,
): Content {
  return [...shares].map(([cell, share]) => {
    if (share < LEAST_SHARE) return undefined;
    const [x, y] = corner(cell);
    const [from, to] = [0.08 * step, 0.92 * step];
    const side = to - from;
    // From the lower left to the upper right, cut at the sides of the cell.
    const lines = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75].map((at) => {
      const [low, high] = [Math.max(0, at - 1) * side, Math.min(1, at) * side];
      return `M${short(x + from + low)} ${short(y + from + high)}L${short(x + from + high)} ${short(y + from + low)}`;
    });
    return markup`<path class="hatch" d="${lines.join("")}" stroke="${paints.theme("ink")}" stroke-opacity="${strength(share)}" stroke-width="1.5" fill="none"/>`;
  });
}

/** The marks of the four sides: bars around the board. */
function sides(layout: GridLayout, paints: Paints, { seat = 0, sides: shown }: BoardMarks): Content {
  if (shown === undefined) return undefined;
  const { groundHeight, groundWidth, left, top } = layout;
  const thick = top - 8;
  const boxes: Readonly<Record<Side, readonly [x: number, y: number, w: number, h: number]>> = {
    up: [left, 0, groundWidth, thick],
    down: [left, top + groundHeight + 8, groundWidth, thick],
    left: [0, top, thick, groundHeight],
    right: [left + groundWidth + 8, top, thick, groundHeight],
  };
  return (Object.keys(boxes) as Side[]).map((side) => {
    const [x, y, w, h] = boxes[side];
    const mark = shown[side];
    const share = mark?.share ?? 0;
    const upright = side === "left" || side === "right";
    const box = (fill: string, opacity: number) =>
      markup`<rect x="${short(x)}" y="${short(y)}" width="${short(w)}" height="${short(h)}" rx="6" fill="${fill}" fill-opacity="${opacity}"/>`;
    const ink = mark === undefined ? paints.theme("muted") : paints.theme("ink");
    const text = mark?.text ?? "";
    const [mx, my] = [x + w / 2, y + h / 2 + 5];
    const parts: Content = [
      box(paints.theme("board"), mark === undefined ? 0.35 : 1),
      share >= LEAST_SHARE && box(paints.seat(seat), strength(share)),
      mark?.chosen === true &&
        markup`<rect x="${short(x + 1.25)}" y="${short(y + 1.25)}" width="${short(w - 2.5)}" height="${short(h - 2.5)}" rx="6" fill="none" stroke="${paints.theme("ink")}" stroke-width="2.5"/>`,
      upright && text !== ""
        ? markup`<text x="${short(mx)}" y="${short(my - 10)}" font-size="15" fill="${ink}">${ARROWS[side]}</text><text x="${short(mx)}" y="${short(my + 10)}" font-size="12" fill="${ink}">${text}</text>`
        : markup`<text x="${short(mx)}" y="${short(my)}" font-size="${text === "" ? 15 : 13}" fill="${ink}">${`${ARROWS[side]} ${text}`.trim()}</text>`,
    ];
    return markup`<g data-side="${side}">${parts}</g>`;
  });
}
