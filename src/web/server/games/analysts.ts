import type { Game } from "../../../games/game.ts";
import { isOtherProgram } from "../../../operators/experiment/agent-kinds.ts";
import type { AgentConfig, Experiment, NetConfig } from "../../../operators/experiment/open-experiment.ts";
import { newestCheckpoints } from "../../../operators/run/weights/checkpoint-files.ts";
import { netRoles } from "../../../search/definition.ts";
import { existsSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import type { OfferedAnalyst } from "../../views/game-views.ts";

/** The analyst that needs nothing of a run, for games that can be played to their end. */
const CLASSIC = { use: "uct", simulations: 1000 } as const;

/** The analysts of a run's games: its agents that search, then a classic search. */
export function analystsOf({
  experiment,
  game,
}: {
  readonly experiment: Experiment;
  readonly game: Game<unknown>;
}): OfferedAnalyst[] {
  const own = Object.entries(experiment.agents)
    .filter(([, agent]) => !isOtherProgram(agent) && agent.use !== "random")
    .map(([name, agent]) => ({ name, about: aboutText(agent) }));
  return game.playouts === undefined || game.information !== undefined
    ? own
    : [...own, { name: CLASSIC.use, about: aboutText(CLASSIC) }].filter(
        (each, i, all) => all.findIndex(({ name }) => name === each.name) === i,
      );
}

function aboutText(agent: { readonly use: string; readonly [option: string]: unknown }): string {
  const simulations = agent["simulations"];
  return typeof simulations === "number"
    ? `${agent.use}, ${simulations.toLocaleString("en-US")} simulations`
    : agent.use;
}

/**
 * The settings of an analyst as `ludoflow analyse --agent` takes them, its nets being the run's newest checkpoints, or nets with weights
 * from elsewhere; undefined if there is no such analyst, or a net has no weights yet.
 */
export function analystSettings(
  folder: string,
  experiment: Experiment,
  name: string,
): Readonly<Record<string, unknown>> | undefined {
  const { agents } = experiment;
  const agent: AgentConfig | undefined = Object.hasOwn(agents, name)
    ? agents[name]
    : name === CLASSIC.use
      ? CLASSIC
      : undefined;
  if (agent === undefined || isOtherProgram(agent)) return undefined;
  const checkpoints = new Map(
    newestCheckpoints(folder).map((path) => [basename(dirname(path)), resolve(path)]),
  );
  const nets: Record<string, string | NetConfig> = {};
  for (const role of netRoles) {
    const net = agent[role];
    if (net === undefined) continue;
    const path = checkpoints.get(net);
    const given = experiment.nets[net];
    if (path !== undefined) nets[role] = path;
    // A net that learns nothing in the run, and whose weights its file names.
    else if (given?.weights !== undefined && existsSync(given.weights)) nets[role] = given;
    else return undefined;
  }
  return { ...agent, ...nets };
}
