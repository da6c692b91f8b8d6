import type { DecidedEvaluations } from "../operators/play/evaluation/decide-evaluations.ts";
import type {
  EvaluationPrecision,
  Experiment,
  NetConfig,
  OpenExperiment,
} from "../operators/experiment/open-experiment.ts";
import { weightsOf } from "../operators/run/weights/named-tensors.ts";
import { freshWeights, type StartsRead } from "../operators/run/weights/net-weights.ts";

/** Decides what nets are computed in that leave it to the run, by name. */
export async function decideAll(
  opened: OpenExperiment,
  starts: StartsRead,
): Promise<Record<string, DecidedEvaluations>> {
  const decided: Record<string, DecidedEvaluations> = {};
  for (const [name, { evaluations }] of Object.entries(opened.experiment.nets)) {
    if (evaluations !== "auto") continue;
    const [{ openEngine }, { decideEvaluations }] = await Promise.all([
      import("../compute/open-engine.ts"),
      import("../operators/play/evaluation/decide-evaluations.ts"),
    ]);
    const engine = await openEngine({ ...opened.experiment.compute, threads: 1 });
    const weights = weightsOf(starts.get(name)?.tensors ?? freshWeights(opened, name));
    try {
      decided[name] = await decideEvaluations(engine, opened, name, weights);
    } finally {
      await engine.close();
    }
  }
  return decided;
}

/** An experiment in which nets that leave it to the run are computed in what was decided. */
export function withDecided(
  experiment: Experiment,
  decided: (name: string) => EvaluationPrecision | undefined,
): Experiment {
  const nets = Object.entries(experiment.nets).map(([name, net]): [string, NetConfig] => {
    const evaluations = net.evaluations === "auto" ? decided(name) : undefined;
    return [name, evaluations === undefined ? net : { ...net, evaluations }];
  });
  return { ...experiment, nets: Object.fromEntries(nets) };
}
