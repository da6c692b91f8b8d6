import { existsSync } from "node:fs";
import { join } from "node:path";
import { fixed } from "../../../figures/number-text.ts";
import { openRunFolder } from "../../../graph/folder/run-folder.ts";
import { isOtherProgram } from "../../../operators/experiment/agent-kinds.ts";
import type { AgentConfig, Experiment, NetConfig } from "../../../operators/experiment/open-experiment.ts";
import { checkpointsPath } from "../../../operators/run/run-files.ts";
import { listCheckpoints, readManifest } from "../../../operators/run/weights/checkpoint-files.ts";
import { netRoles } from "../../../search/definition.ts";
import type { RunRow } from "../../views/run-views.ts";
import { simulationsOf } from "./simulations.ts";
import type { PagePlayer } from "./player.ts";

/**
 * The agents of runs as players, each with the newest checkpoints of its nets: those that have learned first. `rows` are
 * the runs of the folder `root`; what cannot be read is left out.
 */
export function playersOfRuns(root: string, rows: readonly RunRow[]): PagePlayer[] {
  const ranked = rows.toSorted((a, b) => rankOf(b) - rankOf(a));
  return ranked.flatMap((row) => {
    try {
      return playersOfRun(join(root, row.path), row);
    } catch {
      return [];
    }
  });
}

/** Finished runs come before others; the order of the list, newest first, decides between equals. */
function rankOf({ condition }: RunRow): number {
  return condition === "finished" ? 1 : 0;
}

function playersOfRun(folder: string, row: RunRow): PagePlayer[] {
  const { experiment } = openRunFolder(folder);
  const { plugins = [] } = experiment;
  // The agent of its results comes first, the others in the order of the file.
  const agents = Object.entries(experiment.agents).toSorted(
    ([a], [b]) => Number(b === row.result?.agent) - Number(a === row.result?.agent),
  );
  const players = agents.flatMap(([name, config]) => {
    if (plugins.length === 0 && isOtherProgram(config)) return [];
    const nets = netsOf(folder, experiment, config);
    // A net that has learned nothing yet plays at random.
    if (nets === undefined) return [];
    const learned = nets.learned === undefined ? "" : `after ${fixed(nets.learned, 0)} ${nets.unit}, `;
    const agent = { ...config, ...nets.given };
    return [
      {
        offer: {
          key: `run:${row.path}#${name}`,
          name,
          from: `${learned}${row.name} ${row.id}`,
          kind: "run" as const,
          ...simulationsOf(agent),
        },
        game: experiment.game,
        agent,
        plugins,
        learned: nets.learned !== undefined,
      },
    ];
  });
  return players.toSorted((a, b) => Number(b.learned) - Number(a.learned));
}

/** The nets of an agent by role, by their newest checkpoints; undefined if one of them has no weights. */
function netsOf(folder: string, { nets }: Experiment, agent: AgentConfig) {
  const given: Record<string, string | NetConfig> = {};
  let learned: number | undefined;
  let unit = "steps";
  for (const role of netRoles) {
    const net = agent[role];
    if (net === undefined) continue;
    const newest = listCheckpoints(checkpointsPath(folder, net)).at(-1);
    if (newest !== undefined) {
      given[role] = newest.path;
      learned = Math.max(learned ?? 0, newest.learned);
      unit = readManifest(newest.path).unit;
    } else if (nets[net]?.weights !== undefined && existsSync(nets[net].weights)) given[role] = nets[net];
    else return undefined;
  }
  return { given, learned, unit };
}
