/** The mirror image of a position of Connect Four in notation: its rows backwards, the same seat to move. */
export function mirrorOf(position: string): string {
  const [rows, mover] = position.split(" ");
  const mirrored = rows!.split("/").map((row) => row.split("").toReversed().join(""));
  return `${mirrored.join("/")} ${mover}`;
}
