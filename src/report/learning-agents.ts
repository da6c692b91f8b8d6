import { netNames } from "../operators/experiment/agent-net.ts";
import { experimentSettings } from "./experiment-settings.ts";
import { eventsOf, type RunData } from "./run-data.ts";

/** The agents with a net that the run learns, by the stages that reported their learning. */
export function learningAgents(run: Pick<RunData, "events" | "experiment">): ReadonlySet<string> {
  const settings = experimentSettings(run);
  if (settings === undefined) return new Set();
  const learners = new Set(
    [...eventsOf(run, "training"), ...eventsOf(run, "games")].map(({ stage }) => stage),
  );
  const nets = new Set(
    Object.entries(settings.graph).flatMap(([stage, config]) => {
      const { net } = config as { readonly net?: unknown };
      return learners.has(stage) && typeof net === "string" ? [net] : [];
    }),
  );
  return new Set(
    Object.entries(settings.agents).flatMap(([name, agent]) =>
      netNames(agent).some((net) => nets.has(net)) ? [name] : [],
    ),
  );
}
