import { tellsWinnerOnly } from "../../games/outcome.ts";
import { seatName } from "../../games/seat-name.ts";
import type { AnalysedGame } from "./analysed-games.ts";
import { lineChart } from "../../figures/charts/line-chart.ts";
import { NARROW, WIDE } from "../../figures/charts/frame.ts";
import { gameStyle } from "./game-style.ts";
import type { ShownPly } from "./game-plies.ts";
import { type Content, type Markup, markup } from "../../figures/markup.ts";
import { fixed, listed, percent, readable } from "../../figures/number-text.ts";
import { wholePage } from "../page.ts";
import { style } from "../style.ts";

/** The texts around a game on its page. */
export interface GamePageFrame {
  /** Names the game: `duel, game 3`. */
  readonly title: string;
  /** Names the run or the file that has it. */
  readonly from: string;
  readonly footer: Markup;
}

/**
 * A page to step through a game ply by ply: the board, the moves of the search with their visits, priors and values, and the
 * expected return of every seat. The plies are radio buttons: arrow keys step through them, and no script is needed.
 */
export function gamePage(
  { title, from, footer }: GamePageFrame,
  played: AnalysedGame,
  plies: readonly ShownPly[],
): string {
  const { record } = played;
  const cut = record.actions.length - plies.length;
  const shown = plies.map((ply) => plyMarkup(played, ply, plies.length));
  return wholePage(
    `${title} · ${from}`,
    markup`${style}${gameStyle}`,
    markup`<header><h1>${from} · ${title}</h1>
<p class="result">${resultText(played)}</p></header>
${courseMarkup(played, plies)}
${mistakesMarkup(played, plies)}
<section id="game"><h2>Move by move</h2>
<p class="hint">Choose a ply; then the arrow keys go forwards and backwards.${cut > 0 && ` The first ${fixed(plies.length, 0)} of ${fixed(record.actions.length, 0)} plies.`}</p>
<div class="plies" role="radiogroup" aria-label="Plies">
${shown}</div></section>
`,
    footer,
  );
}

/** Number of seats with a colour of their own; those of the first four are the boards' colours. */
const SEAT_COLOURS = 6;

function seatClass(seat: number): string {
  return `seat-${seat % SEAT_COLOURS}`;
}

/** The winners of a game and the returns, in a sentence. */
export function resultText(played: AnalysedGame): Markup {
  const { learned, record, review } = played;
  if (review?.result !== undefined)
    return markup`${listed(record.seats.map((_, seat) => playerName(played, seat)))}: ${review.result}, ${fixed(record.actions.length, 0)} plies.`;
  const best = Math.max(...record.returns);
  const given =
    record.resigned === undefined ? "" : markup`, ${playerName(played, record.resigned)} resigned`;
  const winners = record.seats.flatMap((_, seat) => (record.returns[seat] === best ? [seat] : []));
  const returns = record.seats.map(
    (_, seat) => `${playerName(played, seat)} ${readable(record.returns[seat]!)}`,
  );
  const scores = tellsWinnerOnly(played.game) ? "" : ` (${listed(returns)})`;
  const names = winners.map((seat) => playerName(played, seat));
  const won =
    record.seats.length === 1
      ? markup`<b>${record.seats[0]}</b> scored ${readable(record.returns[0]!)}`
      : markup`<b>${listed(names)}</b> ${winners.length > 1 ? "shared the win" : "won"}${scores}`;
  return markup`${won}${given}, ${fixed(record.actions.length, 0)} plies${learned !== undefined && `; played after ${learned} learned`}.`;
}

/** `seat 2 (learner)`, or `Black (learner)`. */
function playerName({ game, record: { seats } }: AnalysedGame, seat: number): string {
  return seats.length === 1 ? seats[seat]! : seatName(game, seat, seats[seat]);
}

/** A value that a decision of a seat gives: a share as per cent, others with so many decimals. */
function valueText({ shares }: AnalysedGame, seat: number, value: number, decimals: number): string {
  return shares[seat]! ? percent(value) : fixed(value, decimals);
}

/** By how much less a seat expects after its move. */
function lossText({ shares }: AnalysedGame, seat: number, loss: number): string {
  return shares[seat]! ? `${fixed(100 * loss, 1)} percentage points` : fixed(loss, 3);
}

/** What the values of decisions are, at the beginning of a sentence. */
function valueName(share: boolean): string {
  return share ? "Expected share of the win" : "Expected return";
}

