import type { Landmark } from "../figures/charts/line-chart.ts";
import { eventsOf, grouped, type RunData } from "./run-data.ts";

/** With more steps than this a rate falls all the time, and its steps are no landmarks. */
const MOST_STEPS = 6;

/** The training steps after which the learning rate changed, for schedules that change it a few times. */
export function rateSteps(run: Pick<RunData, "events">): Landmark[] {
  const steps = grouped(eventsOf(run, "training"), ({ stage }) => stage).flatMap(([, events]) =>
    events.flatMap(({ rate }, i): Landmark[] => {
      const before = events[i - 1];
      return before === undefined || before.rate === rate
        ? []
        : [{ x: before.step, label: `learning rate ${Number(rate.toPrecision(3))}` }];
    }),
  );
  return steps.length > MOST_STEPS ? [] : steps;
}
