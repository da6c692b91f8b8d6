import type { FleetNow } from "../../views/run-views.ts";
import { fixed } from "../../../figures/number-text.ts";
import { twoDigits } from "../parts/texts.ts";

/** The machines that play for the run, and those that have left. */
export function FleetPanel({ fleet, running }: { readonly fleet: FleetNow; readonly running: boolean }) {
  const { gamesPerSecond, joiners, left, machines, places, waiting } = fleet;
  return (
    <section class="panel fleet">
      <h2>
        Fleet{" "}
        <small>
          {fixed(joiners, 0)} {joiners === 1 ? "machine" : "machines"}, {fixed(places, 0)} places,{" "}
          {twoDigits(gamesPerSecond)} games/s
        </small>
      </h2>
      {joiners === 0 && (
        <p class="muted">
          {running ? "Nobody has joined" : "Nobody was there at the end"}
          {waiting > 0 && running ? `, and ${fixed(waiting, 0)} games wait` : ""}.
        </p>
      )}
      {machines.length > 0 && (
        <table>
          <thead>
            <tr>
              <th>Machine</th>
              <th class="number">Games under way</th>
              <th class="number">Games taken</th>
              <th class="number">Games/s</th>
            </tr>
          </thead>
          <tbody>
            {machines.map(({ games, name, places: own, playing, rate }) => (
              <tr key={name}>
                <td>{name}</td>
                <td class="number">
                  {fixed(playing, 0)} of {fixed(own, 0)}
                </td>
                <td class="number">{fixed(games, 0)}</td>
                <td class="number">{twoDigits(rate)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {joiners > machines.length && <p class="muted">and {fixed(joiners - machines.length, 0)} others</p>}
      {left.length > 0 && <p class="muted">Left: {left.join(", ")}</p>}
    </section>
  );
}
