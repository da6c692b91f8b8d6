import type { StepShown, TurningPoint } from "../../views/game-views.ts";

/** The index of the step that is next at a position: that of the first decision from there on; past the last one at the end. */
export function stepAt(steps: readonly StepShown[], ply: number): number {
  let [low, high] = [0, steps.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (steps[middle]![0] < ply) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The position before the decision `by` steps further on; behind the last one is the end of the game. */
export function stepped(steps: readonly StepShown[], plies: number, ply: number, by: 1 | -1): number {
  const at = stepAt(steps, ply);
  if (by < 0) return steps[at - 1]?.[0] ?? 0;
  const here = steps[at]?.[0] === ply;
  return steps[here ? at + 1 : at]?.[0] ?? plies;
}

/** The next turning point after a step (`by` 1), or the last one before it, in the order of the game. */
export function nextTurningPoint(
  points: readonly TurningPoint[],
  step: number,
  by: 1 | -1,
): TurningPoint | undefined {
  const inOrder = points.toSorted((a, b) => a.step - b.step);
  return by > 0 ? inOrder.find((point) => point.step > step) : inOrder.findLast((point) => point.step < step);
}

/**
 * The mark of a turning point: `??` if the choice cost at least half of the drop, `?` if it cost a tenth, `▼` if it cost less or its
 * cost is not known. The rest of a drop is chance, the others' moves and what the search had not seen.
 */
export function turningMark({ choice, drop }: TurningPoint): "??" | "?" | "▼" {
  if (choice === undefined || choice < drop / 10) return "▼";
  return choice >= drop / 2 ? "??" : "?";
}
