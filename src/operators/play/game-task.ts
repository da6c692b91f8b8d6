import type { SeatEffort } from "../../formats/game-efforts.ts";
import type { SeatFailure } from "../../search/episode.ts";
import type { ExamplesConfig } from "./examples/examples.ts";
import type { GameFigures } from "./game-figures.ts";
import type { AnalysisConfig } from "./analysed-search.ts";
import type { SharedTables } from "../../models/tables.ts";
import type { NetRole } from "../../search/definition.ts";
import { type AgentNet, netsOf } from "../experiment/agent-net.ts";
import type { OpenExperiment } from "../experiment/open-experiment.ts";
import { type Participant, participantNamed } from "../experiment/participant.ts";
import type { NetVersion } from "../run/weights/weights-board.ts";

/** One game to be played: everything that a worker needs in addition to the experiment. */
export interface GameTask {
  /** The stage that the game belongs to. */
  readonly stage: string;
  /** The name of the random streams of the game, under the seed of the experiment; equal names give equal draws. */
  readonly name: readonly (string | number)[];
  /** The name of the draws of chance, if several games share them; absent if the game has its own. */
  readonly chance?: readonly (string | number)[];
  /** The index of the game in the records of the stage. */
  readonly index: number;
  readonly generation: number;
  /** The participant in each seat, by name: an agent, or an earlier self of one (see `Participant`). */
  readonly seats: readonly string[];
  /** By seat: the versions of the weights that the participant plays with. */
  readonly versions: readonly NetVersions[];
  /** The game ends after this number of plies, for openings; absent: it is played to its end. */
  readonly plies?: number;
  /** The first decisions, if the players do not choose them. */
  readonly opening?: GivenOpening;
  /** The examples to make from the game; absent if there are none. */
  readonly examples?: ExamplesConfig;
  /** The agent whose net learns from the game, if other agents play it. Targets are of the kind that this agent plays for. */
  readonly learner?: string;
  /** The seat whose decisions alone become examples; absent: those of all seats do. */
  readonly learnedSeat?: number;
  /** By agent: the number of its search's simulations, if it is not that of its settings. Earlier selves have it too. */
  readonly simulations?: Readonly<Record<string, number>>;
  /** Whether what its decisions cost is measured. */
  readonly measured?: true;
  /** Settings of the analysis of the game; absent if it is not analysed. */
  readonly analyse?: AnalysisConfig;
}

/** By role of a net of an agent: the version of its weights. Roles of which the agent has no net are absent. */
export type NetVersions = Readonly<Partial<Record<NetRole, number>>>;

/** A game as a stage plans it; the versions of weights are named when it starts. */
export type PlannedGame = Omit<GameTask, "versions">;

/**
 * Names the weights of a game: those of `versionOf` for every net. Only the `net` of an earlier self has the version of its
 * name.
 */
export function withVersions(
  { experiment }: OpenExperiment,
  game: PlannedGame,
  versionOf: (net: string) => number,
): GameTask {
  const versions = game.seats.map((name) => {
    const { agent, version } = participantNamed(name);
    return Object.fromEntries(
      netsOf(experiment.agents[agent]!).map(({ role, net }) => [
        role,
        role === "net" && version !== undefined ? version : versionOf(net),
      ]),
    );
  });
  return { ...game, versions };
}

/** The weights that a game is played with, each once; with `which`, only those for which it is true. */
export function weightsNamed(
  { experiment }: OpenExperiment,
  { seats, versions }: GameTask,
  which: (participant: Participant, net: AgentNet) => boolean = () => true,
): NetVersion[] {
  const named = new Map<string, NetVersion>();
  for (const [seat, name] of seats.entries()) {
    const participant = participantNamed(name);
    for (const each of netsOf(experiment.agents[participant.agent]!)) {
      const { net, role } = each;
      const version = versions[seat]![role]!;
      if (which(participant, each)) named.set(`${net} ${version}`, { net, version });
    }
  }
  return [...named.values()];
}

/**
 * The first decisions of a game: moves drawn from a stream of this name, or these actions, from a position in the game's
 * notation if one is given.
 */
export type GivenOpening =
  | { readonly plies: number; readonly name: readonly (string | number)[] }
  | { readonly actions: readonly number[]; readonly start?: string };

/** The report of a worker about a finished game. */
export interface GameReport extends GameFigures {
  /** The encoded record: see `formats/game-records.ts`. */
  readonly record: Uint8Array;
  /** The encoded examples: see `examples.ts`; empty if the task has none. */
  readonly samples: Uint8Array;
  readonly returns: readonly number[];
  /** Length in plies, chance plies included. */
  readonly plies: number;
  readonly facts: Readonly<Record<string, number>>;
  /** What its decisions add to the figures of its generation: see `decision-sums.ts`. Absent if no policy is learned. */
  readonly decisionSums?: Float64Array;
  /** The value of the first decision, for the seat that moved. */
  readonly startValue: number;
  /** Number of positions that the searches of its players had evaluated by nets. */
  readonly evaluations: number;
  /** By seat: what its decisions cost; absent if it was not measured. */
  readonly effort?: readonly SeatEffort[];
  /**
   * Number of responses from caches, for all games of its thread since the previous report of the thread. Only the sum over
   * games is meaningful. Absent if there is no cache.
   */
  readonly cacheHits?: number;
  /** The encoded analysis: see `formats/game-analyses.ts`; absent if the game was not analysed. */
  readonly analysis?: Uint8Array;
  /** The seat whose player failed, and why: the game ended there. */
  readonly failure?: SeatFailure;
}

/** The tables of a version of a net. */
export interface TablesVersion extends NetVersion {
  readonly tables: SharedTables;
}

/** A game, with the tables of the earlier selves that play it. */
export interface GameWithTables {
  readonly task: GameTask;
  readonly tables: readonly TablesVersion[];
}

/** A message to a game worker. */
export type ToGameWorker =
  | ({ readonly type: "play"; readonly ticket: number } & GameWithTables)
  | { readonly type: "tables"; readonly net: string; readonly tables: SharedTables };

/** A message from a game worker: the report of a finished game. */
export interface FromGameWorker {
  readonly ticket: number;
  readonly report: GameReport;
}
