import { Type } from "../../../schema.ts";
import type { Random } from "../../../random.ts";

/** How agents are given seats. */
export type SeatsMode = "round-robin" | "all-pairs" | "one-vs-rest" | "pairs-among-rest";

/** The setting that says how agents are given seats. */
export const seatsSchema = Type.Unsafe<SeatsMode>({
  type: "string",
  enum: ["round-robin", "all-pairs", "one-vs-rest", "pairs-among-rest"],
  default: "round-robin",
  description:
    "Which agents share a table. round-robin: every set of as many agents as seats, in every rotation; with fewer agents than seats, they take several seats in turn. all-pairs: every two agents share a table in all seatings that have both (2 seatings for two seats, 14 for four). one-vs-rest: for each other agent, the first agent sits once in every seat, and the other one has all others. pairs-among-rest: every two agents except the last one have one seat each, in all ways (20 for five seats); the last agent has all remaining seats.",
});

/** The setting that says in which order lineups come. */
export const seatingSchema = Type.Unsafe<"rotated" | "random">({
  type: "string",
  enum: ["rotated", "random"],
  default: "rotated",
  description:
    "rotated: seats change in a fixed order. random: every block has an order drawn at random, and in a round-robin also a random seating order. In both cases every agent sits in each seat equally often in a block.",
});

/** The seats of one game. */
export interface Lineup {
  /** The number of the agent in each seat. */
  readonly seats: readonly number[];
  /** The lineups of a block with the same group number are the same agents changing seats. */
  readonly group: number;
}

/**
 * The lineups of one block, in order: the smallest number of games in which all pairs that are due have played and every
 * agent has sat in each seat equally often. This also holds within each group.
 *
 * - `round-robin`: each set of `players` agents in as many rotations as it has agents. If there are at most as many
 *   agents as seats, all agents sit around the table in turn.
 * - `all-pairs`: each pair in the 2^players - 2 ways in which both are at the table; for four players the 14 ways of
 *   Nijssen and Winands (2013, Search policies in multi-player games). After each way follows its exchange of the two.
 * - `one-vs-rest`: for each other agent, agent 0 sits in each seat in turn and the other agent has the other seats.
 * - `pairs-among-rest`: each pair of all agents but the last, in the players * (players - 1) ways to take one seat each;
 *   after each way follows its exchange of the two. The last agent has the other seats.
 *
 * Groups take turns, so that an unfinished block has about equally many games of each group.
 */
export function blockOf(mode: SeatsMode, agents: number, players: number): Lineup[] {
  const groups = groupsOf(mode, agents, players);
  return Array.from({ length: groups[0]!.length }, (_, way) =>
    groups.map((ways, group) => ({ seats: ways[way]!, group })),
  ).flat();
}

/** The ways to seat each group; all groups have the same number of ways. */
function groupsOf(mode: SeatsMode, agents: number, players: number): number[][][] {
  const seats = (occupant: (seat: number) => number) =>
    Array.from({ length: players }, (_, i) => occupant(i));
  if (mode === "round-robin")
    return setsOf(agents, Math.min(agents, players)).map((set) =>
      set.map((_, turn) => seats((seat) => set[(seat + turn) % set.length]!)),
    );
  if (mode === "all-pairs")
    return setsOf(agents, 2).map(([a, b]) =>
      // One bit per seat names its agent. The first agent has seat 0; then the two are exchanged.
      Array.from({ length: 2 ** (players - 1) - 1 }, (_, i) => 2 * i + 1).flatMap((mask) => [
        seats((seat) => ((mask >> seat) & 1 ? a! : b!)),
        seats((seat) => ((mask >> seat) & 1 ? b! : a!)),
      ]),
    );
  if (mode === "pairs-among-rest")
    return setsOf(agents - 1, 2).map(([a, b]) =>
      setsOf(players, 2).flatMap(([x, y]) =>
        [
          [x, y],
          [y, x],
        ].map(([own, other]) => seats((seat) => (seat === own ? a! : seat === other ? b! : agents - 1))),
      ),
    );
  return Array.from({ length: agents - 1 }, (_, i) =>
    seats((own) => own).map((own) => seats((seat) => (seat === own ? 0 : i + 1))),
  );
}

/** All sets of k of the numbers below n, each in increasing order. */
function setsOf(n: number, k: number, from = 0): number[][] {
  if (k === 0) return [[]];
  const sets: number[][] = [];
  for (let first = from; first <= n - k; first++)
    for (const rest of setsOf(n, k - 1, first + 1)) sets.push([first, ...rest]);
  return sets;
}

/**
 * A block in a random order. In a round-robin of different agents the seating order is random too: one order for each
 * set, so that the block stays balanced.
 */
export function drawnBlock(mode: SeatsMode, agents: number, players: number, random: Random): Lineup[] {
  let block = blockOf(mode, agents, players);
  if (mode === "round-robin") {
    const groups = Math.max(...block.map(({ group }) => group)) + 1;
    const names = Array.from({ length: groups }, (_, group) => {
      const set = [...new Set(block.find((lineup) => lineup.group === group)!.seats)];
      const order = shuffled(set, random);
      return new Map(set.map((agent, i) => [agent, order[i]!]));
    });
    block = block.map(({ seats, group }) => ({
      seats: seats.map((agent) => names[group]!.get(agent)!),
      group,
    }));
  }
  return shuffled(block, random);
}

/** A uniformly random permutation (Fisher and Yates; Durstenfeld 1964). */
function shuffled<T>(items: readonly T[], random: Random): T[] {
  const order = [...items];
  for (let i = order.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}
