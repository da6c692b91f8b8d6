/** Units of work that follow each other and cost about the same. */
export interface WorkPart {
  readonly units: number;
  /** The share of the decisions by agent; the sum is 1. */
  readonly deciders: Readonly<Record<string, number>>;
}

/** Work in the order in which it is done, round by round. */
export interface RoundsOfWork {
  readonly count: number;
  /** The parts of the first round, and those of each later one. */
  readonly first: readonly WorkPart[];
  readonly each: readonly WorkPart[];
}

/** How much a stage has to do in a whole run, as far as its settings say. */
export interface StageWork {
  readonly unit: "games" | "openings" | "steps";
  /** In the whole run, all rounds together; the maximum if a test can end a round earlier. */
  readonly total: number;
  /** Whether something is learned from it, or it measures what was learned. */
  readonly purpose: "learn" | "measure";
  /** Of games on the play host: the share of the decisions by agent (a name under agents); the sum is 1. */
  readonly deciders?: Readonly<Record<string, number>>;
  /** The rounds that make up `total`, if there are several, or if parts of one differ in their agents. */
  readonly rounds?: RoundsOfWork;
  /** A test may end a round, or the run, before all of the work is done. */
  readonly endsEarly?: true;
  /** Whether the stage also learns from these games, while none of them is played. */
  readonly learns?: true;
  /** Mean number of decisions at the start of a game that are drawn, so that no agent makes them. */
  readonly drawn?: number;
  /** Maximum number of plies of a game, if games do not go to their end. */
  readonly plies?: number;
  /** Threads that the stage computes on, if these are its own. */
  readonly threads?: number;
}

/** The shares of agents in seats that are decided in equally often. */
export function seatShares(seats: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const agent of seats) counts[agent] = (counts[agent] ?? 0) + 1;
  return Object.fromEntries(Object.entries(counts).map(([agent, count]) => [agent, count / seats.length]));
}

/** The units of one round. */
export function unitsOf(parts: readonly WorkPart[]): number {
  return parts.reduce((sum, { units }) => sum + units, 0);
}

/** The work of rounds that are all alike. */
export function equalRounds(count: number, parts: readonly WorkPart[]): RoundsOfWork {
  return { count, first: parts, each: parts };
}
