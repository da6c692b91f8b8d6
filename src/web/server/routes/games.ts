import { chosenSeat, gameRow, gameView } from "../games/game-view.ts";
import { analysisState, demandAnalysis, demandedDecisions } from "../games/demanded-analyses.ts";
import { gameFile } from "../games/game-files.ts";
import { openViewedRun } from "../games/opened-game.ts";
import { boardAt, positionsOf } from "../games/positions.ts";
import {
  analysedNumbers,
  newestGames,
  stagesWithGames,
  storedAnalysis,
  storedGame,
} from "../games/stored-games.ts";
import type { GameList, NewestGame, StageGames } from "../../views/game-views.ts";
import { RequestRefused, send, sendJson } from "../responses.ts";
import type { Request, Route } from "../route.ts";
import { gameAt, runFolderAt } from "../run-paths.ts";

/** The most rows, boards and positions of an answer. */
const MOST_ROWS = 200;
const MOST_BOARDS = 6;
const MOST_POSITIONS = 96;

/** Stored games: their list, one of them as a whole, its positions, its analysis on demand, its files. */
export const gameRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/api/games",
    answer: async ({ query, response, rest, site }) => {
      const run = await openViewedRun(runFolderAt(site.folder, rest));
      const stages = stagesWithGames(run.folder, run.experiment);
      const asked = query.get("stage");
      const stage = stages.some((each) => each.stage === asked) ? asked! : (newestStage(stages) ?? "");
      const from = numberOf(query, "from", 0);
      const records =
        stage === ""
          ? []
          : newestGames(run.folder, stage, from, numberOf(query, "count", MOST_ROWS, MOST_ROWS));
      const analysed = stage === "" ? new Set<number>() : analysedNumbers(run.folder, stage);
      const list: GameList = {
        stages,
        stage,
        from,
        rows: records.map((record) => gameRow(run.game, stage, record, analysed)),
      };
      sendJson(response, list);
    },
  },
  {
    method: "GET",
    path: "/api/newest-games",
    answer: async ({ query, response, rest, site }) => {
      const run = await openViewedRun(runFolderAt(site.folder, rest));
      const stages = stagesWithGames(run.folder, run.experiment);
      const asked = query.get("stage");
      const stage = stages.some((each) => each.stage === asked) ? asked! : newestStage(stages);
      const count = numberOf(query, "count", 3, MOST_BOARDS);
      const records = stage === undefined ? [] : newestGames(run.folder, stage, 0, count);
      const games = records.map((record): NewestGame => {
        const row = gameRow(run.game, stage!, record, new Set());
        return { ...row, board: boardAt(run.game, record, record.actions.length) };
      });
      sendJson(response, { games });
    },
  },
  {
    method: "GET",
    path: "/api/game",
    answer: async (request) => {
      const { query, response } = request;
      const { record, run, stage } = await askedGame(request);
      const analysis = storedAnalysis(run.folder, stage, record.game);
      sendJson(response, gameView(run, stage, record, analysis, chosenSeat(run.game, query.get("seat"))));
    },
  },
  {
    method: "GET",
    path: "/api/game-positions",
    answer: async (request) => {
      const { query, response } = request;
      const { record, run, stage } = await askedGame(request);
      const from = numberOf(query, "from", 0);
      const to = Math.min(numberOf(query, "to", from), from + MOST_POSITIONS - 1);
      const asked = query.get("by");
      const by = asked === null ? {} : { by: asked };
      const demanded = query.has("by") ? demandedDecisions(run.folder, stage, record.game) : undefined;
      const decisions = demanded ?? storedAnalysis(run.folder, stage, record.game)?.decisions ?? [];
      const seen = chosenSeat(run.game, query.get("seat"));
      sendJson(response, { positions: positionsOf(run, record, { from, to, seen, ...by }, decisions) });
    },
  },
  {
    method: "GET",
    path: "/api/game-analysis",
    answer: async (request) => {
      const { query, response } = request;
      const { record, run, stage } = await askedGame(request);
      const state = analysisState(run, stage, record, chosenSeat(run.game, query.get("seat")));
      sendJson(response, { analysis: state ?? null });
    },
  },
  {
    method: "POST",
    path: "/api/analyse-game",
    answer: async (request) => {
      const { body, response } = request;
      const { by } = Object(body) as { readonly by?: unknown };
      if (typeof by !== "string") throw new RequestRefused(400, "The request names no analyst.");
      const { record, run, stage } = await askedGame(request);
      demandAnalysis(run, stage, record, by);
      sendJson(response, {});
    },
  },
  {
    method: "GET",
    path: "/api/game-file",
    answer: async (request) => {
      const { query, response } = request;
      const { record, run, stage } = await askedGame(request);
      const { body, name, type } = gameFile(run, stage, record, {
        as: query.get("as") ?? "",
        ply: numberOf(query, "ply", record.actions.length),
        seen: chosenSeat(run.game, query.get("seat")),
      });
      send(response, 200, {
        body,
        type,
        headers: { "Content-Disposition": `attachment; filename*=UTF-8''${encodeURIComponent(name)}` },
      });
    },
  },
];

/** The stage that has stored a game last. */
function newestStage(stages: readonly StageGames[]): string | undefined {
  return stages.toSorted((a, b) => b.newest - a.newest)[0]?.stage;
}

/** The game that an address ends in: `.../NAME/ID/STAGE/3`. Throws RequestRefused. */
async function askedGame({ rest, site }: Pick<Request, "rest" | "site">) {
  const { folder, number, stage } = gameAt(site.folder, rest);
  return { run: await openViewedRun(folder), stage, record: storedGame(folder, stage, number) };
}

/** A number of the query that is 0 or greater. Throws RequestRefused. */
function numberOf(query: URLSearchParams, name: string, absent: number, most = 1e9): number {
  const text = query.get(name);
  if (text === null) return absent;
  const value = Number(text);
  if (!/^\d{1,9}$/.test(text)) throw new RequestRefused(400, `"${name}" is a whole number.`);
  return Math.min(value, most);
}
