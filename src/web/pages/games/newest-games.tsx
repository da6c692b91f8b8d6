import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { fixed } from "../../../figures/number-text.ts";
import type { NewestGame } from "../../views/game-views.ts";
import { BoardView } from "../boards/board-view.tsx";
import { Sentence } from "../parts/sentence.tsx";
import { ask } from "../shell/contact.ts";
import { runHref } from "../shell/router.ts";
import { gameHref } from "./addresses.ts";

/** The least time between two looks at the newest games, in milliseconds. */
const PACE_MS = 4000;

/** The boards of a run's newest games, as they ended; one click opens one. */
export function NewestGames({
  games: stored,
  path,
  stage,
}: {
  readonly path: string;
  readonly games: number;
  /** The stage that played them, on the page that lists them; else the one that has stored a game last. */
  readonly stage?: string;
}) {
  const games = useSignal<readonly NewestGame[]>([]);
  const asked = useSignal(0);
  const count = window.innerWidth >= 2000 || stage !== undefined ? 6 : 3;
  useEffect(() => {
    const wait = Math.max(0, asked.value + PACE_MS - Date.now());
    const timer = window.setTimeout(() => {
      asked.value = Date.now();
      const end = path.split("/").map(encodeURIComponent).join("/");
      ask<{ readonly games: readonly NewestGame[] }>(
        `/api/newest-games/${end}?count=${count}${stage === undefined ? "" : `&stage=${encodeURIComponent(stage)}`}`,
      ).then(
        ({ games: found }) => (games.value = found),
        () => {},
      );
    }, wait);
    return () => window.clearTimeout(timer);
  }, [path, stage, stored]);
  if (stored === 0) return null;
  return (
    <section class="panel newest-games">
      <div class="panel-head">
        <h2>Newest games</h2>
        {stage === undefined && <a href={runHref(path, "games")}>all {fixed(stored, 0)}</a>}
      </div>
      <div class="newest-boards">
        {games.value.map(({ board, game, sentence, stage: of }) => (
          <a key={`${of} ${game}`} href={gameHref(path, of, game)}>
            <BoardView
              board={board}
              label={`The end of ${of}, game ${game}`}
              most={window.innerWidth < 2000 ? 230 : 380}
            />
            <small>
              <Sentence markup={sentence} />
            </small>
          </a>
        ))}
      </div>
    </section>
  );
}