/** The largest mistakes of a review, each with the way to its ply. */
function mistakesMarkup(played: AnalysedGame, plies: readonly ShownPly[]): Content {
  const { review } = played;
  const shown = (review?.mistakes ?? []).flatMap((ply) => {
    const found = plies[ply];
    return found?.decision === undefined ? [] : [{ ...found, decision: found.decision }];
  });
  if (shown.length === 0) return undefined;
  const items = shown.map(
    ({ decision, move, moves, number }) =>
      markup`<li><label for="p${number}">Ply ${number}</label>: <span class="player ${seatClass(decision.seat)}">${playerName(played, decision.seat)}</span> played <b class="notation">${move}</b> and lost ${review!.uncertain.has(decision.ply) && "~"}${lossText(played, decision.seat, review!.losses.get(decision.ply)!)}; <b class="notation">${moves[0]}</b> was best.</li>
`,
  );
  return markup`<section id="mistakes"><h2>Largest mistakes</h2>
<ol>
${items}</ol></section>
`;
}

/** The expected return of each seat in the course of the game. */
function courseMarkup(played: AnalysedGame, plies: readonly ShownPly[]): Content {
  const { record, review } = played;
  const decided = plies.flatMap(({ decision, number }) =>
    decision === undefined ? [] : [{ decision, number }],
  );
  const thought = decided.filter(({ decision }) => review !== undefined || estimates(played, decision.seat));
  // Agents may count values in different units: if some have nets, theirs are shown.
  const nets = thought.filter(({ decision }) => decision.opinion !== undefined);
  const shown = nets.length > 0 ? nets : thought;
  if (shown.length < 2) return undefined;
  const by = [...new Set(shown.map(({ decision }) => record.seats[decision.seat]!))];
  // A line has a player's estimates of its own seat at its own decisions: it does not swing between two players' opinions.
  const decisionsOf = (seat: number) =>
    review === undefined ? shown.filter(({ decision }) => decision.seat === seat) : shown;
  const seats = [...record.seats.keys()].filter((seat) => decisionsOf(seat).length > 0);
  const share = shown.every(({ decision }) => played.shares[decision.seat]!);
  const title = `${valueName(share)}${share ? "" : "s"}`;
  const chart = (width: number, id: string) =>
    lineChart(
      {
        id,
        title,
        description: `${valueName(share)} of each seat against the number of plies played.`,
        xLabel: "Ply",
        yLabel: share ? valueName(share) : "Expected return from there on",
        ...(share ? { yShare: true } : {}),
        series: seats.map((seat) => ({
          label: playerName(played, seat),
          style: seat,
          points: decisionsOf(seat).map(({ decision, number }) => ({ x: number, y: decision.values[seat]! })),
        })),
        height: 200,
      },
      width,
    );
  return markup`<figure id="course"><div class="wide">${chart(WIDE, "course-w")}</div><div class="narrow">${chart(NARROW, "course-n")}</div>
<figcaption>${valueName(share)} of ${seats.length === record.seats.length ? "each seat" : listed(seats.map((seat) => playerName(played, seat)))}, ${review === undefined ? markup`by ${by.length === 1 ? `the search of ${by[0]} at its` : `the searches of ${listed(by)} at their`} own decisions` : markup`by ${review.by} at the decisions of all seats`}.</figcaption></figure>`;
}

/** Whether the player of a seat estimates returns: random players and other programs give zeros throughout. */
function estimates({ analysis, record: { seats } }: AnalysedGame, seat: number): boolean {
  return analysis.decisions.some(
    (each) =>
      seats[each.seat] === seats[seat] && (each.visits > 0 || each.values.some((value) => value !== 0)),
  );
}

function plyMarkup(played: AnalysedGame, ply: ShownPly, last: number): Markup {
  const { board, move, number, seat } = ply;
  const player = seat === undefined ? "chance" : playerName(played, seat);
  const step = (to: number, text: string) =>
    to >= 1 && to <= last
      ? markup`<label for="p${to}">${text}</label>`
      : markup`<span aria-hidden="true">${text}</span>`;
  return markup`<input type="radio" name="ply" id="p${number}" ${number === 1 && "checked"} aria-label="Ply ${number}: ${player}, ${move}" class="${seat === undefined ? "chance" : seatClass(seat)}">
<article aria-label="Ply ${number}">
<div class="board"><div class="drawn" role="img" aria-label="The position after ply ${number}">${board}</div>${seatNotes(played, ply)}</div>
<div class="thought"><p class="steps">${step(1, "« first")} ${step(number - 1, "‹ back")} <b>Ply ${number} of ${last}</b> ${step(number + 1, "next ›")} ${step(last, "last »")}</p>
<p class="move"><span class="player ${seat === undefined ? "chance" : seatClass(seat)}">${player}</span> played <b class="notation">${move}</b></p>
${decisionMarkup(played, ply)}</div></article>
`;
}

