import type { Static } from "typebox";
import Value from "typebox/value";
import type { Game } from "../games/game.ts";
import type { SearchDefinition } from "./definition.ts";
import { expectimax } from "./expectimax.ts";
import { greedy } from "./greedy.ts";
import { mcSoftmax } from "./mc-softmax.ts";
import { puct } from "./puct.ts";
import { randomMove } from "./random-move.ts";
import type { Search } from "./search.ts";
import { uct } from "./uct.ts";

/** All searches, in the order of the catalogue. */
export const searches: readonly SearchDefinition[] = [
  randomMove,
  greedy,
  expectimax,
  mcSoftmax,
  uct,
  puct,
] as readonly SearchDefinition[];

/** There is no such search, or its options are wrong; the message says what was expected. */
export class SearchNotOpened extends Error {
  readonly _tag = "SearchNotOpened";

  constructor(message: string) {
    super(message);
    this.name = "SearchNotOpened";
  }
}

/** The search with this name; throws SearchNotOpened naming the known ones. */
export function findSearch(name: string): SearchDefinition {
  const definition = searches.find((search) => search.name === name);
  if (definition === undefined)
    throw new SearchNotOpened(
      `unknown search "${name}"; known searches: ${searches.map((search) => search.name).join(", ")}`,
    );
  return definition;
}

/** Makes a search for a game; absent options take their defaults. Throws SearchNotOpened. */
export function openSearch<S>(
  name: string,
  game: Game<S>,
  options: Readonly<Record<string, unknown>> = {},
): Search<S> {
  const definition = findSearch(name);
  const schema = definition.options;
  const complete = Value.Default(schema, structuredClone(options));
  if (!Value.Check(schema, complete))
    throw new SearchNotOpened(`search ${name}: ${complaint(schema, complete)}`);
  return definition.create(game, complete as Required<Static<typeof schema>>);
}

/** The first thing wrong with options: an unknown one, or the place and what is expected there. */
function complaint(schema: SearchDefinition["options"], options: unknown): string {
  const known = Object.keys(schema.properties);
  for (const key of Object.keys(options as object))
    if (!known.includes(key))
      return `unknown option "${key}"; known options: ${known.length > 0 ? known.join(", ") : "none"}`;
  const errors = Value.Errors(schema, options);
  const first = errors.at(0)!;
  const field = first.instancePath.split("/")[1] ?? "";
  const expected = (schema.properties[field] as { description?: string } | undefined)?.description;
  // What a union expects would be one message per branch; its description says more.
  const message = errors.some(({ keyword }) => keyword === "anyOf") ? "no such value" : first.message;
  return `${field}: ${message}${expected === undefined ? "" : ` (${expected})`}`;
}
