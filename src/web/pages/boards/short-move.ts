/** A move of a piece is named by its first cell: its picture is beside it. */
export function shortMove(
  { pieceShapes }: { readonly pieceShapes?: Readonly<Record<string, unknown>> | undefined },
  move: string,
): string {
  return pieceShapes === undefined ? move : move.split(",")[0]!;
}
