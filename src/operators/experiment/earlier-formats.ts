import { earlierValueKinds } from "../../models/definition.ts";
import type { Experiment } from "./open-experiment.ts";

/**
 * The settings of a net in today's words. Experiments of format `ludoflow run 1` and checkpoints of format `ludoflow
 * checkpoint 1` have earlier words. Settings in today's words stay as they are.
 */
export function currentNet<N>(net: N): N {
  const { values } = (net ?? {}) as { readonly values?: unknown };
  return typeof values === "string" && Object.hasOwn(earlierValueKinds, values)
    ? { ...net, values: earlierValueKinds[values] }
    : net;
}

/**
 * An experiment in today's words, see `currentNet`: from a run's folder, or from the file that an earlier run was started
 * with, whose form need not be right.
 */
export function currentExperiment(experiment: Experiment): Experiment {
  const nets: unknown = experiment.nets;
  if (typeof nets !== "object" || nets === null) return experiment;
  const current = Object.entries(nets).map(
    ([name, net]: [string, unknown]) => [name, currentNet(net)] as const,
  );
  return { ...experiment, nets: Object.fromEntries(current) as Experiment["nets"] };
}
