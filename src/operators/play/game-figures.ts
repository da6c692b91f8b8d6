import type { Game } from "../../games/game.ts";
import type { Episode } from "../../search/episode.ts";

/** Figures of how a game was played that its record does not hold. */
export interface GameFigures {
  /** Mean entropy, in nats, of the policies that the game gives to learn from; absent where it gives none. */
  readonly entropy?: number;
  /**
   * For each decision two numbers: what the mover's player expected to earn from there on, and what the mover earned.
   * Empty where players have no nets, in one-player games, and in games that were broken off.
   */
  readonly forecasts: Float32Array;
}

/**
 * The figures of a game between these agents; `gameOf` is the game as an agent counts its returns, undefined for agents
 * without a net.
 */
export function gameFigures<S>(
  played: Pick<Episode<S>, "actions" | "decisions" | "failure">,
  seats: readonly string[],
  gameOf: (agent: string) => Game<S> | undefined,
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
            [...new Set(seats)].flatMap((agent) => forecastsOf(played, seats, agent, gameOf(agent))),
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

/** The forecasts of one agent, whichever seats it sat in. */
function forecastsOf<S>(
  { actions, decisions }: Pick<Episode<S>, "actions" | "decisions">,
  seats: readonly string[],
  agent: string,
  game: Game<S> | undefined,
): number[] {
  if (game === undefined) return [];
  const own = decisions.filter(({ seat }) => seats[seat] === agent);
  const earned = new Float64Array(game.players);
  const state = game.initial();
  let ply = 0;
  const before = own.map((decision) => {
    while (ply < decision.ply) game.play(state, actions[ply++]!);
    game.returns(state, earned);
    return earned[decision.seat]!;
  });
  while (ply < actions.length) game.play(state, actions[ply++]!);
  game.returns(state, earned);
  return own.flatMap(({ seat, values }, i) => [values[seat]!, earned[seat]! - before[i]!]);
}
