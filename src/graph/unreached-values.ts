import { kindsOf } from "../operators/experiment/agent-kinds.ts";
import { netNames } from "../operators/experiment/agent-net.ts";
import type { WeightsOffer } from "../operators/operator.ts";
import { findSearch } from "../search/registry.ts";
import type { CheckedGraph, CheckedStage } from "./check-graph.ts";
import { learnedNet } from "./learned-net.ts";
import { escapePointer } from "./yaml-source.ts";

/** A schedule whose last values are never used, because the run ends before; `where` is a JSON pointer. */
export interface UnreachedValues {
  readonly where: string;
  readonly says: string;
}

/**
 * Schedules that go on beyond the end of the run: rates of learners, counted in steps, and options of searches, counted in versions of
 * their net. Their author has counted in another unit, or has shortened the run.
 */
export function unreachedValues({ opened, stages }: CheckedGraph): UnreachedValues[] {
  const rates = stages.flatMap((stage) => {
    if (learnedNet(stage) === undefined) return [];
    const { config, name, operator, view } = stage;
    const steps = operator.work?.(config, view)?.total;
    return unreached(`/graph/${escapePointer(name)}/rate`, config["rate"], steps, "steps of the optimiser");
  });
  const searches = Object.entries(opened.experiment.agents).flatMap(([name, agent]) => {
    const { scheduled = [] } = findSearch(agent.use, kindsOf(agent));
    const learner = stages.find((stage) => netNames(agent).includes(learnedNet(stage) ?? ""));
    const versions = learner === undefined ? undefined : versionsOf(learner);
    const options: Readonly<Record<string, unknown>> = agent;
    return scheduled.flatMap((option) =>
      unreached(
        `/agents/${escapePointer(name)}/${option}`,
        options[option],
        versions,
        "versions of its net, one for each training",
      ),
    );
  });
  return [...rates, ...searches];
}

/** The versions of the weights that a stage learns in the whole run, if they are known. */
function versionsOf({ config, operator, view }: CheckedStage): number | undefined {
  const offer = operator.offers?.(config, view) as WeightsOffer | undefined;
  return offer?.trainings === undefined ? undefined : offer.filling + offer.trainings;
}

function unreached(
  where: string,
  schedule: unknown,
  total: number | undefined,
  unit: string,
): UnreachedValues[] {
  if (!Array.isArray(schedule) || total === undefined || !Number.isFinite(total)) return [];
  const last = (schedule as { readonly until?: number }[]).at(-2)?.until;
  // A run that is cut at a phase of its schedule is meant so.
  if (last === undefined || last <= total) return [];
  return [
    {
      where,
      says: `its last value begins after ${last}, and the run has ${total} ${unit}: it is never used. Count until in this unit, or shorten the list`,
    },
  ];
}
