import type { Game } from "../games/game.ts";
import { completeOptions } from "../options.ts";
import { bestReply } from "./depth-first/best-reply.ts";
import { defaultPlayer } from "./one-ply/default-player.ts";
import type { SearchDefinition } from "./definition.ts";
import { expectimax } from "./depth-first/expectimax.ts";
import { flatMonteCarlo } from "./playouts/flat-monte-carlo.ts";
import { greedy } from "./one-ply/greedy.ts";
import { gumbel } from "./policy/gumbel.ts";
import { maxN } from "./depth-first/max-n.ts";
import { mcSoftmax } from "./softmax/mc-softmax.ts";
import { mctsBestReply } from "./mcts/mcts-best-reply.ts";
import { mctsMaxN } from "./mcts/mcts-max-n.ts";
import { mctsParanoid } from "./mcts/mcts-paranoid.ts";
import { paranoid } from "./depth-first/paranoid.ts";
import { moIsmcts } from "./information/mo-ismcts.ts";
import { preferredMove } from "./one-ply/preferred-move.ts";
import { puctMaxN } from "./policy/puct-max-n.ts";
import { randomMove } from "./one-ply/random-move.ts";
import type { Search } from "./search.ts";
import { soIsmcts } from "./information/so-ismcts.ts";
import { soIsmctsPom } from "./information/so-ismcts-pom.ts";
import { uct } from "./mcts/uct.ts";

/** All searches, in the order of the catalogue. */
export const searches: readonly SearchDefinition[] = [
  randomMove,
  greedy,
  defaultPlayer,
  preferredMove,
  expectimax,
  maxN,
  paranoid,
  bestReply,
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
] as readonly SearchDefinition[];

/** There is no such search, or its options are wrong; the message says what was expected. */
export class SearchNotOpened extends Error {
  readonly _tag = "SearchNotOpened";

  constructor(message: string) {
    super(message);
    this.name = "SearchNotOpened";
  }
}

/** The search with this name among those given; throws SearchNotOpened naming the known ones. */
export function findSearch(name: string, among: readonly SearchDefinition[] = searches): SearchDefinition {
  const definition = among.find((search) => search.name === name);
  if (definition === undefined)
    throw new SearchNotOpened(
      `unknown search "${name}"; known searches: ${among.map((search) => search.name).join(", ")}`,
    );
  return definition;
}

/** What plays for an agent that names no net: those that do without one stand for the others of their name. */
export function withoutNet(among: readonly SearchDefinition[]): readonly SearchDefinition[] {
  return among.map((definition) => definition.withoutNet ?? definition);
}

/** Makes a search for a game, one of those given; absent options take their defaults. Throws SearchNotOpened. */
export function openSearch<S>(
  name: string,
  game: Game<S>,
  options: Readonly<Record<string, unknown>> = {},
  among: readonly SearchDefinition[] = searches,
): Search<S> {
  const definition = findSearch(name, among);
  const completed = completeOptions(definition.options, options);
  if ("wrong" in completed) throw new SearchNotOpened(`search ${name}: ${completed.wrong}`);
  const unsuited = definition.unsuited?.(game, completed.options);
  if (unsuited !== undefined) throw new SearchNotOpened(`search ${name}: ${unsuited}`);
  return definition.create(game, completed.options);
}

/** Makes a search, one of those given, for a game that it suits from options that are checked and complete. */
export function createSearch<S>(
  name: string,
  game: Game<S>,
  options: Readonly<Record<string, unknown>>,
  among: readonly SearchDefinition[] = searches,
): Search<S> {
  return findSearch(name, among).create(game, options);
}
