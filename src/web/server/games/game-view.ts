import type { AnalysedDecision, GameAnalysis } from "../../../formats/game-analyses.ts";
import type { StoredGame } from "../../../formats/game-records.ts";
import type { Game } from "../../../games/game.ts";
import { sgfWriterOf } from "../../../graph/game-sgf.ts";
import type { GameRow, GameView, StepShown } from "../../views/game-views.ts";
import { RequestRefused } from "../responses.ts";
import { variantOf } from "../play/known-games.ts";
import { analystsOf } from "./analysts.ts";
import { expectationCurves, turningPoints, type ValuedDecision } from "./expectations.ts";
import { gameFacts, gameSentence } from "./game-sentence.ts";
import { isDecision, type ViewedRun, statesOf } from "./opened-game.ts";
import { expectsReturns, valueUnit } from "./value-unit.ts";

/** What a seat sees in place of a move that is hidden from it. */
const HIDDEN_MOVE = "hidden";

/** A game's line in the list of games. */
export function gameRow(
  game: Game<unknown>,
  stage: string,
  record: StoredGame,
  analysed: ReadonlySet<number>,
): GameRow {
  return {
    stage,
    game: record.game,
    learned: record.generation,
    sentence: gameSentence(game, record).text,
    plies: record.actions.length,
    thoughts: analysed.has(record.game),
  };
}

/** The seat that a request chooses, or undefined. Throws RequestRefused if the game cannot be shown to one seat. */
export function chosenSeat(game: Game<unknown>, asked: string | null): number | undefined {
  if (asked === null || game.information === undefined) return undefined;
  const seat = Number(asked);
  if (!Number.isInteger(seat) || seat < 1 || seat > game.players)
    throw new RequestRefused(400, `The seats of this game are 1 to ${game.players}.`);
  if (game.drawing.board === undefined)
    throw new RequestRefused(409, "This game draws no board that shows only what one seat sees.");
  return seat - 1;
}

/** A game as a whole, as one seat saw it or with all open. */
export function gameView(
  { config, experiment, game }: ViewedRun,
  stage: string,
  record: StoredGame,
  analysis: GameAnalysis | undefined,
  seen: number | undefined,
): GameView {
  const decisions = valuedDecisions({ experiment, game }, record, analysis).filter(
    ({ seat }) => seen === undefined || seat === seen,
  );
  const curves = expectationCurves(decisions, (seat) => valueUnit(experiment, game, record.seats[seat]!));
  const { pieceShapes, seats } = game.drawing;
  return {
    stage,
    game: record.game,
    rules: config.rules,
    variant: variantOf(config),
    learned: record.generation,
    sentence: gameSentence(game, record).text,
    facts: gameFacts(record),
    seats: record.seats.map((agent, seat) => ({
      agent,
      ...(seats?.[seat] === undefined ? {} : { name: seats[seat] }),
    })),
    plies: record.actions.length,
    steps: stepsOf(game, record, seen),
    curves,
    turningPoints: turningPoints(decisions),
    kept: analysis !== undefined ? "thoughts" : curves.length > 0 ? "values" : "nothing",
    hidden: game.information === undefined ? "no" : game.drawing.board === undefined ? "undrawn" : "yes",
    ...(seen === undefined ? {} : { seen }),
    ...(pieceShapes === undefined ? {} : { pieceShapes }),
    analysts: analystsOf({ experiment, game }),
    sgf: sgfWriterOf(config.rules) !== undefined,
  };
}

/** The decisions of a game; moves that the seat has not seen are hidden. */
function stepsOf(game: Game<unknown>, record: StoredGame, seen: number | undefined): StepShown[] {
  const { information, drawing, notation } = game;
  const steps: StepShown[] = [];
  for (const { mover, ply, state } of statesOf(game, record)) {
    if (!isDecision(mover) || ply === record.actions.length) continue;
    const action = record.actions[ply]!;
    if (seen !== undefined && isHidden(information, state, action, seen)) {
      steps.push([ply, mover, HIDDEN_MOVE]);
      continue;
    }
    const piece = drawing.place?.(state, action)?.piece;
    const text = notation.format(state, action);
    steps.push(piece === undefined ? [ply, mover, text] : [ply, mover, text, piece]);
  }
  return steps;
}

/** Whether a seat does not see which action is played. */
export function isHidden(
  information: Game<unknown>["information"],
  state: unknown,
  action: number,
  seat: number,
): boolean {
  const observed = information?.observed?.(state, action, seat);
  return observed !== undefined && observed !== action;
}

/** The decisions of a game with what their players expected: by their analysis, or by the values of the record. */
export function valuedDecisions(
  { experiment, game }: Pick<ViewedRun, "experiment" | "game">,
  record: StoredGame,
  analysis: { readonly decisions: readonly Omit<AnalysedDecision, "opinion">[] } | undefined,
  /** The analyst of the game; absent: the expectations are those of each player. */
  by?: string,
): ValuedDecision[] {
  const thoughts = new Map((analysis?.decisions ?? []).map((decision) => [decision.ply, decision]));
  const returns = new Float64Array(game.players);
  const decisions: ValuedDecision[] = [];
  let made = 0;
  for (const { mover, ply } of statesOf(game, record))
    if (isDecision(mover) && ply < record.actions.length) made++;
  // The moves of an opening, which are given to the players, have no values.
  const given = made - record.values.length / game.players;
  for (const { mover, ply, state } of statesOf(game, record)) {
    if (!isDecision(mover) || ply === record.actions.length) continue;
    const adds = expectsReturns(experiment, by ?? record.seats[mover]!);
    if (adds) game.returns(state, returns);
    const thought = thoughts.get(ply);
    const step = decisions.length;
    const recorded = step < given ? [] : valuesAt(record, step - given, game.players);
    const values = thought?.values ?? recorded;
    decisions.push({
      step,
      seat: mover,
      earned: adds ? returns[mover]! : 0,
      ...(values.length === game.players && areEstimates(values) ? { values } : {}),
      ...(thought === undefined ? {} : { thought }),
    });
  }
  // If the record kept values for other decisions than these, it is not known which.
  const known = analysis !== undefined || (Number.isInteger(given) && given >= 0);
  return known ? decisions : decisions.map(({ values: _values, ...rest }) => rest);
}

/** By seat: the values of a decision in a record. */
function valuesAt({ values }: StoredGame, decision: number, players: number): StoredGame["values"] {
  return values.subarray(decision * players, (decision + 1) * players);
}

/** Whether values are estimates: players without any, and those with one legal move, record zeros for every seat. */
function areEstimates(values: ArrayLike<number>): boolean {
  return Array.from(values).some((value) => value !== 0);
}
