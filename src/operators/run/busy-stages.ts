import type { StageActivity } from "./stage-activity.ts";
import type { StageClock } from "./stage-clock.ts";

/** A stage with the stages and nets around it. */
export interface StageLinks {
  readonly name: string;
  /** The stages that it reads. */
  readonly inputs: readonly string[];
  /** The net that it learns, if it learns one. */
  readonly learns: string | undefined;
}

/** What a stage does now, by its clock and by the work that it has under way. */
export interface PresentWork {
  readonly clock: Pick<StageClock, "ended" | "pulls" | "waitsForNets" | "works">;
  readonly activity: Pick<StageActivity, "works">;
}

/**
 * The stages at work that a stage waits for, in the order of the graph: the stage that it asks for items may itself wait
 * for another one, and a learner may be held up by a stage that measures an earlier version.
 */
export function busyStages(
  stage: string,
  stages: readonly StageLinks[],
  now: (stage: string) => PresentWork,
): string[] {
  const seen = new Set<string>();
  const busy = new Set<string>();
  const readersOf = (name: string) => stages.filter(({ inputs }) => inputs.includes(name));
  /** Follows a stage whose next item one of its readers wants, or none. */
  const follow = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    const { activity, clock } = now(name);
    if (clock.ended) return;
    if (clock.works || activity.works) {
      busy.add(name);
      return;
    }
    const { inputs } = stages.find((each) => each.name === name)!;
    const pulled = inputs.filter((input) => clock.pulls(input));
    for (const input of pulled) follow(input);
    const nets = clock.waitsForNets;
    for (const { learns, name: learner } of stages)
      if (learns !== undefined && nets.includes(learns)) follow(learner);
    if (pulled.length > 0 || nets.length > 0) return;
    // Nothing is wanted of the stage: the readers that do not ask yet hold it up. A reader that asks may be one of several.
    for (const reader of readersOf(name)) if (!now(reader.name).clock.pulls(name)) follow(reader.name);
  };
  follow(stage);
  busy.delete(stage);
  return stages.map(({ name }) => name).filter((name) => busy.has(name));
}
