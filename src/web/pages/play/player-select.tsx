import type { GameOffer } from "../../views/play-views.ts";
import { groupsOf, playerLine } from "./offers.ts";

/** Chooses a player of a game. */
export function PlayerSelect({
  game,
  label,
  onChoose,
  value,
}: {
  readonly game: GameOffer;
  readonly label: string;
  readonly value: string;
  readonly onChoose: (key: string) => void;
}) {
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
        {groupsOf(game).map(([kind, members]) => (
          <optgroup key={kind} label={kind}>
            {members.map((player) => (
              <option key={player.key} value={player.key}>
                {playerLine(player)}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </label>
  );
}
