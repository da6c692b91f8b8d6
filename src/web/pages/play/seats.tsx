import type { ComponentChildren } from "preact";
import { fixed } from "../../../figures/number-text.ts";
import type { PlayView } from "../../views/play-views.ts";
import { PieceIcon } from "../boards/piece-shape.tsx";

/** The name of a seat: the game's own, or its number. */
export function seatTitle({ seatNames }: PlayView, seat: number): string {
  return seatNames[seat] || `Seat ${seat + 1}`;
}

/** The name of the player at a seat. */
export function sitterName(view: PlayView, seat: number): string {
  const taken = view.seats[seat]!;
  if (taken.by === "player") return view.player.name;
  const several = view.seats.filter((each) => each.by === "person" && each.you).length > 1;
  if (taken.you) return several ? `You, ${seatTitle(view, seat)}` : "You";
  return taken.open ? "Nobody yet" : "Somebody else";
}

/** A line about a seat: colour, player, what is left, score. */
export function SeatLine({
  children,
  seat,
  view,
}: {
  readonly view: PlayView;
  readonly seat: number;
  readonly children?: ComponentChildren;
}) {
  const { left = [], note, score } = view.board?.seats[seat] ?? {};
  const taken = view.seats[seat]!;
  const strength =
    taken.by === "player" && view.simulations !== undefined
      ? `${fixed(view.simulations, 0)} simulations`
      : "";
  return (
    <div class="player-line">
      <i class={`swatch seat-${seat % 6}`} aria-hidden="true" />
      <b>{sitterName(view, seat)}</b>
      <span class="muted">
        {[view.seatNames[seat] ?? "", strength, note ?? ""].filter((part) => part !== "").join(", ")}
      </span>
      {view.toMove === seat && <span class="to-move">to move</span>}
      {left.length > 0 && taken.by === "player" && (
        <span class="pieces-left">
          {left.map((piece) => {
            const shape = view.pieceShapes?.[piece];
            return shape && <PieceIcon key={piece} shape={shape} seat={seat} cell={4} />;
          })}
          <span class="hidden">{left.length} pieces left</span>
        </span>
      )}
      <span class="grow" />
      {children}
      {score !== undefined &&
        (/^[\d−.,]+$/.test(score) ? (
          <b class="seat-score" title="score">
            <span class="hidden">score</span> {score}
          </b>
        ) : (
          <b>{score}</b>
        ))}
    </div>
  );
}
