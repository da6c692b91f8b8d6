import type { SgfMoves } from "../../../games/sgf-moves.ts";
import type { FilterSettings } from "./collection-settings.ts";
import type { LeftOutReason } from "./left-out.ts";
import { ratingOf } from "./rating.ts";

/** Why a game is left out. */
export interface FilterRefusal {
  readonly reason: LeftOutReason;
  readonly why: string;
}

/** The reason why filters leave a game out, by what its file says; undefined for a game that is taken. */
export function refusalOf(game: SgfMoves, settings: FilterSettings): FilterRefusal | undefined {
  const { handicap, leastMoves, options, rating, results, setUp } = settings;
  if (game.moves.length < leastMoves)
    return { reason: "too few moves", why: `${game.moves.length} moves; at least ${leastMoves}` };
  if (!setUp && game.start !== undefined && game.handicap === undefined)
    return { reason: "set-up position", why: "begins with a position that was set up" };
  if (handicap !== undefined && (game.handicap ?? 0) > handicap)
    return { reason: "handicap", why: `${game.handicap} handicap stones; at most ${handicap}` };
  if (results !== undefined && !results.includes(game.ending))
    return { reason: "result", why: `the game ended by: ${game.ending}` };
  for (const [name, values] of Object.entries(options ?? {}))
    if (!values.includes(game.options[name]))
      return { reason: "option", why: `${name} is ${JSON.stringify(game.options[name]) ?? "not given"}` };
  return rating === undefined ? undefined : ratingRefusal(game.ratings, rating);
}

function ratingRefusal(
  ratings: readonly string[],
  { least, most }: NonNullable<FilterSettings["rating"]>,
): FilterRefusal | undefined {
  const [low, high] = [least, most].map((text) => (text === undefined ? undefined : ratingOf(text)));
  const inside = ratings.every((text) => {
    const found = ratingOf(text);
    return (
      found !== undefined &&
      (low === undefined || (low.scale === found.scale && low.value <= found.value)) &&
      (high === undefined || (high.scale === found.scale && found.value <= high.value))
    );
  });
  return inside
    ? undefined
    : { reason: "rating", why: `the players have: ${ratings.map((text) => text || "none").join(", ")}` };
}

/** The group of a game, by what the setting `group` says. */
export function groupOf(game: SgfMoves, by: FilterSettings["group"], source: string, file: string): string {
  if (by === "source") return source;
  if (by === "file") return file;
  if (by === "player") return [...new Set(game.players)].join(" - ") || "unknown";
  if (by === "none") return "all";
  const found = game.ratings.map((text) => ({ text: text.trim(), rating: ratingOf(text) }));
  if (found.some(({ rating }) => rating === undefined)) return "unknown";
  return found.reduce((low, each) => (each.rating!.value < low.rating!.value ? each : low)).text;
}

/** What is wrong with filters that their schema allows, by setting; undefined if nothing is. */
export function filterMistake({
  rating,
  test,
  validation,
}: FilterSettings): readonly [key: string, message: string] | undefined {
  const { least, most } = rating ?? {};
  for (const [key, text] of [
    ["rating/least", least],
    ["rating/most", most],
  ] as const)
    if (text !== undefined && ratingOf(text) === undefined)
      return [key, `"${text}" is neither a rank, such as 5k, 3d or 1p, nor a number`];
  const [low, high] = [least, most].map((text) => text && ratingOf(text));
  if (low && high && (low.scale !== high.scale || low.value > high.value))
    return ["rating", `no rating lies between ${least} and ${most}`];
  return test + validation < 1 ? undefined : ["test", "validation and test leave nothing to train on"];
}
