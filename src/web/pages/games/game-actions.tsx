import { useSignal } from "@preact/signals";
import type { GameView } from "../../views/game-views.ts";
import { playFromHref } from "./addresses.ts";

/** The link to a position, and the game as files. */
export function GameActions({
  end,
  mover,
  ply,
  run,
  view,
}: {
  readonly view: GameView;
  /** The path of the run. */
  readonly run: string;
  readonly ply: number;
  /** The seat that is to move there. */
  readonly mover: number | undefined;
  /** The end of the game's addresses. */
  readonly end: string;
}) {
  const copied = useSignal<string | undefined>(undefined);
  const seat = view.seen === undefined ? "" : `&seat=${view.seen + 1}`;
  const files = [
    ...(view.sgf && view.seen === undefined ? [["sgf", "SGF"] as const] : []),
    ...(view.seen === undefined ? [["json", "Record (JSON)"] as const] : []),
    ["svg", "This position (SVG)"] as const,
  ];
  const copy = async () => {
    const address = new URL(window.location.href);
    address.searchParams.set("ply", String(ply + 1));
    try {
      await navigator.clipboard.writeText(address.href);
      copied.value = "Link copied";
    } catch {
      // The browser refuses, or the page came without encryption: the address itself names the ply.
      copied.value = "Copy the address above";
    }
    window.setTimeout(() => (copied.value = undefined), 4000);
  };
  // A person who looks at a game with hidden hands has seen them.
  const canContinue = view.hidden === "no" && mover !== undefined;
  return (
    <div class="actions">
      {canContinue && (
        <a class="button" href={playFromHref(run, view, ply, mover)}>
          Play from here
        </a>
      )}
      <button type="button" onClick={() => void copy()}>
        {copied.value ?? "Link"}
      </button>
      <details class="export">
        <summary class="button">Export ▾</summary>
        <ul>
          {files.map(([as, text]) => (
            <li key={as}>
              <a href={`/api/game-file/${end}?as=${as}&ply=${ply}${seat}`} download>
                {text}
              </a>
            </li>
          ))}
        </ul>
      </details>
    </div>
  );
}
