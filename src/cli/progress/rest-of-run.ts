import { availableParallelism } from "node:os";
import type { Speeds } from "../../graph/cost/cost.ts";
import { CostCourse } from "../../graph/cost/cost-course.ts";
import type { Run } from "../../graph/start-run.ts";
import { durationText, totalText } from "./cost-text.ts";

/** The rest of a run is told for the first time after so many seconds, then each time after twice as long. */
const FIRST = 30;
/** A rest that is shorter than this is not told: progress lines tell it. In seconds. */
const LEAST = 120;

/** Tells from time to time what is left of a run at its speed. `speeds` were measured before it. */
export function tellRest(
  run: Pick<Run, "observe" | "works">,
  speeds: Speeds | undefined,
  say: (text: string) => Promise<void>,
): void {
  const course = new CostCourse(run.works, availableParallelism(), speeds);
  let begun: number | undefined;
  let next = Infinity;
  run.observe(
    "cost",
    (event, { elapsed }) => {
      if (event.type === "skipped") return undefined;
      course.listen(event, elapsed);
      if (begun === undefined) next = (begun = elapsed) + FIRST;
      if (elapsed < next) return undefined;
      next = begun + 2 * (elapsed - begun);
      const { left, whole } = course.estimate();
      return left.seconds < LEAST
        ? undefined
        : say(`left at this speed: ${totalText(left)}; the whole run: ${durationText(whole.seconds)}`);
    },
    { flows: true },
  );
}
