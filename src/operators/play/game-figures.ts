import type { Game } from "../../games/game.ts";
import { startOfGame } from "../../games/position-text.ts";
import type { Episode } from "../../search/episode.ts";

/** Figures of a game that its record does not hold. */
export interface GameFigures {
  /** Mean entropy of the policy targets of the game, in nats; absent if there are none. */
  readonly entropy?: number;
  /**
   * Two numbers for each decision: the return of the mover from there on, as its player expected it, and the actual
   * return. Empty if players have no nets, in one-player games, and in games that ended because a player failed.
   */
  readonly forecasts: Float32Array;
}

/**
 * The figures of a game between these agents. `gameOf` gives the game with the returns that an agent plays for, and
 * undefined for an agent without a net. `start` is the text of the position that the game begins with, if the rules have
 * another one.
 */
export function gameFigures<S>(
  played: Pick<Episode<S>, "actions" | "decisions" | "failure">,
  seats: readonly string[],
  gameOf: (agent: string) => Game<S> | undefined,
  start?: string,
): GameFigures {
  const entropies = played.decisions
    .filter(({ learn, policy }) => learn && policy.length > 0)
    .map(({ policy }) => entropyOf(policy));
  return {
    ...(entropies.length === 0
      ? {}
      : { entropy: entropies.reduce((sum, entropy) => sum + entropy, 0) / entropies.length }),
    forecasts:
      played.failure === undefined && seats.length > 1
        ? Float32Array.from(
            [...new Set(seats)].flatMap((agent) => forecastsOf(played, seats, agent, gameOf(agent), start)),
          )
        : new Float32Array(0),
  };
}

/** Entropy in nats of a distribution. */
export function entropyOf(distribution: Float32Array | Float64Array): number {
  let entropy = 0;
  for (const p of distribution) if (p > 0) entropy -= p * Math.log(p);
  return entropy;
}

/** The forecasts of one agent, in all its seats. */
function forecastsOf<S>(
  { actions, decisions }: Pick<Episode<S>, "actions" | "decisions">,
  seats: readonly string[],
  agent: string,
  game: Game<S> | undefined,
  start: string | undefined,
): number[] {
  if (game === undefined) return [];
  const own = decisions.filter(({ seat }) => seats[seat] === agent);
  const returns = returnsFrom({ actions, decisions: own }, game, start);
  return own.flatMap(({ seat, values }, i) => [values[seat]!, returns[i]!]);
}

/** By decision: the return of its mover from there on. `start` is the text of the position that the game begins with. */
export function returnsFrom<S>(
  { actions, decisions }: Pick<Episode<S>, "actions" | "decisions">,
  game: Game<S>,
  start: string | undefined,
): number[] {
  const scores = new Float64Array(game.players);
  const state = startOfGame(game, start);
  let ply = 0;
  const before = decisions.map((decision) => {
    while (ply < decision.ply) game.play(state, actions[ply++]!);
    game.returns(state, scores);
    return scores[decision.seat]!;
  });
  while (ply < actions.length) game.play(state, actions[ply++]!);
  game.returns(state, scores);
  return decisions.map(({ seat }, i) => scores[seat]! - before[i]!);
}
