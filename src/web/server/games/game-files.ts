import type { StoredGame } from "../../../formats/game-records.ts";
import { boardSvg } from "../../../figures/boards/draw-board.ts";
import { gameSgf } from "../../../graph/game-sgf.ts";
import { RequestRefused } from "../responses.ts";
import { type ViewedRun, statesOf } from "./opened-game.ts";
import { boardAt } from "./positions.ts";

/** A game, or a position of it, as a file. */
export interface GameFile {
  readonly name: string;
  readonly type: string;
  readonly body: string;
}

/** A stored game in a form: `sgf`, `json` (its whole record, moves also as text), `svg` (a position). Throws RequestRefused. */
export function gameFile(
  run: ViewedRun,
  stage: string,
  record: StoredGame,
  { as, ply, seen }: { readonly as: string; readonly ply: number; readonly seen: number | undefined },
): GameFile {
  const name = `${run.experiment.name}-${stage}-${record.game}`;
  // Files of whole games show what a seat has not seen.
  if (as !== "svg" && seen !== undefined)
    throw new RequestRefused(409, "A record shows all hands: open them to export it.");
  if (as === "sgf") {
    const body = gameSgf(run.config, record);
    if (body === undefined)
      throw new RequestRefused(404, `Games of ${run.config.rules} have no form in SGF here.`);
    return { name: `${name}.sgf`, type: "application/x-go-sgf", body };
  }
  if (as === "json")
    return { name: `${name}.json`, type: "application/json", body: recordText(run, stage, record) };
  if (as === "svg") {
    const at = Math.min(ply, record.actions.length);
    return {
      name: `${name}-ply-${at}.svg`,
      type: "image/svg+xml",
      body: boardSvg(boardAt(run.game, record, at, seen)),
    };
  }
  throw new RequestRefused(404, "A game is available as sgf, json or svg.");
}

function recordText({ config, experiment, game }: ViewedRun, stage: string, record: StoredGame): string {
  const moves: string[] = [];
  for (const { ply, state } of statesOf(game, record))
    if (ply < record.actions.length) moves.push(game.notation.format(state, record.actions[ply]!));
  const { actions, dispute, facts, failure, generation, game: number, resigned, returns, seats } = record;
  return `${JSON.stringify({
    run: experiment.name,
    stage,
    game: number,
    rules: config,
    learned: generation,
    seats,
    returns,
    facts,
    ...(failure === undefined ? {} : { failure }),
    ...(dispute === undefined ? {} : { dispute }),
    ...(resigned === undefined ? {} : { resigned: resigned + 1 }),
    moves,
    actions: [...actions],
  })}\n`;
}