/** The score and the note of each seat. */
function seatNotes(played: AnalysedGame, { notes, seats }: ShownPly): Content {
  const texts = seats.map(({ note, score }, seat) => ({
    seat,
    text: [score, note].filter(Boolean).join(", "),
  }));
  if (notes.length === 0 && texts.every(({ text }) => text === "")) return undefined;
  const lines = texts.map(
    ({ seat, text }) =>
      markup`<li><span class="player ${seatClass(seat)}">${playerName(played, seat)}</span> ${text}</li>`,
  );
  return markup`<ul class="seat-notes">${lines}${notes.length > 0 && markup`<li>${notes.join(", ")}</li>`}</ul>`;
}

function decisionMarkup(played: AnalysedGame, { decision, moves, seat }: ShownPly): Content {
  const { review } = played;
  if (decision === undefined) {
    const given =
      review === undefined ? "A move of the opening: given, not searched." : "This ply was not analysed.";
    return markup`<p class="hint">${seat === undefined ? "Drawn by chance." : given}</p>`;
  }
  const { action, legal, opinion, visits } = decision;
  const count = `${fixed(legal, 0)} legal ${legal === 1 ? "move" : "moves"}`;
  if (review === undefined && opinion === undefined && !estimates(played, decision.seat))
    return markup`<p class="hint">${count}. ${played.record.seats[decision.seat]} gives no values.</p>`;
  const loss = review?.losses.get(decision.ply);
  // A search by values that reviews a game simulates nothing, and values every move.
  const valuesAll = review !== undefined && visits === 0;
  const most = Math.max(1, ...decision.moves.map((each) => each.visits));
  const rows = decision.moves.map(
    (
      each,
      i,
    ) => markup`<tr${each.action === action && markup` class="played"`}><td class="notation">${moves[i]}</td><td class="visits"><span style="width:${Math.round((100 * each.visits) / most)}%"></span>${fixed(each.visits, 0)}</td><td class="number">${Number.isNaN(each.prior) ? "–" : percent(each.prior)}</td><td class="number">${each.visits > 0 || valuesAll ? valueText(played, decision.seat, each.value, 3) : "–"}</td></tr>
`,
  );
  const said =
    opinion === undefined
      ? ""
      : ` The net ranks it ${opinion.rank === 1 ? "likeliest" : `${ordinal(opinion.rank)} likeliest`}; entropy ${fixed(opinion.entropy, 2)} nats.`;
  return markup`<p class="hint">${count}${visits > 0 && `, ${fixed(visits, 0)} simulations`}.${said}${loss !== undefined && loss > 0 && markup` The move loses <b>${lossText(played, decision.seat, loss)}</b> against ${moves[0]}.${review!.uncertain.has(decision.ply) && " Few simulations found it, so it may be chance."}`}</p>
<table class="moves"><thead><tr><th scope="col">Move</th><th scope="col">Visits</th><th scope="col" class="number">Prior</th><th scope="col" class="number">Value</th></tr></thead><tbody>
${rows}</tbody></table>
<table class="expected"><thead><tr><th scope="col">${valueName(played.shares[decision.seat]!)}</th>${played.record.seats.map((_, each) => markup`<th scope="col" class="number"><span class="player ${seatClass(each)}">${played.game.drawing.seats?.[each] ?? each + 1}</span></th>`)}</tr></thead><tbody>
<tr><th scope="row">by the search</th>${decision.values.map((value) => markup`<td class="number">${valueText(played, decision.seat, value, 2)}</td>`)}</tr>
${opinion && markup`<tr><th scope="row">by the net alone</th>${opinion.values.map((value) => markup`<td class="number">${valueText(played, decision.seat, value, 2)}</td>`)}</tr>`}
</tbody></table>`;
}

function ordinal(n: number): string {
  const ending = new Intl.PluralRules("en", { type: "ordinal" }).select(n);
  return `${fixed(n, 0)}${{ one: "st", two: "nd", few: "rd", other: "th", many: "th", zero: "th" }[ending]}`;
}
