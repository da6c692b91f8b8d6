import type { GameOffer } from "../../views/play-views.ts";
import { usePlace } from "../shell/crumbs.ts";
import { BoardView } from "../boards/board-view.tsx";
import { useOffers, useStartGame } from "./offers.ts";

/** The games that can be played, each with a player that is chosen already. */
export function ChooseGame() {
  usePlace("Play");
  const { error, offers } = useOffers();
  const { error: refused, start, starting } = useStartGame();
  const games = offers?.games ?? [];
  const learned = games.filter(({ players }) => players[0]?.kind === "run").length;
  return (
    <>
      <div class="head">
        <h1 tabIndex={-1} class={offers === undefined ? "loading" : ""}>
          {offers === undefined ? "Looking for players" : <Opening games={games.length} learned={learned} />}
        </h1>
      </div>
      {(error ?? refused) !== undefined && (
        <div class="notice bad" role="alert">
          <p>{error ?? refused}</p>
        </div>
      )}
      <div class="cards play-cards">
        {games.map((game) => (
          <GameCard key={game.rules} game={game} starting={starting} onStart={start} />
        ))}
      </div>
    </>
  );
}

function Opening({ games, learned }: { readonly games: number; readonly learned: number }) {
  return (
    <>
      <b>{games} games</b> can be played here
      {learned === 0 ? "." : `; your runs have learned ${learned === 1 ? "one" : learned} of them.`}
    </>
  );
}

function GameCard({
  game,
  onStart,
  starting,
}: {
  readonly game: GameOffer;
  readonly starting: string | undefined;
  readonly onStart: (player: string, simulations: number | undefined) => Promise<void>;
}) {
  const player = game.players[0]!;
  const alone = player.seats.length === 1;
  const board = game.boards[player.variant];
  const others = game.players.length - 1;
  return (
    <section class="card game-card" aria-label={game.title}>
      <div class={`game-picture of-${board?.kind ?? "nothing"}`} aria-hidden="true">
        {board !== undefined && (
          <BoardView board={board} label="" most={window.innerWidth < 2000 ? 112 : 240} />
        )}
      </div>
      <div class="game-about">
        <h2>{game.title}</h2>
        <p>
          {alone ? "with the advice of" : "against"} <b>{player.name}</b>
        </p>
        <p class="muted">
          {player.from}
          {player.variant === "" ? "" : ` (${player.variant})`}
        </p>
      </div>
      <div class="actions">
        <button
          type="button"
          class="main"
          disabled={starting !== undefined}
          onClick={() => void onStart(player.key, player.simulations)}
        >
          {starting === player.key ? "Starting…" : "Play"}
        </button>
        <a href={`/play/${encodeURIComponent(game.rules)}?player=${encodeURIComponent(player.key)}`}>
          {others === 0
            ? alone
              ? "Strength"
              : "Seats and strength"
            : `${others} more ${others === 1 ? "player" : "players"}${alone ? "" : " and other seats"}`}
        </a>
      </div>
    </section>
  );
}
