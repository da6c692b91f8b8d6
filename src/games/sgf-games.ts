import { counted } from "../messages/counted.ts";
import type { SgfGame } from "../formats/sgf/sgf.ts";
import { sgfMainLine } from "../formats/sgf/sgf.ts";
import { sgfSimpleText } from "../formats/sgf/values.ts";
import { isPublishedBlokus } from "./blokus/blokus.ts";
import { BlokusSgfInvalid, readBlokusTree, writeBlokusSgf } from "./blokus/sgf.ts";
import { type Game, OVER } from "./game.ts";
import { goSgfFormat } from "./go/sgf/moves.ts";
import { type GoSgfSection, GoSgfInvalid, readGoSgf } from "./go/sgf/read-game.ts";
import { goRules, type OptionsGo } from "./go/options.ts";
import { setUpGo } from "./go/set-up.ts";
import { type GameConfig, openConfiguredGame } from "./registry.ts";
import type { SgfFormat } from "./sgf-moves.ts";

/**
 * Reads and writes the games of these rules and options as SGF, whatever a file says of its options. undefined if the
 * game has no SGF.
 */
export function sgfFormatOf({ rules, ...options }: GameConfig): SgfFormat | undefined {
  if (rules === "go") return goSgfFormat(options as OptionsGo);
  if (rules !== "blokus" && rules !== "blokus-duo") return undefined;
  const { game } = openConfiguredGame(rules, options);
  return rules === "blokus-duo" || isPublishedBlokus(game) ? blokusSgfFormat(rules, game) : undefined;
}

/** Games of Blokus as SGF, which has neither results nor ratings. */
function blokusSgfFormat(rules: "blokus" | "blokus-duo", game: Game<any>): SgfFormat {
  return {
    starts: false,
    read: (tree) => {
      try {
        const { actions, game: found, players } = readBlokusTree(tree);
        if (found !== rules) return { refused: "another game", why: `the game is ${found}, not ${rules}` };
        const state: unknown = game.initial();
        for (const action of actions) game.play(state, action);
        const over = game.toMove(state) === OVER;
        const returns = new Float64Array(game.players);
        if (over) game.returns(state, returns);
        else returns.fill(Number.NaN);
        return {
          moves: actions,
          returns: [...returns],
          ending: over ? "score" : "unknown",
          result: "",
          handicap: 0,
          players,
          ratings: players.map(() => ""),
          options: {},
        };
      } catch (error) {
        if (!(error instanceof BlokusSgfInvalid)) throw error;
        return {
          refused: /\bGM\b/.test(error.message) ? "another game" : "illegal move",
          why: error.message,
        };
      }
    },
    write: ({ moves, players }) => writeBlokusSgf(rules, moves, players),
  };
}

/** A game of a file in SGF, to be gone through from its start. */
export interface SgfRecord {
  readonly game: Game<any>;
  readonly config: GameConfig;
  /** The state before the first action. */
  readonly start: unknown;
  /** Of the main line. */
  readonly actions: readonly number[];
  /** By seat; "" if the file names none. */
  readonly players: readonly string[];
  /** What the file says of the result: its text, or "". */
  readonly result: string;
  /** By seat, if that text gives them. */
  readonly returns?: readonly number[];
  /** What was left out of the game or read in another way, each with its place. */
  readonly notes: readonly string[];
}

/** The game cannot be played here. The message says why, and where. */
export class SgfGameInvalid extends Error {
  override readonly name = "SgfGameInvalid";
}

/**
 * Reads the main line of a game in SGF: of Go, which is GM[1] or no GM, or of Blokus. Throws SgfGameInvalid.
 *
 * A line of Go on which stones are set up later, or moves are out of turn, has several games; the longest one is read.
 */
export function readSgfRecord(tree: SgfGame): SgfRecord {
  try {
    const gm = tree.nodes[0]!.find(({ name }) => name === "GM");
    const kind = gm === undefined ? "1" : sgfSimpleText(gm.values[0]!).trim();
    return /^\d*$/.test(kind) ? goRecord(tree) : blokusRecord(tree);
  } catch (error) {
    if (error instanceof BlokusSgfInvalid || error instanceof GoSgfInvalid)
      throw new SgfGameInvalid(error.message, { cause: error });
    throw error;
  }
}

function blokusRecord(tree: SgfGame): SgfRecord {
  const { actions, game: rules, players } = readBlokusTree(tree);
  const { config, game } = openConfiguredGame(rules, {});
  return { game, config, start: game.initial(), actions, players, result: "", notes: [] };
}

function goRecord(tree: SgfGame): SgfRecord {
  const { broken, options, players, result, sections, warnings } = readGoSgf(sgfMainLine(tree));
  const longest = sections.reduce((best, each) => (each.actions.length > best.actions.length ? each : best));
  const moves = (list: readonly GoSgfSection[]) => list.reduce((sum, each) => sum + each.actions.length, 0);
  const others = moves(sections) - longest.actions.length;
  const start = setUpGo(goRules(options), longest.stones, longest.first);
  if (start === undefined) throw new SgfGameInvalid(broken ?? "stones that are set up have no liberty");
  const { config, game } = openConfiguredGame("go", { ...options });
  return {
    game,
    config,
    start,
    actions: longest.actions,
    players,
    result: result.text,
    ...(result.returns === undefined ? {} : { returns: result.returns }),
    notes: [
      ...warnings,
      ...(broken === undefined ? [] : [`${broken}; the game is read up to there`]),
      ...(others === 0
        ? []
        : [`${counted(others, "move")} outside the longest part of the line without set-up left out`]),
    ],
  };
}
