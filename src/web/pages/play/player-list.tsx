import type { GameOffer } from "../../views/play-views.ts";
import { groupsOf } from "./offers.ts";

/** Chooses a player of a game from all of them, each with its whole name and where it comes from. */
export function PlayerList({
  game,
  onChoose,
  value,
}: {
  readonly game: GameOffer;
  readonly value: string;
  readonly onChoose: (key: string) => void;
}) {
  return (
    <div class="player-list" role="radiogroup" aria-label="Player">
      {groupsOf(game).map(([kind, members]) => (
        <fieldset key={kind}>
          <legend>{kind}</legend>
          {members.map(({ from, key, name, variant }) => (
            <label key={key} class="player-choice">
              <input type="radio" name="player" checked={key === value} onChange={() => onChoose(key)} />
              <span>
                <b>{name}</b>{" "}
                <span class="muted">
                  {from}
                  {variant === "" ? "" : ` (${variant})`}
                </span>
              </span>
            </label>
          ))}
        </fieldset>
      ))}
    </div>
  );
}
