import { BLACK, EMPTY } from "../../../games/go/board.ts";
import { handicapPoints, mostHandicapStones } from "../../../games/go/handicap.ts";
import { goMoveOfText, goMoveText } from "../../../games/go/notation/coordinates.ts";
import { goRules, type OptionsGo } from "../../../games/go/options.ts";
import { setUpGo, stonesOf } from "../../../games/go/set-up.ts";
import type { GtpHandler, GtpTable } from "../dialect.ts";
import { GtpError } from "../error.ts";
import { withArguments, withoutResponse } from "../handler.ts";
import { type GoRuleSet, kataText, rulesOfKata, rulesOfKgs } from "./rules.ts";
import { goViews } from "./views.ts";

const WHITE_SEAT = 1;

/** Commands that set up a game: the board, the komi, the rules and handicap stones. */
export function goSetUpCommands(table: GtpTable): Readonly<Record<string, GtpHandler>> {
  const { game, size, state } = goViews(table);
  /** The rules that the controller has chosen, for this game and later ones. */
  let chosen: Partial<GoRuleSet> = {};
  /** Sets up the empty board. The rest of the rules is as the session's user has it: a file's rules end with its game. */
  const begin = (to: number) =>
    table.begin({ ...table.configOf("go"), ...chosen, size: to, komi: game().rules.komi });
  const setRules = (rules: GoRuleSet): string => {
    const { board, superko, suicide } = game().rules;
    if (superko !== rules.superko || suicide !== rules.suicide) {
      if (state().plies > 0) throw new GtpError("rules cannot change after the first move");
      const stones = stonesOf(state(), board);
      const first = state().toMove;
      table.change({ ...table.config, ...rules });
      table.setUp(setUpGo(goRules(table.config as unknown as OptionsGo), stones, first));
    }
    chosen = rules;
    return "";
  };
  return {
    boardsize: withArguments(["a size"], ([text]) => {
      if (!/^\d{1,3}$/.test(text!) || Number(text) < 2 || Number(text) > 19)
        throw new GtpError("unacceptable size: expected 2 to 19");
      begin(Number(text));
      return "";
    }),
    clear_board: withoutResponse(() => begin(size())),
    fixed_handicap: withArguments(["a number of stones"], ([text]) =>
      placeHandicap(table, handicapPoints(size(), stonesFrom(text!, mostHandicapStones(size())))),
    ),
    "kata-get-rules": withArguments([], () => kataText(game().rules)),
    "kata-set-rules": (words) => {
      if (words.length === 0)
        throw new GtpError("syntax error: expected the name of rules, or rules as JSON");
      return setRules(rulesOfKata(words.join(" ")));
    },
    "kgs-rules": withArguments(["the name of rules"], ([name]) => setRules(rulesOfKgs(name!))),
    komi: withArguments(["a komi"], ([text]) => {
      const komi = /^[+-]?\d{1,12}(\.\d*)?$/.test(text!) ? Number(text) : NaN;
      if (!Number.isInteger(2 * komi) || Math.abs(komi) > 361)
        throw new GtpError(`unacceptable komi "${text}": expected -361 to 361, in halves of a point`);
      table.change({ ...table.config, komi: komi + 0 });
      return "";
    }),
    place_free_handicap: withArguments(["a number of stones"], ([text]) => {
      // Fewer stones than asked for are allowed (6.3.3).
      const stones = stonesFrom(text!, size() * size() - 1);
      const most = mostHandicapStones(size());
      if (most < 2) throw new GtpError(`a board of ${size()}x${size()} has no places for handicap stones`);
      return placeHandicap(table, handicapPoints(size(), Math.min(stones, most)));
    }),
    set_free_handicap: (vertices) => {
      if (vertices.length < 2) throw new GtpError("bad vertex list: expected 2 vertices or more");
      const points = vertices.map((vertex) => goMoveOfText(size(), vertex));
      const wrong = vertices.find((_, i) => points[i] === undefined || points[i] === size() * size());
      if (wrong !== undefined)
        throw new GtpError(`bad vertex list: "${wrong}" is no vertex of a board of ${size()}x${size()}`);
      const twice = vertices.find((_, i) => points.indexOf(points[i]) < i);
      if (twice !== undefined) throw new GtpError(`bad vertex list: "${twice}" occurs twice`);
      placeHandicap(table, points as number[]);
      return "";
    },
  };
}

/** A number of handicap stones from 2 to `most`. Throws GtpError. */
function stonesFrom(text: string, most: number): number {
  const stones = /^\d{1,3}$/.test(text) ? Number(text) : NaN;
  if (stones >= 2 && stones <= most) return stones;
  throw new GtpError(
    most < 2
      ? "invalid number of stones: this board has no places for handicap stones"
      : `invalid number of stones "${text}": expected 2 to ${most} on this board`,
  );
}

/** Puts handicap stones on the empty board; returns their vertices. White moves first then. */
function placeHandicap(table: GtpTable, points: readonly number[]): string {
  const { game, size, state } = goViews(table);
  const { rules } = game();
  if (stonesOf(state(), rules.board).some((colour) => colour !== EMPTY))
    throw new GtpError("board not empty");
  const colours = new Uint8Array(rules.board.points);
  for (const point of points) colours[point] = BLACK;
  const begun = setUpGo(rules, colours, WHITE_SEAT);
  if (begun === undefined) throw new GtpError("bad vertex list: a stone would have no liberty");
  table.setUp(begun);
  return points.map((point) => goMoveText(size(), point)).join(" ");
}
