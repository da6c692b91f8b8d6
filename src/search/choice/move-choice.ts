import type { Random } from "../../random.ts";
import { Type, type Static } from "../../schema.ts";
import { drawByTemperature } from "./draw-by-temperature.ts";

/**
 * Chooses the move to play: returns its index among the legal actions.
 *
 * `visits` and `values` have one entry for each legal action, `values` in the mover's view. `decisions` is the number of
 * decisions made in the game before this one, by all seats.
 */
export type MoveChoice = (
  visits: Float64Array,
  values: Float64Array,
  random: Random,
  decisions: number,
) => number;

/** A schedule: for each phase of the game, the temperature at which the played move is drawn from the visits. */
export const moveTemperature = Type.Array(
  Type.Object(
    {
      until: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 1_000_000,
          description: "The last decision of this phase, counted from 1. Without it, the phase has no end.",
        }),
      ),
      value: Type.Number({
        minimum: 0,
        maximum: 1000,
        description: "The temperature. 0 plays the most visited move; 1 draws in proportion to the visits.",
      }),
    },
    { additionalProperties: false },
  ),
);

/** The schedule, as the options give it: the first phase that a decision lies in counts. */
export type MoveTemperature = Static<typeof moveTemperature>;

/** The temperature after this many decisions of a game; 0 if the schedule has no phase for it. */
export function temperatureAt(schedule: MoveTemperature, decisions: number): number {
  return schedule.find(({ until }) => until === undefined || decisions < until)?.value ?? 0;
}

/** The index of the most visited action. Among equally visited actions the greater value wins, then the first. */
export function mostVisited(visits: Float64Array, values: Float64Array): number {
  let best = 0;
  for (let i = 1; i < visits.length; i++)
    if (visits[i]! > visits[best]! || (visits[i] === visits[best] && values[i]! > values[best]!)) best = i;
  return best;
}

/**
 * A choice that draws an action with probability proportional to visits^(1/T). The schedule gives T by the number of
 * decisions made in the game. If T is 0, the most visited action is played, without a draw.
 */
export function byVisits(schedule: MoveTemperature): MoveChoice {
  return (visits, values, random, decisions) => {
    const temperature = temperatureAt(schedule, decisions);
    const best = mostVisited(visits, values);
    if (temperature === 0) return best;
    return drawByTemperature(visits.slice(), temperature, random);
  };
}
