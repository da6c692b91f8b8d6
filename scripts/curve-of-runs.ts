import { type ExpectedCurve, measuredOf } from "../src/diagnosis/expected-curve.ts";
import type { RecordedEvent } from "../src/events/event.ts";
import { Moments } from "../src/stats/moments.ts";
import { studentT95 } from "../src/stats/student-t.ts";

/**
 * The curve of an agent in one stage of several whole runs that differ in their seeds. Of each round it has the mean, and a band
 * for one more run: Student's 95% prediction interval, mean +- t s sqrt(1 + 1/n) (n runs, their deviation s). A few runs may
 * agree by chance, so the band has at least the 95% intervals of all of their rounds.
 */
export function curveOfRuns(
  runs: readonly (readonly RecordedEvent[])[],
  { agent, settings, stage }: Pick<ExpectedCurve, "agent" | "settings" | "stage">,
): ExpectedCurve {
  if (runs.length < 2) throw new Error("a band needs two runs or more, each with another seed");
  const rounds = runs.map((events) =>
    events.flatMap((event) => {
      const measured = event.type === "match" && event.stage === stage ? measuredOf(event, agent) : undefined;
      return measured === undefined ? [] : [{ ...(event as RecordedEvent & { type: "match" }), ...measured }];
    }),
  );
  const places = (run: (typeof rounds)[number]) =>
    run.map(({ learned, unit }) => `${learned} ${unit}`).join(", ");
  const [first] = rounds;
  if (first!.length === 0) throw new Error(`stage "${stage}" has no rounds of agent "${agent}"`);
  for (const [i, run] of rounds.entries())
    if (places(run) !== places(first!))
      throw new Error(
        `run ${i + 1} was measured after ${places(run)}; the first one after ${places(first!)}`,
      );
  const { share, unit } = first![0]!;
  const points = first!.map(({ learned }, i) => {
    const same = rounds.map((run) => run[i]!);
    const { deviation, mean: value } = Moments.of(same.map((round) => round.value));
    const half = studentT95(runs.length - 1) * deviation * Math.sqrt(1 + 1 / runs.length);
    const low = Math.min(value - half, ...same.map(({ interval }) => interval[0]));
    const high = Math.max(value + half, ...same.map(({ interval }) => interval[1]));
    return {
      learned,
      value: short(value),
      low: short(share ? Math.max(0, low) : low),
      high: short(share ? Math.min(1, high) : high),
      elapsed: short(Moments.of(same.map(({ elapsed }) => elapsed)).mean),
    };
  });
  const seconds = short(Moments.of(runs.map((events) => events.at(-1)!.elapsed)).mean);
  return { settings, stage, agent, unit, share, runs: runs.length, seconds, points };
}

/** A number with as many digits as anybody reads. */
function short(value: number): number {
  return Number(value.toPrecision(4));
}
