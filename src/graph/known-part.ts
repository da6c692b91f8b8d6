import { games } from "../games/registry.ts";
import { nets as netKinds } from "../models/registry.ts";
import { agentKinds } from "../operators/experiment/agent-kinds.ts";
import { netNames } from "../operators/experiment/agent-net.ts";
import type { Experiment } from "../operators/experiment/open-experiment.ts";
import { participantNamed } from "../operators/experiment/participant.ts";
import { operators, services } from "../operators/registry.ts";
import { RunFolderInvalid } from "./folder/run-folder-invalid.ts";
import { openRunFolder } from "./folder/run-folder.ts";
import { recordedGame } from "./recorded-game.ts";

/** An experiment without the nets that nothing of this process defines: they are of plug-ins that were not loaded. */
export function withKnownNets(experiment: Experiment): Experiment {
  const known = Object.entries(experiment.nets).filter(([, { use }]) => isNet(use));
  return { ...experiment, nets: Object.fromEntries(known) };
}

/**
 * Throws RunFolderInvalid if a recorded game of a run cannot be played again without plug-ins that were not loaded: they
 * define the game, a player, a net of a player, or any stage, because stages say which weights a game was played with.
 */
export function demandKnown(folder: string, stage: string | undefined, number: number): void {
  const { experiment } = openRunFolder(folder);
  if (!games.some(({ name }) => name === experiment.game.rules))
    throw needed(`the game "${experiment.game.rules}"`, experiment);
  for (const [name, { use }] of Object.entries(experiment.graph))
    if (![...operators, ...services].some((known) => known.use === use))
      throw needed(`the stage "${name}"`, experiment);
  const { record } = recordedGame(folder, experiment, stage, number);
  for (const name of new Set(record.seats.map((seat) => participantNamed(seat).agent))) {
    const agent = experiment.agents[name];
    if (agent === undefined) continue;
    if (!agentKinds().some((known) => known.name === agent.use))
      throw needed(`the agent "${name}"`, experiment);
    for (const net of netNames(agent))
      if (!isNet(experiment.nets[net]!.use)) throw needed(`the net "${net}"`, experiment);
  }
}

function isNet(use: string): boolean {
  return netKinds.some(({ name }) => name === use);
}

function needed(what: string, { plugins = [] }: Experiment): RunFolderInvalid {
  return new RunFolderInvalid(
    `${what} is of a plug-in, and the game cannot be played again without it: ${plugins.join(", ")}`,
  );
}
