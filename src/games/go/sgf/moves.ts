import { sgfMainLine } from "../../../formats/sgf/sgf.ts";
import { OVER } from "../../game.ts";
import type { SgfFormat, SgfMoves } from "../../sgf-moves.ts";
import { BLACK, WHITE } from "../board.ts";
import { GameGo } from "../go.ts";
import type { OptionsGo } from "../options.ts";
import { playGo } from "../play.ts";
import { goAreaDifference } from "../score.ts";
import { setUpGo, stonesOf } from "../set-up.ts";
import type { GoState } from "../state.ts";
import { GoSgfInvalid, type GoSgfSection, readGoSgf } from "./read-game.ts";
import { goScoreText, writeGoSgf } from "./write-game.ts";

/**
 * Games of Go as SGF, played under given options whatever the file says of its rules. The komi may be another one: it
 * counts in the result alone.
 */
export function goSgfFormat(options: OptionsGo): SgfFormat {
  const game = new GameGo(options);
  const { rules } = game;
  const { board, moveLimit, size } = { ...rules, size: options.size };
  const first = game.initial();
  const usual = stonesOf(first, board);

  /** The start of a section; nothing if it is that of the rules. */
  const startOf = ({ stones, first: mover }: GoSgfSection): Pick<SgfMoves, "start" | "handicap"> => {
    if (mover === first.toMove && stones.every((colour, point) => colour === usual[point]))
      return { handicap: options.handicap };
    const blacks = stones.filter((colour) => colour === BLACK).length;
    const handicap = stones.includes(WHITE) || blacks > 0 !== (mover === 1) ? undefined : blacks;
    const start = game.notation.position(setUpGo(rules, stones, mover)!);
    return { start, handicap };
  };

  /** The points by which Black leads by the rules, under a komi; undefined if the game is not over. */
  const leadOf = (moves: readonly number[], start: GoState, komi: number): number | undefined => {
    // Most games of archives end by resignation.
    if (moves.at(-1) !== board.pass && start.plies + moves.length !== moveLimit) return undefined;
    for (const action of moves) playGo(start, rules, action);
    if (start.toMove !== OVER) return undefined;
    return goAreaDifference(start, board) - komi;
  };

  return {
    starts: true,
    read: (tree) => {
      try {
        const read = readGoSgf(sgfMainLine(tree), rules);
        if (read.options.size !== size)
          return { refused: "another board", why: `the board has ${read.options.size} rows, not ${size}` };
        if (read.broken !== undefined) return { refused: "illegal move", why: read.broken };
        const played = read.sections.filter(({ actions }) => actions.length > 0);
        const section = played[0] ?? read.sections[0]!;
        if (played.length > 1)
          return {
            refused: "not one game",
            why: `after move ${section.actions.length} stones are set up, a colour moves out of turn, or the game continues after its end`,
          };
        if (moveLimit > 0 && section.actions.length > moveLimit)
          return { refused: "illegal move", why: `the game continues after its limit of ${moveLimit} moves` };
        const { komi } = read.options;
        const { by = "other", returns, text } = read.result;
        const scored =
          returns ?? returnsOf(leadOf(section.actions, setUpGo(rules, section.stones, section.first)!, komi));
        const ended = returns === undefined || typeof by === "number" ? "score" : by;
        return {
          moves: section.actions,
          returns: scored ?? [Number.NaN, Number.NaN],
          ending: scored === undefined ? "unknown" : ended,
          result: text,
          ...startOf(section),
          players: read.players,
          ratings: read.ranks,
          options: { komi },
        };
      } catch (error) {
        if (!(error instanceof GoSgfInvalid)) throw error;
        return {
          refused: error.code === "ERR_GAME" ? "another game" : "another board",
          why: error.message,
        };
      }
    },
    write: ({ moves, options: given, players, ratings, result, returns, start }) => {
      const komi = (given["komi"] as number | undefined) ?? options.komi;
      const reading = start === undefined ? undefined : game.notation.parsePosition(start);
      if (reading !== undefined && "error" in reading) throw new RangeError(reading.error.message);
      const begin = reading?.state && { stones: stonesOf(reading.state, board), first: reading.state.toMove };
      // Moves before the start count here, not in the file: passes in a row, and the plies of a limit of moves.
      const lead = leadOf(moves, reading?.state ?? game.initial(), komi);
      return writeGoSgf({
        options: { ...options, komi },
        actions: moves,
        start: begin,
        players,
        ranks: ratings,
        result:
          result ||
          (lead !== undefined && returnsOf(lead)[0] === returns[0]
            ? goScoreText(lead)
            : winnerText(returns[0]!)),
      });
    },
  };
}

/** By seat: the returns of a game that Black leads by some points. */
function returnsOf(lead: number): readonly [number, number];
function returnsOf(lead: number | undefined): readonly [number, number] | undefined;
function returnsOf(lead: number | undefined): readonly [number, number] | undefined {
  return lead === undefined ? undefined : lead === 0 ? [0.5, 0.5] : lead > 0 ? [1, 0] : [0, 1];
}

/** RE if only the return of Black is known. */
function winnerText(returned: number): string | undefined {
  if (Number.isNaN(returned)) return undefined;
  return returned === 0.5 ? "0" : returned === 1 ? "B+" : "W+";
}
