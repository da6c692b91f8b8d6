import { useSignal } from "@preact/signals";
import { fixed } from "../../../figures/number-text.ts";
import type { GameOffer, PlayerOffer } from "../../views/play-views.ts";
import { Segments } from "../parts/segments.tsx";
import { gameHref } from "../games/addresses.ts";
import { usePlace } from "../shell/crumbs.ts";
import { choose, query } from "../shell/router.ts";
import { type Beginning, type SeatWish, useOffers, useStartGame } from "./offers.ts";
import { BoardView } from "../boards/board-view.tsx";
import { PlayerList } from "./player-list.tsx";

/** The numbers of simulations that are offered beside the player's own. */
const LEVELS = [1, 16, 64, 256, 1024];

const WISHES = [
  ["you", "You"],
  ["player", "Player"],
  ["open", "Somebody else"],
] as const;

/** A game before it begins: its players, their strength, and their seats. */
export function SetUpGame({ rules }: { readonly rules: string }) {
  const { error, offers } = useOffers();
  const game = offers?.games.find((each) => each.rules === rules);
  usePlace(`Play ${game?.title ?? rules}`, game?.title ?? rules);
  if (game === undefined)
    return (
      <div class="head">
        <h1 tabIndex={-1} class={offers === undefined ? "loading" : ""}>
          {error ?? (offers === undefined ? "Looking for players" : `There is no game "${rules}" here.`)}
        </h1>
      </div>
    );
  const variant = query.value.get("variant");
  const players = variant === null ? game.players : game.players.filter((each) => each.variant === variant);
  if (players.length === 0)
    return (
      <div class="head">
        <h1 tabIndex={-1}>
          Nobody here plays {game.title} with the options of this game ({variant}).
        </h1>
      </div>
    );
  return <Setup game={{ ...game, players }} />;
}

function Setup({ game }: { readonly game: GameOffer }) {
  const { error, start, starting } = useStartGame();
  const asked = query.value.get("player");
  // A run without the name of an agent means its first one.
  const meant =
    game.players.find(({ key }) => key === asked) ??
    game.players.find(({ key }) => asked !== null && key.startsWith(`${asked}#`));
  const player = meant ?? game.players[0]!;
  const sims = Number(query.value.get("sims") ?? player.simulations);
  const levels = player.simulations === undefined ? [] : [...new Set([...LEVELS, player.simulations])];
  const level = levels.includes(sims) ? sims : player.simulations;
  const board = game.boards[player.variant];
  const from = beginning();
  const wishes = useSignal<readonly SeatWish[] | undefined>(undefined);
  const usual = player.seats.map((_, seat): SeatWish => (seat === (from?.seat ?? 0) ? "you" : "player"));
  const seats = wishes.value?.length === usual.length ? wishes.value : usual;
  // Nothing is known of a game whose plug-in may not run: starting it reports why.
  const noSeat = seats.length > 0 && !seats.includes("you");
  return (
    <>
      <div class="head">
        <h1 tabIndex={-1}>
          Play <b>{game.title}</b> {player.seats.length > 1 ? "against" : "with the advice of"}{" "}
          <b>{player.name}</b>.
        </h1>
      </div>
      {asked !== null && meant === undefined && (
        <div class="notice warn" role="status">
          <p>
            The player of this link is not here: its run may have no checkpoint yet. {player.name} plays
            instead.
          </p>
        </div>
      )}
      {from !== undefined && (
        <div class="notice" role="status">
          <p>
            The game continues at ply {fixed(from.ply + 1, 0)} of <a href={storedHref(from)}>{from.game}</a>.
          </p>
        </div>
      )}
      {error !== undefined && (
        <div class="notice bad" role="alert">
          <p>{error}</p>
        </div>
      )}
      <form
        class="set-up"
        onSubmit={(event) => {
          event.preventDefault();
          void start(player.key, level, player.seats.length === 0 ? undefined : seats, from);
        }}
      >
        <section class="panel">
          <h2>
            Player <small>{game.players.length === 1 ? "" : `one of ${fixed(game.players.length, 0)}`}</small>
          </h2>
          <PlayerList
            game={game}
            value={player.key}
            onChoose={(key) => choose({ player: key, sims: undefined })}
          />
        </section>
        <section class="panel set-up-table">
          <h2>Table</h2>
          {board !== undefined && (
            <div class="game-picture" aria-hidden="true">
              <BoardView board={board} label="" most={260} />
            </div>
          )}
          {levels.length > 0 && (
            <div class="field">
              <span>Simulations a move</span>
              <Segments
                label="Simulations a move"
                value={String(level)}
                options={levels.toSorted((a, b) => a - b).map((each) => [String(each), fixed(each, 0)])}
                onChoose={(each) => choose({ sims: each })}
              />
            </div>
          )}
          {player.seats.length > 1 &&
            player.seats.map((name, seat) => (
              <div class="field" key={seat}>
                <span>{seatTitle(player, seat)}</span>
                <Segments
                  label={name === "" ? `Seat ${seat + 1}` : name}
                  value={seats[seat]!}
                  options={WISHES}
                  onChoose={(each) => (wishes.value = seats.map((one, i) => (i === seat ? each : one)))}
                />
              </div>
            ))}
          {seats.includes("open") && (
            <p class="muted">
              Somebody else opens the address of the game in another browser that has the token, and sits down
              there.
            </p>
          )}
          <div class="actions">
            <button type="submit" class="main" disabled={starting !== undefined || noSeat}>
              {starting === undefined ? "Play" : "Starting…"}
            </button>
            {noSeat && <span class="muted">One seat must be yours.</span>}
          </div>
        </section>
      </form>
    </>
  );
}

/** The position of a stored game that the link asks for. */
function beginning(): (Beginning & { readonly seat: number }) | undefined {
  const game = query.value.get("from");
  if (game === null) return undefined;
  return { game, ply: Number(query.value.get("ply")) - 1, seat: Number(query.value.get("seat")) - 1 };
}

function storedHref({ game, ply }: Beginning): string {
  const parts = game.split("/");
  return gameHref(parts.slice(0, -2).join("/"), parts.at(-2)!, Number(parts.at(-1)), ply + 1);
}

function seatTitle({ seats }: PlayerOffer, seat: number): string {
  const name = seats[seat]!;
  return `${name === "" ? `Seat ${seat + 1}` : name}${seat === 0 ? ", moves first" : ""}`;
}
