import type { Detector } from "./detector.ts";
import { curveValueText, measuredOf } from "./expected-curve.ts";

/** A round that is below the band of recorded runs with its whole interval: a run is measured several times, and may be once by chance. */
export const belowExpected: Detector<"match"> = {
  name: "below-expected",
  reads: "match",
  find(events, { expected }) {
    const round = events.at(-1)!.event;
    const point = expected?.points.find(({ learned }) => learned === round.learned);
    if (expected === undefined || point === undefined || round.unit !== expected.unit) return undefined;
    // The result before the first step does not show learning.
    if (round.learned === 0) return undefined;
    const { agent, runs } = expected;
    const measured = measuredOf(round, agent);
    if (measured === undefined || !(measured.interval[1] < point.low)) return undefined;
    const text = (value: number) => curveValueText(expected, value);
    return {
      says: `${agent} reaches ${text(measured.value)} (at most ${text(measured.interval[1])}) after ${point.learned.toLocaleString("en-US")} ${round.unit}, where ${text(point.low)} to ${text(point.high)} is expected: ${runs} recorded runs with these settings reached ${text(point.value)} on average`,
      cure: "Run it with another seed (--seed); if that is below too, compare manifest.json (versions, machine, plug-ins) with a run that learned",
    };
  },
};
