import { useEffect, useRef } from "preact/hooks";

const keys: readonly (readonly [string, string])[] = [
  ["/", "filter the runs"],
  ["j, k", "next and previous run"],
  ["x", "choose a run"],
  ["c", "compare the chosen runs"],
  ["Enter", "open the run"],
  ["1 to 5", "the parts of a run's page"],
  ["← →", "in a chart: the point before and after"],
  ["l, r", "charts: logarithmic or linear; the whole axis again"],
  ["← → Home End", "in a game: steps; with Shift plies"],
  ["↑ ↓", "in a game: the moves thought of"],
  ["m, M", "in a game: next and last turning point"],
  ["Space", "in a game: play on"],
  ["v, n, p", "in a game: visits, numbers, the net's prior"],
  ["o, f", "in a game: whose hands are open; turn the board"],
  ["arrows", "in play: move the piece, the mark or the tiles"],
  ["letters", "in play: choose the piece of this letter, the next one when pressed again"],
  ["q, e, r", "in play: turn and flip the piece"],
  ["a, d", "in play: previous and next place that fits"],
  ["Enter, Esc", "in play: make the move, put the piece back"],
  ["h, k", "in play: hint, what the player thinks"],
  ["Backspace", "in play: take a move back"],
  ["g r", "to the runs"],
  ["g p", "to the games that can be played"],
  ["g s", "to the experiments that can be started"],
  ["?", "this list"],
];

/** The keys of the page. */
export function HelpDialog({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    // The first thing that can be pressed is below the keys: the list would begin at its end.
    title.current?.focus();
  }, []);
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="keys-title">
      <h2 id="keys-title" ref={title} tabIndex={-1}>
        Keys
      </h2>
      <dl class="keys">
        {keys.map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}
