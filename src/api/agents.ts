import { CHANCE, type Game, OVER } from "../games/game.ts";
import { type Definition, defined } from "../definitions/definition.ts";
import type { SeatPlayer } from "../protocols/play-game.ts";
import { Random } from "../random.ts";
import type { SearchDefinition } from "../search/definition.ts";
import { netOf, type OpenCheckpoint } from "./checkpoints.ts";
import { LudoflowError, withPublicErrors } from "./errors.ts";
import type { Nets, Searches } from "./experiment.ts";
import { assertGame, configOf } from "./games.ts";
import type { Player } from "./play.ts";
import { assertPositions } from "./positions.ts";

/**
 * A net of an agent: a checkpoint that was opened, the folder of one, or a net with its options as in an experiment file, with
 * paths relative to the working directory: `{ use: "onnx", file: "model.onnx" }`.
 */
export type PlayerNet = OpenCheckpoint | string | Nets[keyof Nets];

/** The keys of an agent that name nets. */
type NetKey = "net" | "valueNet" | "playoutNet";

/** An agent's search and its options, as under `agents` in an experiment file; nets are given in place of their names. */
export type AgentOptions = {
  [Name in keyof Searches]: Omit<Searches[Name], NetKey> & {
    readonly [Net in Extract<keyof Searches[Name], NetKey>]?: PlayerNet;
  };
}[keyof Searches];

/** An agent with a search of your own: what `defineSearch` has made, and its options. */
export interface OwnAgentOptions {
  readonly use: Definition;
  readonly net?: PlayerNet;
  readonly [option: string]: unknown;
}

/** How an agent thinks about one position. */
export interface ThinkOptions {
  /** All draws follow from it. Default 1. */
  readonly seed?: number;
  /** The number of decisions in the game before this one, of all seats: schedules of temperatures count by it. Default 0. */
  readonly decisions?: number;
  /** Time for this decision, in place of the search's own limits. Searches with a fixed number of simulations ignore it. */
  readonly milliseconds?: number;
}

/** What an agent found out about a position. */
export interface AgentThought {
  /** The action that it would play, and the text of this move. */
  readonly action: number;
  readonly move: string;
  /** By seat: the return that it can expect from the position on. Zeros from a search that estimates nothing. */
  readonly values: readonly number[];
  /** The legal actions, in increasing order. */
  readonly actions: Int32Array;
  /** Beside each legal action: the number of simulations that took it. */
  readonly visits: Float64Array;
  /** Beside each legal action: the return that the mover can expect of it from the position on. NaN if it is not known. */
  readonly actionValues: Float64Array;
  /** The principal variation: the most visited actions, from the one that it would play on. */
  readonly variation: readonly number[];
}

/** A player that searches. */
export interface Agent extends Player {
  readonly game: Game<unknown>;
  /**
   * Thinks about a position, for itself: nothing is kept from call to call. The position is not changed. It is computed in the
   * calling thread, which does nothing else meanwhile.
   *
   * Throws a LudoflowError: `ERR_POSITION` for what is not a state of the game, and if no player moves; `ERR_PLAYER` if a
   * search of your own chooses an action that is not legal.
   */
  think(position: unknown, options?: ThinkOptions): Promise<AgentThought>;
}

/**
 * Makes an agent for a game: `await agent(game, { use: "uct", simulations: 1000 })`, and with a net
 * `await agent(net.game, { use: "puct-max-n", net, simulations: 200 })`. `use` can also be what `defineSearch` has made. What is
 * wrong with the options is reported here.
 *
 * Throws a LudoflowError: `ERR_AGENT`, `ERR_CHECKPOINT`, `ERR_COMPUTE`.
 */
export async function agent(game: Game<unknown>, options: AgentOptions | OwnAgentOptions): Promise<Agent> {
  return await withPublicErrors(async () => {
    assertGame(game);
    const [{ openAgent }, { resolveNet }, { agentAtSeat }, { weightsFit }] = await Promise.all([
      import("../graph/agents/open-agent.ts"),
      import("../graph/agents/open-net.ts"),
      import("../protocols/play-game.ts"),
      import("../games/registry.ts"),
    ]);
    const settings = { ...options, use: await searchName(options.use) };
    const opened = new Map<unknown, ReturnType<typeof resolveNet>>();
    const resolve = (net: unknown) => {
      const known = typeof net === "object" && net !== null ? netOf(net as OpenCheckpoint) : undefined;
      if (known !== undefined) {
        const { path, rules } = net as OpenCheckpoint;
        if (!weightsFit(rules, configOf(game)))
          throw new LudoflowError(
            "ERR_AGENT",
            `checkpoint ${path} was learned on ${JSON.stringify(rules)}, and this is ${JSON.stringify(configOf(game))}`,
          );
        return known;
      }
      const resolved = opened.get(net) ?? resolveNet(net, game, configOf(game));
      opened.set(net, resolved);
      return resolved;
    };
    const open = () => openAgent(settings, game, resolve);
    const thinker = open();
    return {
      name: settings.use,
      game,
      sit: (at): SeatPlayer => {
        if (at === game) return agentAtSeat(open());
        throw new LudoflowError("ERR_AGENT", "this agent was made for another game; make one for this game");
      },
      think: async (position, { seed = 1, decisions = 0, milliseconds } = {}) =>
        await withPublicErrors(() => {
          assertPositions(game, [position], () => "the position");
          const mover = game.toMove(position);
          if (mover === OVER || mover === CHANCE)
            throw new LudoflowError(
              "ERR_POSITION",
              mover === OVER ? "the game is over in this position" : "chance moves in this position",
            );
          const random = Random.named(seed, "think");
          const { action, values, actions, visits, actionValues } = thinker.decide(
            position,
            random,
            decisions,
            milliseconds,
          );
          return {
            action,
            move: game.notation.format(position, action),
            values: [...values],
            actions: actions.slice(),
            visits: visits.slice(),
            actionValues: actionValues.slice(),
            variation: [...thinker.outlook(action).variation],
          };
        }),
    };
  });
}

/** The name of a search; one of your own is made known in this thread first. */
async function searchName(use: string | Definition): Promise<string> {
  if (typeof use === "string") return use;
  const own = defined(use);
  if (own?.kind !== "search")
    throw new LudoflowError(
      "ERR_AGENT",
      "use is the name of a search, or what defineSearch has made; this is neither",
    );
  const { addSearch, searches } = await import("../search/registry.ts");
  const known = searches.find(({ name }) => name === own.name);
  if (known === undefined) addSearch(own.made as SearchDefinition);
  else if (known !== own.made)
    throw new LudoflowError("ERR_AGENT", `there is another search "${own.name}"; choose another name`);
  return own.name;
}
