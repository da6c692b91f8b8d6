import type { Side } from "../../../figures/boards/board.ts";
import type { MoveShown } from "../../views/play-views.ts";
import { useFreshSignal } from "../parts/fresh-signal.ts";
import type { HandProps } from "./hand.ts";

const ARROWS: Readonly<Record<string, Side>> = {
  ArrowUp: "up",
  ArrowRight: "right",
  ArrowDown: "down",
  ArrowLeft: "left",
};

/** Moves to a side: by arrow keys, by the bars around the board, by swiping. */
export function SlideHand({ children, onPlay, shown, view }: HandProps) {
  const refused = useFreshSignal<string | undefined>(undefined, [view.ply]);
  const bySide = new Map<Side, MoveShown>();
  for (const move of view.moves) if (move.place?.side !== undefined) bySide.set(move.place.side, move);
  const slide = (side: Side | undefined) => {
    const move = side === undefined ? undefined : bySide.get(side);
    if (move !== undefined) onPlay(move);
    else if (side !== undefined && view.moves.length > 0) refused.value = `Nothing can slide ${side}.`;
  };
  return (
    <>
      {children({
        marks: {
          sides: Object.fromEntries(
            [...bySide.keys()].map((side) => [side, { chosen: shown?.place?.side === side }]),
          ),
        },
        onPress: ({ side }) => slide(side),
        keys: Object.fromEntries(Object.entries(ARROWS).map(([key, side]) => [key, () => slide(side)])),
        refused: refused.value,
        says: "Slide by the arrow keys, by swiping, or by the bars around the board.",
        gestures: true,
      })}
    </>
  );
}

/** The side to which a pointer has swiped; undefined if it has hardly moved. */
export function swiped(dx: number, dy: number): Side | undefined {
  if (Math.max(Math.abs(dx), Math.abs(dy)) < 24) return undefined;
  if (Math.abs(dx) > Math.abs(dy)) return dx > 0 ? "right" : "left";
  return dy > 0 ? "down" : "up";
}
