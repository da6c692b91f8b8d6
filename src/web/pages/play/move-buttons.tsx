import { useSignal } from "@preact/signals";
import { fixed } from "../../../figures/number-text.ts";
import type { MoveShown } from "../../views/play-views.ts";

/** Moves that are listed at once; the rest is found by typing. */
const MOST = 60;

/** Moves as buttons, with a filter if they are many. */
export function MoveButtons({
  label,
  moves,
  onPlay,
}: {
  readonly label: string;
  readonly moves: readonly MoveShown[];
  readonly onPlay: (move: MoveShown) => void;
}) {
  const filter = useSignal("");
  const found = moves.filter(({ text }) => text.toLowerCase().includes(filter.value.toLowerCase()));
  return (
    <section aria-label={label}>
      <h2>
        {label} <small>{fixed(moves.length, 0)}</small>
      </h2>
      {moves.length > MOST && (
        <input
          type="search"
          placeholder="Filter…"
          aria-label="Filter the moves"
          value={filter.value}
          onInput={(event) => (filter.value = event.currentTarget.value)}
        />
      )}
      <div class="move-buttons">
        {found.slice(0, MOST).map((move) => (
          <button type="button" key={move.action} onClick={() => onPlay(move)}>
            {move.text}
          </button>
        ))}
        {found.length > MOST && <span class="muted">and {fixed(found.length - MOST, 0)} more</span>}
      </div>
    </section>
  );
}
