import { type Game, OVER } from "../../games/game.ts";
import type { Decision } from "../../search/search.ts";
import type { SessionAgent } from "../session-agent.ts";
import type { WatchedMove } from "./analysis.ts";
import type { GtpMoves } from "./dialect.ts";

/** A position, and the agent that decided there. */
export interface Decided {
  readonly agent: SessionAgent;
  readonly game: Game<unknown>;
  readonly moves: GtpMoves;
  readonly state: unknown;
}

/**
 * The moves of the agent's last decision, the best first, without those whose value is unknown and, of a search that
 * simulates, those without simulations. Where no move is left, there is the chosen move alone.
 */
export function watchedMoves(
  { action, actions, actionValues, visits }: Decision<unknown>,
  { agent, game, moves, state }: Decided,
): WatchedMove[] {
  const bounds = agent.valueBounds;
  const simulates = visits.some((count) => count > 0);
  const places = [...actions.keys()];
  const seen =
    agent.best === "value"
      ? places
          .filter((i) => !Number.isNaN(actionValues[i]!))
          .toSorted((a, b) => actionValues[b]! - actionValues[a]!)
      : places
          .filter((i) => visits[i]! > 0)
          .toSorted((a, b) => visits[b]! - visits[a]! || actionValues[b]! - actionValues[a]!);
  const shown = seen.length > 0 ? seen : [actions.indexOf(action)];
  return shown.map((i) => {
    const { prior, variation } = agent.outlook(actions[i]!);
    return {
      text: moves.format(game, state, actions[i]!),
      ...(simulates ? { visits: visits[i]! } : {}),
      ...(bounds === undefined || Number.isNaN(actionValues[i]!)
        ? {}
        : { winShare: (actionValues[i]! - bounds[0]) / (bounds[1] - bounds[0]) }),
      ...(prior === undefined ? {} : { prior }),
      variation: lineTexts(variation, { game, moves, state }),
    };
  });
}

/** The moves of a line that begins in this state. */
function lineTexts(line: readonly number[], { game, moves, state }: Omit<Decided, "agent">): string[] {
  const at = game.initial();
  game.copy(state, at);
  return line.map((action) => {
    const text = moves.format(game, at, action);
    if (game.toMove(at) !== OVER) game.play(at, action);
    return text;
  });
}
