import { diagnosisText } from "../../messages/diagnosis-text.ts";
import type { RecordedEvent } from "../../events/event.ts";
import { isMomentary } from "../../events/event.ts";
import { isFlow } from "../../events/flow-event.ts";
import { isTrainingFigure } from "../../events/training-figures.ts";
import { decimalsFor, fixed, percent, readable } from "../../figures/number-text.ts";
import type { Estimate } from "../../stats/intervals.ts";
import type { EventLine } from "../views/run-views.ts";

/** An event in a line for people; undefined for those that figures show better. `order` is its place in the run. */
export function eventLine(event: RecordedEvent, order: number): EventLine | undefined {
  if (isMomentary(event) || isFlow(event)) return undefined;
  const { elapsed, time } = event;
  const line = (text: string, of: string, level: EventLine["level"] = "plain") => ({
    order,
    time,
    elapsed,
    of,
    text,
    level,
  });
  switch (event.type) {
    case "run-started":
      return line(event.resumed ? "resumed" : "started", "run");
    case "run-ended":
      return line(
        event.message === undefined ? event.outcome : `${event.outcome}: ${event.message}`,
        "run",
        event.outcome === "failed" ? "bad" : "plain",
      );
    case "note":
      return line(event.message, event.stage ?? "run", event.level === "warning" ? "warning" : "plain");
    case "diagnosis":
      return line(diagnosisText(event), event.stage, "warning");
    case "checkpoint":
      return line(`checkpoint after ${amount(event)}`, event.stage);
    case "match": {
      const standings = event.contest?.standings;
      const results =
        standings?.map(({ agent, wins }) => `${agent} ${shareText(wins)}`) ??
        event.agents.map(({ agent, interval, mean }) => `${agent} ${meanText({ value: mean, interval })}`);
      return line(`after ${amount(event)}: ${results.join(", ")}`, event.stage);
    }
    case "value-drift":
      return undefined;
    case "figure":
      if (isTrainingFigure(event)) return undefined;
      return line(`${event.name} ${readable(event.value)} after ${amount(event)}`, event.stage);
    default:
      return undefined;
  }
}

function amount({ learned, unit }: { readonly learned: number; readonly unit: string }): string {
  return `${fixed(learned, 0)} ${unit}`;
}

function shareText({ interval: [low, high], value }: Estimate): string {
  return `${percent(value)} [${fixed(100 * low, 0)}, ${fixed(100 * high, 0)}]`;
}

function meanText(estimate: Estimate): string {
  const decimals = decimalsFor(estimate);
  const [low, high] = estimate.interval;
  const value = fixed(estimate.value, decimals);
  return Number.isFinite(low) ? `${value} [${fixed(low, decimals)}, ${fixed(high, decimals)}]` : value;
}
