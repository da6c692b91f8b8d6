import { sgfEscape } from "../../../formats/sgf/values.ts";
import { type SgfProperty, writeSgf } from "../../../formats/sgf/sgf.ts";
import { OVER } from "../../game.ts";
import { BLACK, WHITE } from "../board.ts";
import { GameGo } from "../go.ts";
import { goRules, type OptionsGo } from "../options.ts";
import { playGo } from "../play.ts";
import { goAreaDifference } from "../score.ts";
import { setUpGo } from "../set-up.ts";
import { sgfRules } from "./game-info.ts";
import { sgfPoint } from "./points.ts";

/** A game to be written. */
export interface GoSgfContent {
  readonly options: OptionsGo;
  /** Legal one after the other. */
  readonly actions: ArrayLike<number>;
  /** A start other than that of the options: by point EMPTY, BLACK or WHITE, and the seat to move. */
  readonly start?: { readonly stones: ArrayLike<number>; readonly first: number } | undefined;
  /** By seat; "" and absent ones are left out. */
  readonly players?: readonly string[] | undefined;
  readonly ranks?: readonly string[] | undefined;
  /** RE. Absent: the score, if the game is over. */
  readonly result?: string | undefined;
  /** DT: a date as `2026-01-31`. */
  readonly date?: string | undefined;
  /** By number of plies: a comment on the position after them; 0 is the start. */
  readonly comments?: ReadonlyMap<number, string> | undefined;
}

/**
 * Writes a game as SGF FF[4], a move a line, to be stored as UTF-8. A limit of moves (`moveLimit`) has no property and
 * is not written.
 */
export function writeGoSgf(content: GoSgfContent): string {
  const { options, players = [], ranks = [], comments } = content;
  const { size } = options;
  const rules = goRules(options);
  const { board } = rules;
  const game = new GameGo(options);
  const { start } = content;
  const state = start === undefined ? game.initial() : setUpGo(rules, start.stones, start.first);
  if (state === undefined) throw new RangeError("stones that are set up have no liberty");
  const points = (colour: number): string[] =>
    Array.from({ length: board.points }, (_, point) => point)
      .filter((point) => state.colour[board.cellOf[point]!] === colour)
      .map((point) => sgfPoint(size, point));
  const [black, white] = [points(BLACK), points(WHITE)];
  const handicap = white.length === 0 && black.length > 1 && state.toMove === 1;
  const comment = (plies: number): SgfProperty[] => textProperty("C", comments?.get(plies));
  const setUp = [
    ...(handicap ? [property("HA", String(black.length))] : []),
    ...(black.length > 0 ? [{ name: "AB", values: black }] : []),
    ...(white.length > 0 ? [{ name: "AW", values: white }] : []),
    ...(black.length + white.length > 0 || state.toMove === 1 ? [property("PL", "BW"[state.toMove]!)] : []),
    ...comment(0),
  ];
  const moves = Array.from(content.actions, (action, ply) => {
    const name = "BW"[state.toMove]!;
    playGo(state, rules, action);
    return [property(name, action === board.pass ? "" : sgfPoint(size, action)), ...comment(ply + 1)];
  });
  const lead = goAreaDifference(state, board) - options.komi;
  const score = state.toMove === OVER ? goScoreText(lead) : undefined;
  const root = [
    property("GM", "1"),
    property("FF", "4"),
    property("CA", "UTF-8"),
    property("AP", "ludoflow"),
    property("SZ", String(size)),
    property("KM", String(options.komi)),
    property("RU", sgfRules(options)),
    ...textProperty("PB", oneLine(players[0])),
    ...textProperty("PW", oneLine(players[1])),
    ...textProperty("BR", oneLine(ranks[0])),
    ...textProperty("WR", oneLine(ranks[1])),
    ...textProperty("DT", oneLine(content.date)),
    ...textProperty("RE", oneLine(content.result ?? score)),
    ...setUp,
  ];
  return writeSgf([{ nodes: [root, ...moves], variations: [] }]);
}

/** The text of RE for the points by which Black leads. */
export function goScoreText(lead: number): string {
  return lead === 0 ? "0" : `${lead > 0 ? "B" : "W"}+${Math.abs(lead)}`;
}

function property(name: string, text: string): SgfProperty {
  return { name, values: [sgfEscape(text)] };
}

/** A property with a text; none if there is no text. */
function textProperty(name: string, text: string | undefined): SgfProperty[] {
  return text === undefined || text === "" ? [] : [property(name, text)];
}

function oneLine(text: string | undefined): string | undefined {
  return text?.replaceAll(/\s/g, " ");
}
