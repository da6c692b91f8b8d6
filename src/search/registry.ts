import type { Game } from "../games/game.ts";
import { completeOptions } from "../options.ts";
import { apvMcts } from "./policy/apv-mcts.ts";
import { bestReply } from "./depth-first/best-reply.ts";
import { defaultPlayer } from "./one-ply/default-player.ts";
import { type GivenNets, noNets, type SearchDefinition } from "./definition.ts";
import { expectimax } from "./depth-first/expectimax.ts";
import { flatMonteCarlo } from "./information/flat-monte-carlo.ts";
import { greedy } from "./one-ply/greedy.ts";
import { gumbel } from "./policy/gumbel.ts";
import { maxN } from "./depth-first/max-n.ts";
import { minimax } from "./depth-first/minimax.ts";
import { mcSoftmax } from "./softmax/mc-softmax.ts";
import { mctsBestReply } from "./mcts/mcts-best-reply.ts";
import { mctsMaxN } from "./mcts/mcts-max-n.ts";
import { mctsParanoid } from "./mcts/mcts-paranoid.ts";
import { paranoid } from "./depth-first/paranoid.ts";
import { moIsmcts } from "./information/mo-ismcts.ts";
import { perfect } from "./one-ply/perfect.ts";
import { policyMove } from "./one-ply/policy-move.ts";
import { preferredMove } from "./one-ply/preferred-move.ts";
import { puctMaxN } from "./policy/puct-max-n.ts";
import { randomMove } from "./one-ply/random-move.ts";
import type { Search } from "./search.ts";
import { soIsmcts } from "./information/so-ismcts.ts";
import { soIsmctsPom } from "./information/so-ismcts-pom.ts";
import { uct } from "./mcts/uct.ts";

const all: SearchDefinition[] = [
  randomMove,
  greedy,
  defaultPlayer,
  preferredMove,
  policyMove,
  perfect,
  expectimax,
  maxN,
  paranoid,
  bestReply,
  minimax,
  mcSoftmax,
  flatMonteCarlo,
  uct,
  soIsmcts,
  soIsmctsPom,
  moIsmcts,
  mctsMaxN,
  mctsParanoid,
  mctsBestReply,
  puctMaxN,
  gumbel,
  apvMcts,
] as SearchDefinition[];

/** All searches, in the order in which they are listed to users: those of this project, then those of plug-ins. */
export const searches: readonly SearchDefinition[] = all;

/** Adds a search of a plug-in to the searches of this thread. No other kind of agent may have its name. */
export function addSearch(search: SearchDefinition): void {
  all.push(search);
}

/** The search is unknown, or its options are wrong. The message says what was expected. */
export class SearchNotOpened extends Error {
  readonly _tag = "SearchNotOpened";

  constructor(message: string) {
    super(message);
    this.name = "SearchNotOpened";
  }
}

/** Finds a search by name. Throws SearchNotOpened, which lists the known names. */
export function findSearch(name: string, among: readonly SearchDefinition[] = searches): SearchDefinition {
  const definition = among.find((search) => search.name === name);
  if (definition === undefined)
    throw new SearchNotOpened(
      `unknown search "${name}"; known searches: ${among.map((search) => search.name).join(", ")}`,
    );
  return definition;
}

/** The searches for an agent without a net: each definition is replaced by its net-free variant, if it has one. */
export function withoutNet(among: readonly SearchDefinition[]): readonly SearchDefinition[] {
  return among.map((definition) => definition.withoutNet ?? definition);
}

/** Creates a search for a game. Absent options take their defaults. Throws SearchNotOpened. */
export function openSearch<S>(
  name: string,
  game: Game<S>,
  options: Readonly<Record<string, unknown>> = {},
  among: readonly SearchDefinition[] = searches,
  nets: GivenNets = noNets,
): Search<S> {
  const definition = findSearch(name, among);
  const completed = completeOptions(definition.options, options);
  if ("wrong" in completed) throw new SearchNotOpened(`search ${name}: ${completed.wrong}`);
  const unsuited = definition.unsuited?.(game, completed.options, nets);
  if (unsuited !== undefined) throw new SearchNotOpened(`search ${name}: ${unsuited}`);
  return definition.create(game, completed.options, nets);
}

/**
 * The game whose returns the values of a search's decisions are of: the game itself, or the game with the payoffs that
 * the options name. Throws SearchNotOpened.
 */
export function gameOfValues<S>(
  name: string,
  game: Game<S>,
  options: Readonly<Record<string, unknown>>,
): Game<S> {
  const definition = findSearch(name);
  const completed = completeOptions(definition.options, options);
  if ("wrong" in completed) throw new SearchNotOpened(`search ${name}: ${completed.wrong}`);
  return definition.valued?.(game, completed.options) ?? game;
}

/**
 * The least and the greatest value of a search's decisions in this game, the one given or that of `gameOfValues`;
 * undefined if there are no bounds, or if the search values nothing. Throws SearchNotOpened.
 */
export function boundsOfValues<S>(
  name: string,
  game: Game<S>,
  options: Readonly<Record<string, unknown>>,
  among: readonly SearchDefinition[] = searches,
): readonly [number, number] | undefined {
  const definition = findSearch(name, among);
  if (definition.best === "any") return undefined;
  const completed = completeOptions(definition.options, options);
  if ("wrong" in completed) throw new SearchNotOpened(`search ${name}: ${completed.wrong}`);
  if (definition.valueBounds !== undefined) return definition.valueBounds(game, completed.options);
  const { returnBounds } = definition.valued?.(game, completed.options) ?? game;
  return returnBounds.every(Number.isFinite) ? returnBounds : undefined;
}

/**
 * Creates a search for a game that it suits. The options must be checked and complete. `threadSeconds` and `version`: see
 * `SearchDefinition.create`.
 */
export function createSearch<S>(
  name: string,
  game: Game<S>,
  options: Readonly<Record<string, unknown>>,
  among: readonly SearchDefinition[] = searches,
  nets: GivenNets = noNets,
  threadSeconds?: () => number,
  version?: number,
): Search<S> {
  return findSearch(name, among).create(game, options, nets, threadSeconds, version);
}
