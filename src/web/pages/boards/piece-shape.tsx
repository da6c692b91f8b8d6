import type { PieceShape } from "../../../figures/boards/board.ts";

/** A piece of several squares as a small picture in the colour of a seat. */
export function PieceIcon({
  cell = 5,
  seat,
  shape,
}: {
  readonly shape: PieceShape;
  readonly seat: number;
  /** The side of a square in pixels. */
  readonly cell?: number;
}) {
  const width = cell * (1 + Math.max(...shape.map(([x]) => x)));
  const height = cell * (1 + Math.max(...shape.map(([, y]) => y)));
  return (
    <svg class={`piece-icon seat-${seat % 6}`} width={width} height={height} aria-hidden="true">
      {shape.map(([x, y]) => (
        <rect
          key={`${x} ${y}`}
          x={x * cell + 0.5}
          y={y * cell + 0.5}
          width={cell - 1}
          height={cell - 1}
          rx={1}
        />
      ))}
    </svg>
  );
}
