import { Type, type Static } from "../../schema.ts";
import { drawIndex } from "../softmax/boltzmann.ts";
import type { Choice } from "../tree/tree-search.ts";

/** By stretches of the game, the temperature at which the played move is drawn from the visits. */
export const moveTemperature = Type.Array(
  Type.Object(
    {
      until: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 1_000_000,
          description: "The last decision of the stretch, counted from 1; open where absent.",
        }),
      ),
      value: Type.Number({
        minimum: 0,
        maximum: 1000,
        description: "0: the most visited move; 1: in proportion to the visits.",
      }),
    },
    { additionalProperties: false },
  ),
);

/** As options give it. */
export type MoveTemperature = Static<typeof moveTemperature>;

/** The temperature after this many decisions of a game; 0 where no stretch applies. */
export function temperatureAt(schedule: MoveTemperature, decisions: number): number {
  return schedule.find(({ until }) => until === undefined || decisions < until)?.value ?? 0;
}

/** The most visited action; among equals the one with the greater value, then the first. */
export function mostVisited(visits: Float64Array, values: Float64Array): number {
  let best = 0;
  for (let i = 1; i < visits.length; i++)
    if (visits[i]! > visits[best]! || (visits[i] === visits[best] && values[i]! > values[best]!)) best = i;
  return best;
}

/**
 * Draws an action with probability proportional to visits^(1/T), T by the number of decisions made in the game;
 * the most visited one where T is 0 or no stretch applies.
 */
export function byVisits(schedule: MoveTemperature): Choice {
  return (visits, values, random, decisions) => {
    const temperature = temperatureAt(schedule, decisions);
    const best = mostVisited(visits, values);
    if (temperature === 0) return best;
    const weights = visits.map((count) => (count / visits[best]!) ** (1 / temperature));
    const sum = weights.reduce((total, weight) => total + weight, 0);
    return drawIndex(weights, weights.length, sum, random);
  };
}
