import { basename } from "node:path";
import { column, type Table, tabulated } from "../../formats/table.ts";
import { type AnalysedGame, analysedGames } from "../games/analysed-games.ts";
import { gamePage, resultText } from "../games/game-page.ts";
import { type ShownPly, shownPlies } from "../games/game-plies.ts";
import { type Markup, markup } from "../../figures/markup.ts";
import { fixed } from "../../figures/number-text.ts";
import type { RunData } from "../run-data.ts";
import { dataMarkup, type Section, slug } from "../section.ts";

/** Games of a stage that get a page. */
const MOST_GAMES = 2;
/** Plies of a game that are shown: enough for board games, the beginning of games with thousands. */
const MOST_PLIES = 400;
/** Boards of each game that the report itself shows. */
const BOARDS = 4;

/** Games to step through move by move, each on its own page; here a few boards of each game. */
export function gamesSection(run: RunData): Section | undefined {
  const shown = analysedGames(run, MOST_GAMES).map((played) => ({
    played,
    plies: shownPlies(played, MOST_PLIES),
    path: `game-pages/${slug(played.stage)}-${played.record.game}.html`,
  }));
  if (shown.length === 0) return undefined;
  const table = tableOf(shown);
  return {
    id: "games",
    heading: "Games move by move",
    body: [
      markup`<p>Boards, visit counts, priors and values at every move; each title links to the whole game.</p>`,
      shown.map(({ path, played, plies }) => filmstrip(played, plies, path)),
      dataMarkup(table),
    ],
    tables: [table],
    pages: shown.map(({ path, played, plies }) => ({
      path,
      html: gamePage(
        {
          title: `${played.stage}, game ${played.record.game}`,
          from: run.name,
          footer: markup`<a href="../report.html">The run's report</a> · ${basename(played.stage)} game ${played.record.game}, made by ludoflow from the stored game and its analysis.`,
        },
        played,
        plies,
      ),
    })),
  };
}

function filmstrip(played: AnalysedGame, plies: readonly ShownPly[], path: string): Markup {
  const chosen = new Set(
    Array.from({ length: BOARDS }, (_, i) => Math.ceil((plies.length * (i + 1)) / BOARDS) - 1),
  );
  const boards = [...chosen]
    .filter((ply) => ply >= 0)
    .map((ply) => {
      const { board, number } = plies[ply]!;
      return markup`<div class="still"><div class="drawn" role="img" aria-label="The position after ply ${number}">${board}</div>after ply ${fixed(number, 0)}</div>
`;
    });
  return markup`<div class="film"><h3><a href="${path}">${played.stage}, game ${played.record.game}</a></h3>
<p>${resultText(played)}</p>
<div class="stills">${boards}</div></div>
`;
}

function tableOf(
  shown: readonly { readonly played: AnalysedGame; readonly plies: readonly ShownPly[] }[],
): Table {
  return {
    name: "game-moves",
    title:
      "The moves with most visits at every decision of these games: visits, the net's prior, the mover's value; played is 1 for the move made",
    ...tabulated(
      shown.flatMap(({ played: { record, stage }, plies }) =>
        plies.flatMap(({ decision, moves, number }) =>
          (decision?.moves ?? []).map((move, i) => ({
            stage,
            record,
            number,
            decision: decision!,
            move,
            name: moves[i]!,
          })),
        ),
      ),
      [
        column.text("stage", ({ stage }) => stage),
        column.integer("game", ({ record }) => record.game),
        column.integer("ply", ({ number }) => number),
        column.integer("seat", ({ decision }) => decision.seat + 1),
        column.text("agent", ({ decision, record }) => record.seats[decision.seat]),
        column.integer("legal", ({ decision }) => decision.legal),
        column.text("move", ({ name }) => name),
        column.integer("played", ({ decision, move }) => (move.action === decision.action ? 1 : 0)),
        column.integer("visits", ({ move }) => move.visits),
        column.number("prior", ({ move }) => move.prior),
        column.number("value", ({ move }) => (move.visits > 0 ? move.value : null)),
      ],
    ),
  };
}
