import { sameValue } from "../../same-value.ts";
import type { Settings } from "../../operators/experiment/settings-by-path.ts";

/** The paths at which settings differ, in the order of their first appearance. */
export function differingPaths(all: readonly Settings[]): string[] {
  const paths = new Set(all.flatMap((settings) => [...settings.keys()]));
  return [...paths].filter((path) =>
    all.some((settings) => !sameValue(settings.get(path), all[0]!.get(path))),
  );
}

/** The last words of a path that distinguish it from all others: `lambda` of `graph.learn.lambda`, or `learn.lambda`. */
export function shortPath(path: string, among: readonly string[]): string {
  const parts = path.split(".");
  for (let count = 1; count < parts.length; count++) {
    const short = parts.slice(-count).join(".");
    const ending = among.filter((other) => other === short || other.endsWith(`.${short}`));
    if (ending.length <= 1) return short;
  }
  return path;
}
