import { useEffect, useRef } from "preact/hooks";

const keys: readonly (readonly [string, string])[] = [
  ["/", "filter the runs"],
  ["j, k", "next and previous run"],
  ["x", "choose a run"],
  ["c", "compare the chosen runs"],
  ["Enter", "open the run"],
  ["1 to 5", "the parts of a run's page"],
  ["← →", "in a chart: the point before and after"],
  ["g r", "to the runs"],
  ["g s", "to the experiments that can be started"],
  ["?", "this list"],
];

/** The keys of the page. */
export function HelpDialog({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="keys-title">
      <h2 id="keys-title">Keys</h2>
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
