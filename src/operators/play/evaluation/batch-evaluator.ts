import { type Complaint, complainUnknown } from "../../run/complaint.ts";
import { type EvaluatorSettings, evaluatorDefaults, evaluatorSettings } from "./evaluator-settings.ts";
import { openNetEvaluator } from "./net-evaluator.ts";
import { netNames } from "../../experiment/agent-net.ts";
import type { Experiment, OpenExperiment, StageConfig } from "../../experiment/open-experiment.ts";
import { service } from "../service.ts";
import { counted } from "../../../messages/counted.ts";

/** Evaluates positions with one net for all threads that play, in batches. */
export const batchEvaluator = service({
  use: "batch-evaluator",
  description:
    "Evaluates positions with a net in batches, for all games under way. Every net that an agent uses has an evaluator; name it only to change its settings.",
  example: "evaluator: { use: batch-evaluator, net: value, batch: 256 }",
  settings: evaluatorSettings,
  requests: "positions",
  check: (settings, opened) => {
    const complaints: Complaint[] = complainUnknown("net", "net", settings.net, opened.experiment.nets);
    if (opened.nets.get(settings.net)?.kind === "tables")
      complaints.push({
        key: "net",
        message: `"${settings.net}" is a value function on tables, which is not evaluated in batches`,
      });
    const first = entryOf(opened.experiment, settings.net);
    if (first !== undefined && (first[1] as object) !== settings)
      complaints.push({ key: "net", message: `"${settings.net}" has the evaluator "${first[0]}" already` });
    const { symmetries, batch } = settings;
    const count = opened.game.symmetry?.count;
    const images = symmetries === "none" ? 1 : symmetries === "all" ? (count ?? 1) : symmetries;
    if (symmetries !== "none" && count === undefined)
      complaints.push({
        key: "symmetries",
        message: `the game ${opened.game.name} has no symmetries: write symmetries: false`,
      });
    else if (images > (count ?? 1))
      complaints.push({ key: "symmetries", message: `${opened.game.name} has ${count} symmetries` });
    else if (images > batch)
      complaints.push({
        key: "batch",
        message: `a batch of ${batch} rows has no room for ${images} images of a position`,
      });
    return complaints;
  },
  bounds: ({ batch, sessions, versions }) => [
    `${sessions === undefined ? "a session for each core" : counted(sessions, "session")}, at most ${counted(versions, "version")} of the weights in each`,
    `two batches of at most ${batch} positions per worker thread`,
  ],
  instances: (opened) =>
    playedNetworks(opened).map((net) => {
      const entry = entryOf(opened.experiment, net);
      return {
        name: entry?.[0] ?? `evaluator_of_${net}`,
        settings: evaluatorSettingsOf(opened.experiment, net),
      };
    }),
  open: openNetEvaluator,
});

/** The settings of a net's evaluator: those of the entry of the graph that names the net, else the defaults. */
export function evaluatorSettingsOf(experiment: Experiment, net: string): EvaluatorSettings {
  return { ...evaluatorDefaults, ...entryOf(experiment, net)?.[1], net };
}

function entryOf({ graph }: Experiment, net: string): [string, StageConfig] | undefined {
  return Object.entries(graph).find(
    ([, config]) => config.use === batchEvaluator.use && config["net"] === net,
  );
}

/** The nets that agents play with and that are computed, not looked up in tables. */
function playedNetworks({ experiment, nets }: OpenExperiment): string[] {
  const played = new Set(Object.values(experiment.agents).flatMap(netNames));
  return [...nets].filter(([name, { kind }]) => kind === "network" && played.has(name)).map(([name]) => name);
}
