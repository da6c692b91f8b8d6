import { runHref } from "../shell/router.ts";

/** The end of an address of the server that is about a game: `NAME/ID/STAGE/3`. */
export function gamePath(path: string, stage: string, game: number): string {
  return `${path.split("/").map(encodeURIComponent).join("/")}/${encodeURIComponent(stage)}/${game}`;
}

/** The address of a game's page; `ply` counts from 1. */
export function gameHref(path: string, stage: string, game: number, ply?: number): string {
  const end = ply === undefined ? "" : `?ply=${ply}`;
  return `${runHref(path)}/games/${encodeURIComponent(stage)}/${game}${end}`;
}
