import type { RecordedEvent } from "../events/event.ts";

/** A stretch of the charts with one horizontal axis. */
export interface Stretch {
  /** The name of the axis, as the charts have it: `Games learned`. */
  readonly axis: string;
  readonly low: number;
  readonly high: number;
}

/**
 * The events of a stretch, and all that have no place on its axis. Figures of these events put fewer points together, and so show
 * the stretch as finely as the whole run is shown.
 */
export function eventsWithin(
  events: readonly RecordedEvent[],
  { axis, high, low }: Stretch,
): RecordedEvent[] {
  const unit = /step/i.test(axis) ? "steps" : /game/i.test(axis) ? "games" : undefined;
  return events.filter((event) => {
    const place = placeOn(event, unit);
    return place === undefined || (place >= low && place <= high);
  });
}

function placeOn(event: RecordedEvent, unit: "games" | "steps" | undefined): number | undefined {
  switch (event.type) {
    case "games":
      return unit === "games" ? event.done : undefined;
    case "training":
    case "pool-games":
      return unit === "steps" ? event.step : undefined;
    default:
      return "unit" in event && "learned" in event && event.unit === unit ? event.learned : undefined;
  }
}
