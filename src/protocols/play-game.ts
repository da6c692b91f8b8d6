import { CHANCE, type Game, OVER } from "../games/game.ts";
import { Random } from "../random.ts";
import type { SessionAgent } from "./session-agent.ts";

/** Decides for one seat of one game. */
export interface SeatPlayer {
  /** Called before the game with its first state. */
  begin?(state: unknown): void;
  /** Called at every ply, chance included, with the state before it and the action. */
  observe?(state: unknown, action: number): void;
  /**
   * Chooses a legal action. All draws come from `random`. The state may not be changed; `decisions` is the number of decisions
   * before, of all seats.
   */
  choose(state: unknown, random: Random, decisions: number): number | Promise<number>;
}

/** A ply that was played. */
export interface PlayedPly {
  /** The seat that has decided, or `CHANCE`. */
  readonly mover: number;
  readonly action: number;
  /** The action as the game writes it. */
  readonly move: string;
  /** The state after it, which the next ply changes. */
  readonly state: unknown;
}

/** A game that was played to its end. */
export interface PlayResult {
  /** All plies, chance included. */
  readonly actions: Int32Array;
  /** The same plies as the game writes them. */
  readonly moves: readonly string[];
  /** Decisions of players. */
  readonly decisions: number;
  /** The return of each seat. */
  readonly returns: readonly number[];
  /** Further figures of the game: for 2048 the greatest tile. */
  readonly facts: Readonly<Record<string, number>>;
  /** The last state. */
  readonly state: unknown;
}

/**
 * Plays a game to its end. Chance draws from the stream (`name`, "chance"), and the player of a seat from (`name`, "agent",
 * seat), so a game is a function of its name and of its players.
 */
export async function playGame(
  game: Game<unknown>,
  players: readonly SeatPlayer[],
  name: readonly (string | number)[],
  onPly: (ply: PlayedPly) => void = () => undefined,
): Promise<PlayResult> {
  const chance = Random.named(...name, "chance");
  const draws = players.map((_, seat) => Random.named(...name, "agent", seat));
  const state = game.initial();
  const moves: string[] = [];
  const actions: number[] = [];
  let decisions = 0;
  for (const player of players) player.begin?.(state);
  for (let mover = game.toMove(state); mover !== OVER; mover = game.toMove(state)) {
    const action =
      mover === CHANCE
        ? game.chance!.sample(state, chance)
        : await players[mover]!.choose(state, draws[mover]!, decisions++);
    const move = game.notation.format(state, action);
    actions.push(action);
    moves.push(move);
    for (const player of players) player.observe?.(state, action);
    game.play(state, action);
    onPly({ mover, action, move, state });
  }
  const returns = new Float64Array(game.players);
  game.returns(state, returns);
  return {
    actions: Int32Array.from(actions),
    moves,
    decisions,
    returns: [...returns],
    facts: game.figures?.facts?.(state) ?? {},
    state,
  };
}

/** An agent at a seat. One agent plays one seat of one game at a time. */
export function agentAtSeat(agent: SessionAgent): SeatPlayer {
  return {
    begin: (state) => agent.begin(state),
    observe: (state, action) => agent.observe(state, action),
    choose: (state, random, decisions) => agent.decide(state, random, decisions).action,
  };
}
