import type { GameView } from "../../views/game-views.ts";
import { runHref } from "../shell/router.ts";

/** The end of an address of the server that is about a game: `NAME/ID/STAGE/3`. */
export function gamePath(path: string, stage: string, game: number): string {
  return `${path.split("/").map(encodeURIComponent).join("/")}/${encodeURIComponent(stage)}/${game}`;
}

/**
 * The address at which a game against a player begins in a position of a stored one; `ply` and `mover` count
 * from 0.
 */
export function playFromHref(
  path: string,
  { game, rules, stage, variant }: Pick<GameView, "game" | "rules" | "stage" | "variant">,
  ply: number,
  mover: number,
): string {
  const chosen = new URLSearchParams({
    player: `run:${path}`,
    variant,
    from: `${path}/${stage}/${game}`,
    ply: String(ply + 1),
    seat: String(mover + 1),
  });
  return `/play/${encodeURIComponent(rules)}?${chosen}`;
}

/** The address of a game's page; `ply` counts from 1. */
export function gameHref(path: string, stage: string, game: number, ply?: number): string {
  const end = ply === undefined ? "" : `?ply=${ply}`;
  return `${runHref(path)}/games/${encodeURIComponent(stage)}/${game}${end}`;
}
