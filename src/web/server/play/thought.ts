import type { Game } from "../../../games/game.ts";
import type { SessionAgent } from "../../../protocols/session-agent.ts";
import type { Decision } from "../../../search/search.ts";
import type { AdviceShown } from "../../views/play-views.ts";
import { finiteOrNull } from "../../../formats/finite-or-null.ts";

/** Maximum number of moves listed. */
const MOST = 6;

/** A decision for people: the moves that it thought of, with their shares, values and priors. */
export function thoughtOf(
  game: Game<unknown>,
  state: unknown,
  {
    agent,
    decision,
    order,
    ply,
    seat,
  }: {
    readonly agent: SessionAgent;
    readonly decision: Decision<unknown>;
    /** The indices of its actions, best first. */
    readonly order: readonly number[];
    readonly ply: number;
    readonly seat: number;
  },
): AdviceShown {
  const { action, actions, actionValues, values, visits } = decision;
  const simulations = visits.reduce((sum, count) => sum + count, 0);
  // A search by visits that has not simulated knows no value; one that ranks by nothing never does.
  const valued = agent.best === "value" || (agent.best === "visits" && simulations > 0);
  const listed = order
    .filter((i) => agent.best !== "visits" || simulations === 0 || visits[i]! > 0)
    .slice(0, agent.best === "any" ? 1 : MOST);
  const [least, most] = agent.valueBounds ?? [-Infinity, Infinity];
  return {
    ply,
    seat,
    action,
    text: game.notation.format(state, action),
    ...numbered("value", valued ? values[seat] : undefined),
    simulations: Math.round(simulations),
    legal: actions.length,
    bounds: [finiteOrNull(least), finiteOrNull(most)],
    moves: listed.map((i) => {
      const place = game.drawing.place?.(state, actions[i]!);
      return {
        action: actions[i]!,
        text: game.notation.format(state, actions[i]!),
        ...(place === undefined ? {} : { place }),
        ...numbered("share", simulations > 0 ? visits[i]! / simulations : undefined),
        ...numbered("value", valued ? actionValues[i] : undefined),
        ...numbered("prior", agent.outlook(actions[i]!).prior),
      };
    }),
  };
}

/** A figure if it is known. */
function numbered<K extends string>(name: K, value: number | undefined): { readonly [each in K]?: number } {
  return value === undefined || !Number.isFinite(value) ? {} : ({ [name]: value } as Record<K, number>);
}
