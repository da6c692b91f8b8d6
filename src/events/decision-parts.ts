import type { DecisionMeans, SelfPlayFigures } from "./event.ts";

/** The means of a generation by the part of the game: `beginning`, `middle`, `end`, and `teacher` if there is one. */
export function partsOfGame({
  teacher,
  thirds,
}: Pick<SelfPlayFigures, "teacher" | "thirds">): Readonly<Record<string, DecisionMeans>> {
  const [beginning, middle, end] = thirds;
  return {
    beginning: beginning!,
    middle: middle!,
    end: end!,
    ...(teacher === undefined ? {} : { teacher }),
  };
}
