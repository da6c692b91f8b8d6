import type { RunCost } from "../../graph/cost/cost.ts";
import type { StageWork } from "../../operators/run/stage-work.ts";
import { counted } from "../../messages/counted.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/** A duration rounded to two digits, in the unit that people would say: `40 seconds`, `3.5 hours`, `390 days`, `2.1 years`. */
export function durationText(seconds: number): string {
  const [unit, name] =
    seconds < 1.5 * MINUTE
      ? [1, "second"]
      : seconds < 1.5 * HOUR
        ? [MINUTE, "minute"]
        : seconds < 2 * DAY
          ? [HOUR, "hour"]
          : seconds < 2 * YEAR
            ? [DAY, "day"]
            : [YEAR, "year"];
  const count = Number((seconds / unit).toPrecision(2));
  return counted(count, name, count.toLocaleString("en-US"));
}

/** The amounts of work of a run: `79,000 games, 70,000 steps, 3,330 games to measure`; `at most 79,000 games` if a test may end it. */
export function amountText(works: Iterable<StageWork>): string {
  const amounts = new Map<string, number>();
  let endsEarly = true;
  for (const { endsEarly: ends = false, purpose, total, unit } of works) {
    endsEarly &&= ends;
    const what = purpose === "learn" ? unit : `${unit} to measure`;
    amounts.set(what, (amounts.get(what) ?? 0) + total);
  }
  const text = [...amounts].map(([what, total]) => `${total.toLocaleString("en-US")} ${what}`).join(", ");
  return endsEarly && text !== "" ? `at most ${text}` : text;
}

/**
 * The time of a run: `about 390 days`; `at most 390 days` if a test may end it early; with stages that are not known, `at least 3 hours, without games`, and `at least 3 hours` if
 * only a lower bound is known.
 */
export function totalText({ endsEarly = false, least = [], seconds, unknown }: TotalCost): string {
  if (seconds === 0 && unknown.length > 0)
    return `an unknown time, as nothing of it could be measured: ${unknown.join(", ")}`;
  const known = durationText(seconds);
  if (unknown.length > 0) return `at least ${known}, without ${unknown.join(", ")}`;
  return `${least.length > 0 ? "at least" : endsEarly ? "at most" : "about"} ${known}`;
}

type TotalCost = Pick<RunCost, "seconds" | "unknown"> &
  Partial<Pick<RunCost, "least">> & { readonly endsEarly?: boolean };

/** Below this share of the cores of an idle machine it is called busy. */
const ENOUGH = 0.9;

/**
 * Says that the machine was busy: `the machine is busy: the measurement got 0.9 of the 1.9 cores that an idle one would have given
 * it`; undefined if it was not.
 */
export function busyText({
  gotCores,
  idleCores,
}: {
  readonly gotCores: number;
  readonly idleCores: number;
}): string | undefined {
  if (!(gotCores < ENOUGH * idleCores)) return undefined;
  return `the machine is busy: the measurement got ${gotCores.toFixed(1)} of the ${idleCores.toFixed(1)} cores that an idle one would have given it; times are those of an idle machine`;
}
