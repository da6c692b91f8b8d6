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
export function NewestGames({ games: stored, path }: { readonly path: string; readonly games: number }) {
  const games = useSignal<readonly NewestGame[]>([]);
  const asked = useSignal(0);
  const count = window.innerWidth >= 2000 ? 6 : 3;
  useEffect(() => {
    const wait = Math.max(0, asked.value + PACE_MS - Date.now());
    const timer = window.setTimeout(() => {
      asked.value = Date.now();
      const end = path.split("/").map(encodeURIComponent).join("/");
      ask<{ readonly games: readonly NewestGame[] }>(`/api/newest-games/${end}?count=${count}`).then(
        ({ games: found }) => (games.value = found),
        () => {},
      );
    }, wait);
    return () => window.clearTimeout(timer);
  }, [path, stored]);
  if (stored === 0) return null;
  return (
    <section class="panel newest-games">
      <div class="panel-head">
        <h2>Newest games</h2>
        <a href={runHref(path, "games")}>all {fixed(stored, 0)}</a>
      </div>
      <div class="newest-boards">
        {games.value.map(({ board, game, sentence, stage }) => (
          <a key={`${stage} ${game}`} href={gameHref(path, stage, game)}>
            <BoardView board={board} label={`The end of ${stage}, game ${game}`} most={230} />
            <small>
              <Sentence markup={sentence} />
            </small>
          </a>
        ))}
      </div>
    </section>
  );
}
