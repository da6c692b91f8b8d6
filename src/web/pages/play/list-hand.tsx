import type { HandProps } from "./hand.ts";
import { MoveButtons } from "./move-buttons.tsx";

/** Moves from a list, for boards of which nothing is known. */
export function ListHand({ children, onPlay, view }: HandProps) {
  return (
    <>
      {children({
        marks: {},
        keys: {},
        says: "Choose one of the moves.",
        panel: view.moves.length > 0 && <MoveButtons moves={view.moves} label="Moves" onPlay={onPlay} />,
      })}
    </>
  );
}
