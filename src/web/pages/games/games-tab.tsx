import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { fixed } from "../../../figures/number-text.ts";
import type { GameList, GameRow } from "../../views/game-views.ts";
import { Segments } from "../parts/segments.tsx";
import { Sentence } from "../parts/sentence.tsx";
import { Spacer } from "../parts/spacer.tsx";
import type { RunShown } from "../run/run-state.ts";
import { ask, NoAnswer, reconnects } from "../shell/contact.ts";
import { choose, query } from "../shell/router.ts";
import { gameHref } from "./addresses.ts";
import { NewestGames } from "./newest-games.tsx";
import { rowsInSight } from "./rows-in-sight.ts";

/** Rows that are asked for at a time. */
const PAGE = 100;

/** Every stored game of a run, the newest first. Rows are drawn, and asked for, as they scroll by. */
export function GamesTab({ path, run: { head } }: { readonly run: RunShown; readonly path: string }) {
  const list = useSignal<GameList | undefined>(undefined);
  const rows = useSignal<ReadonlyMap<number, GameRow>>(new Map());
  const error = useSignal<string | undefined>(undefined);
  const asked = useRef(new Set<number>());
  const stage = query.value.get("stage") ?? "";
  const fetchPage = async (from: number) => {
    asked.current.add(from);
    const url = `/api/games/${path.split("/").map(encodeURIComponent).join("/")}?stage=${encodeURIComponent(stage)}&from=${from}&count=${PAGE}`;
    try {
      const found = await ask<GameList>(url);
      list.value = found;
      // The first rows are the first to be fetched when the list has changed: all known rows have moved.
      const known = from === 0 ? [] : [...rows.value];
      rows.value = new Map([...known, ...found.rows.map((row, i) => [found.from + i, row] as const)]);
    } catch (failure) {
      asked.current.delete(from);
      if (!(failure instanceof NoAnswer)) error.value = (failure as Error).message;
    }
  };
  // A run at work has new games: they come at the top, and all others move down.
  useEffect(() => {
    asked.current.clear();
    void fetchPage(0);
  }, [path, stage, head?.games, reconnects.value]);
  if (error.value !== undefined) return <p class="panel empty">{error.value}</p>;
  if (list.value === undefined) return <div class="panel grey" aria-hidden="true" />;
  const { stages, stage: shown } = list.value;
  if (stages.length === 0)
    return <p class="panel empty">No game was stored yet: the first ones appear here as soon as they end.</p>;
  const total = stages.find((each) => each.stage === shown)?.games ?? 0;
  return (
    <div class="games-columns">
      <section class="panel games">
        <div class="panel-head">
          <h2>
            {fixed(total, 0)} stored {total === 1 ? "game" : "games"} of {shown}{" "}
            <small>the newest first</small>
          </h2>
          {stages.length > 1 && (
            <Segments
              label="Stage"
              value={shown}
              options={stages.map((each) => [each.stage, `${each.stage} ${fixed(each.games, 0)}`] as const)}
              onChoose={(chosen) => choose({ stage: chosen })}
            />
          )}
        </div>
        <GameRows
          path={path}
          total={total}
          rows={rows.value}
          want={(from) => !asked.current.has(from) && void fetchPage(from)}
        />
      </section>
      <NewestGames path={path} games={total} stage={shown} />
    </div>
  );
}

function GameRows({
  path,
  rows,
  total,
  want,
}: {
  readonly path: string;
  readonly rows: ReadonlyMap<number, GameRow>;
  readonly total: number;
  readonly want: (from: number) => void;
}) {
  const place = useRef<HTMLDivElement>(null);
  const scrolled = useSignal(0);
  const height = place.current?.clientHeight ?? 700;
  const row = window.innerWidth <= 760 ? 64 : 44;
  const { end, start } = rowsInSight(scrolled.value, height, row, total);
  useEffect(() => {
    for (let page = Math.floor(start / PAGE) * PAGE; page < end; page += PAGE) want(page);
  });
  return (
    <div
      ref={place}
      class="game-rows"
      role="list"
      aria-label="Stored games"
      tabIndex={0}
      onScroll={(event) => (scrolled.value = event.currentTarget.scrollTop)}
    >
      <Spacer height={start * row} />
      {Array.from({ length: end - start }, (_, i) => {
        const shown = rows.get(start + i);
        if (shown === undefined) return <div key={start + i} class="game-line" role="listitem" />;
        const { game, learned, plies, sentence, stage, thoughts } = shown;
        // Shown once for all consecutive games that were played by it.
        const newVersion = learned > 0 && rows.get(start + i - 1)?.learned !== learned;
        return (
          <div key={start + i} class="game-line" role="listitem">
            <a href={gameHref(path, stage, game)}>Game {fixed(game, 0)}</a>
            <span class="of-sentence">
              <Sentence markup={sentence} />
            </span>
            <span class="muted">{newVersion ? `version ${fixed(learned, 0)}` : ""}</span>
            <span class="muted">{thoughts ? "thoughts kept" : ""}</span>
            <span class="integer">{fixed(plies, 0)} plies</span>
          </div>
        );
      })}
      <Spacer height={(total - end) * row} />
    </div>
  );
}
