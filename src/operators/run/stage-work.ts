/** How much a stage has to do in a whole run, as far as its settings say. */
export interface StageWork {
  readonly unit: "games" | "openings" | "steps";
  /** In the whole run, all rounds together; the maximum where a test can end a round earlier. */
  readonly total: number;
  /** Whether something is learned from it, or it measures what was learned. */
  readonly purpose: "learn" | "measure";
  /** Of games on the play host: the share of the decisions by agent (a name under agents); the sum is 1. */
  readonly deciders?: Readonly<Record<string, number>>;
  /** Whether the stage also learns from these games, while none of them is played. */
  readonly learns?: true;
  /** Maximum number of plies of a game, where games do not go to their end. */
  readonly plies?: number;
  /** Threads that the stage computes on, where these are its own. */
  readonly threads?: number;
}

/** The shares of agents in seats that are decided in equally often. */
export function seatShares(seats: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const agent of seats) counts[agent] = (counts[agent] ?? 0) + 1;
  return Object.fromEntries(Object.entries(counts).map(([agent, count]) => [agent, count / seats.length]));
}
