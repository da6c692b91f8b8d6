import type { PlayView } from "../../views/play-views.ts";
import type { GameContact } from "./game-contact.ts";
import { useOffers } from "./offers.ts";
import { PlayerSelect } from "./player-select.tsx";

/** Says why a player does not continue, and offers to let it try again or to have another one play. The game is kept. */
export function StandstillNotice({
  contact: { act },
  view,
}: {
  readonly view: PlayView;
  readonly contact: GameContact;
}) {
  const { offers } = useOffers();
  const game = offers?.games.find(({ rules }) => rules === view.rules);
  const own = game?.players.find(({ key }) => key === view.player.key);
  // Another size of the board is another game.
  const same = game && { ...game, players: game.players.filter(({ variant }) => variant === own?.variant) };
  return (
    <div class="notice warn" role="alert">
      <p>
        <b>{view.message}</b> Nothing of the game is lost.
      </p>
      <div class="actions">
        {same !== undefined && same.players.length > 1 && (
          <PlayerSelect
            game={same}
            label="Another player"
            value={view.player.key}
            onChoose={(player) => void act({ do: "player", player })}
          />
        )}
        <button type="button" class="main" onClick={() => void act({ do: "again" })}>
          Continue
        </button>
      </div>
    </div>
  );
}
