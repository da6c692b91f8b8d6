import { computesItself } from "../../../compute/engine.ts";
import { type Static, Type } from "../../../schema.ts";
import { findSearch } from "../../../search/registry.ts";
import { MOST_GAMES } from "../../experiment/most-games.ts";
import { kindsOf } from "../../experiment/agent-kinds.ts";
import { netNames } from "../../experiment/agent-net.ts";
import type { OpenExperiment } from "../../experiment/open-experiment.ts";
import { type Complaint, complainUnknown } from "../../run/complaint.ts";

/** The setting that gives all agents as much processor time a decision as one of them takes. */
export const equalTimeSchema = Type.Union(
  [
    Type.Boolean(),
    Type.Object(
      {
        to: Type.Optional(
          Type.String({
            description: "The agent whose time the others get (one of `agents`). If absent, the first agent.",
          }),
        ),
        games: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: MOST_GAMES,
            description:
              "Games that are played in turn until a measurement is long enough, rounded up to whole blocks. If absent, 16; with nets that are computed in batches as many as are under way in the match.",
          }),
        ),
      },
      { additionalProperties: false },
    ),
  ],
  {
    description:
      "Gives every agent with simulations as many as take the processor time of a decision of the reference: true for the first agent, { to: AGENT } for another one. Times are measured, and numbers fixed and recorded, before the first game.",
  },
);

/** The value of this setting. */
type EqualTimeSetting = Static<typeof equalTimeSchema>;

/** What an arena with equal times needs to know of its settings. */
interface Matched {
  readonly agents: readonly string[];
  readonly equalTime?: EqualTimeSetting;
}

/** The agents of an arena with equal times. */
export interface EqualTimeAgents {
  /** The agent whose time the others get. */
  readonly reference: string;
  /** By agent that gets this time: its search's number of simulations as written, and the numbers that it may have. */
  readonly scaled: ReadonlyMap<string, SimulationRange>;
  /** By other agent: the reason, a clause about it. */
  readonly unscaled: ReadonlyMap<string, string>;
  /** Games of a measurement, if the file says so. */
  readonly games?: number;
}

/** A number of simulations, and its bounds. */
export interface SimulationRange {
  readonly simulations: number;
  readonly minimum: number;
  readonly maximum: number;
}

/** The agents of an arena with equal times; undefined if the arena does not have them equal. */
export function equalTimeAgents(
  { agents, equalTime }: Matched,
  opened: OpenExperiment,
): EqualTimeAgents | undefined {
  if (equalTime === undefined || equalTime === false) return undefined;
  const { games, to = agents[0]! } = equalTime === true ? {} : equalTime;
  const scaled = new Map<string, SimulationRange>();
  const unscaled = new Map<string, string>();
  for (const agent of agents) {
    if (agent === to) continue;
    const range = untimed(opened, agent) ?? simulationRange(opened, agent);
    if (typeof range === "string") unscaled.set(agent, range);
    else scaled.set(agent, range);
  }
  return { reference: to, scaled, unscaled, ...(games === undefined ? {} : { games }) };
}

/** What is wrong with this setting. */
export function equalTimeComplaints(settings: Matched, opened: OpenExperiment): Complaint[] {
  const { agents } = opened.experiment;
  const equal = settings.agents.every((agent) => Object.hasOwn(agents, agent))
    ? equalTimeAgents(settings, opened)
    : undefined;
  if (equal === undefined) return [];
  const { reference, scaled, unscaled } = equal;
  if (!settings.agents.includes(reference)) {
    const complaints = complainUnknown("equalTime/to", "agent", reference, agents);
    return complaints.length > 0
      ? complaints
      : [{ key: "equalTime/to", message: `"${reference}" is not an agent of this stage` }];
  }
  const why = untimed(opened, reference);
  if (why !== undefined)
    return [{ key: "equalTime", message: `the time of "${reference}" cannot be measured: it ${why}` }];
  if (scaled.size > 0) return [];
  const reasons = [...unscaled].map(([agent, reason]) => `"${agent}" ${reason}`);
  return [
    {
      key: "equalTime",
      message: `no agent can get the time of "${reference}": ${reasons.join("; ") || "there is no other agent"}`,
    },
  ];
}

/** Why the processor time of an agent is not known, as a clause about it; undefined if it is known. */
function untimed({ experiment, nets }: OpenExperiment, agent: string): string | undefined {
  const computed = netNames(experiment.agents[agent]!).some((net) => nets.get(net)?.kind === "network");
  return computed && !computesItself(experiment.compute)
    ? "has a net that is computed on a GPU or in another process, which reports no processor time"
    : undefined;
}

/** The simulations of an agent's search, or the reason why they cannot change, as a clause about it. */
function simulationRange({ experiment }: OpenExperiment, agent: string): SimulationRange | string {
  const config = experiment.agents[agent]!;
  const option: { readonly minimum?: number; readonly maximum?: number } | undefined = findSearch(
    config.use,
    kindsOf(config),
  ).options.properties["simulations"];
  const { milliseconds = 0, simulations } = config;
  if (option === undefined || typeof simulations !== "number") return "has no number of simulations";
  if (milliseconds !== 0) return "plays by the clock (milliseconds)";
  const { maximum = Number.MAX_SAFE_INTEGER, minimum = 1 } = option;
  return { simulations, minimum, maximum };
}
