import type { GameConfig } from "../../games/registry.ts";
import { BLACK, EMPTY } from "../../games/go/board.ts";
import { goMoveOfText, goMoveText } from "../../games/go/notation/coordinates.ts";
import type { GameGo } from "../../games/go/go.ts";
import { handicapPoints, mostHandicapStones } from "../../games/go/handicap.ts";
import { setUpGo } from "../../games/go/set-up.ts";
import type { GoState } from "../../games/go/state.ts";
import { type AnalysisForm, kataForm, leelaForm } from "./analysis.ts";
import { canadianTime } from "./clock.ts";
import type { GtpHandler, GtpTable } from "./dialect.ts";
import { GtpError } from "./error.ts";
import { deadStones, goOwnership } from "./go-status.ts";
import { numberOf, withArguments, withoutResponse } from "./handler.ts";

/** The interval of an analysis whose command names none, in hundredths of a second. */
const USUAL_INTERVAL = 100;

const WHITE_SEAT = 1;

/** Analyses for GoGui: kind of display, label and command. Source: "GoGui", chapter 8, "Analyze commands". */
const guiCommands = [
  "string/Final Score/final_score",
  "plist/Dead Stones/final_status_list dead",
  "plist/Legal Moves/all_legal %c",
  "dboard/Ownership/ludoflow-ownership",
];

/** The commands of the dialect `go` beyond those of every session. */
export function goCommands(table: GtpTable): Readonly<Record<string, GtpHandler>> {
  const { game, state } = views(table);
  const size = () => game().rules.board.size;
  // Handicap stones are placed by commands: a controller expects an empty board.
  const begin = (config: GameConfig) => table.begin({ ...config, handicap: 0 });
  const analyse =
    (form: AnalysisForm): GtpHandler =>
    (args) => {
      const { intervalMs, seat } = analysisArguments(table, args);
      return table.analyse(seat, intervalMs, form);
    };
  return {
    all_legal: withArguments(["a colour"], ([colour]) => table.legal(table.seat(colour!)).join("\n")),
    boardsize: withArguments(["a size"], ([text]) => {
      const given = numberOf(text!);
      if (!Number.isInteger(given) || given < 2 || given > 19) throw new GtpError("unacceptable size");
      begin({ ...table.config, size: given });
      return "";
    }),
    clear_board: withoutResponse(() => begin(table.config)),
    final_status_list: withArguments(["a status"], ([status]) => statusList(table, status!)),
    fixed_handicap: withArguments(["a number of stones"], ([text]) => {
      const stones = numberOf(text!);
      if (!Number.isInteger(stones) || stones < 2 || stones > mostHandicapStones(size()))
        throw new GtpError("invalid number of stones");
      return placeHandicap(table, handicapPoints(size(), stones));
    }),
    "gogui-analyze_commands": withArguments([], () => guiCommands.join("\n")),
    "kata-analyze": analyse(kataForm),
    "kgs-genmove_cleanup": withArguments(["a colour"], ([colour]) => {
      const seat = table.seat(colour!);
      const dead = deadStones(game(), state(), table.random("status"));
      const { board } = game().rules;
      const left = dead.some((is, point) => is === 1 && state().colour[board.cellOf[point]!] === 2 - seat);
      return table.genmove(seat, left ? board.pass : undefined);
    }),
    "kgs-time_settings": (args) => {
      const [kind, ...numbers] = args;
      const wanted = { none: 0, absolute: 1, byoyomi: 3, canadian: 3 }[kind ?? ""];
      if (wanted === undefined || numbers.length !== wanted)
        throw new GtpError(
          "syntax error: expected none, absolute S, byoyomi S S PERIODS or canadian S S MOVES",
        );
      const [main = 0, seconds = 0, moves = 0] = numbers.map(numberOf);
      if (kind === "byoyomi" && seconds > 0 && moves > 0)
        table.clock.set({ main, overtime: { seconds, moves: 1, japanese: true } });
      else
        table.clock.set(kind === "byoyomi" ? canadianTime(main, 0, 0) : canadianTime(main, seconds, moves));
      return "";
    },
    komi: withArguments(["a komi"], ([text]) => {
      if (!/^[+-]?\d{1,3}(\.\d*)?$/.test(text!)) throw new GtpError("syntax error: the komi is a number");
      table.change({ ...table.config, komi: Number(text) });
      return "";
    }),
    "ludoflow-ownership": withArguments([], () => {
      const ownership = goOwnership(game(), state(), table.random("status"));
      return Array.from({ length: size() }, (_, row) =>
        Array.from(ownership.subarray(row * size(), (row + 1) * size()), (share) => share.toFixed(2)).join(
          " ",
        ),
      ).join("\n");
    }),
    "lz-analyze": analyse(leelaForm),
    place_free_handicap: withArguments(["a number of stones"], ([text]) => {
      const stones = numberOf(text!);
      // Fewer stones than asked for are allowed (6.3.3).
      const most = Math.min(stones, mostHandicapStones(size()));
      if (!Number.isInteger(stones) || stones < 2 || stones >= size() * size() || most < 2)
        throw new GtpError("invalid number of stones");
      return placeHandicap(table, handicapPoints(size(), most));
    }),
    printsgf: ([path, ...more]) => {
      if (more.length > 0) throw new GtpError("syntax error: expected at most a file");
      if (path === undefined) return table.printed();
      table.save(path);
      return "";
    },
    set_free_handicap: (vertices) => {
      const points = vertices.map((vertex) => goMoveOfText(size(), vertex));
      const sound = points.every((point) => point !== undefined && point < size() * size());
      if (!sound || points.length < 2 || new Set(points).size < points.length)
        throw new GtpError("bad vertex list");
      placeHandicap(table, points as number[]);
      return "";
    },
  };
}

/** The game and the state of a table as those of Go. */
function views(table: GtpTable): { readonly game: () => GameGo; readonly state: () => GoState } {
  return { game: () => table.game as unknown as GameGo, state: () => table.state as GoState };
}

/** Puts handicap stones on the empty board; returns their vertices. White moves first then. */
function placeHandicap(table: GtpTable, points: readonly number[]): string {
  const { game, state } = views(table);
  const { rules } = game();
  if (state().colour.some((colour) => colour !== EMPTY && colour !== 3))
    throw new GtpError("board not empty");
  const colours = new Uint8Array(rules.board.points);
  for (const point of points) colours[point] = BLACK;
  const begun = setUpGo(rules, colours, WHITE_SEAT);
  if (begun === undefined) throw new GtpError("bad vertex list");
  table.setUp(begun);
  return points.map((point) => goMoveText(rules.board.size, point)).join(" ");
}

/**
 * The stones with a status, a chain a line. Playouts tell which stones are dead; they tell of no seki, so all others are
 * alive.
 */
function statusList(table: GtpTable, status: string): string {
  const { game, state } = views(table);
  if (!["alive", "dead", "seki"].includes(status))
    throw new GtpError(`invalid status "${status}": expected alive, dead or seki`);
  if (status === "seki") return "";
  const { board } = game().rules;
  const dead = deadStones(game(), state(), table.random("status"));
  const chains = new Map<number, string[]>();
  for (let point = 0; point < board.points; point++) {
    const cell = board.cellOf[point]!;
    const head = state().head[cell]!;
    if (state().colour[cell] === EMPTY || (dead[point] === 1) !== (status === "dead")) continue;
    const vertex = goMoveText(board.size, point);
    chains.set(head, [...(chains.get(head) ?? []), vertex]);
  }
  return [...chains.values()].map((vertices) => vertices.join(" ")).join("\n");
}

/**
 * The arguments of an analysis: a colour, by default the colour to move; an interval in hundredths of a second, alone or
 * after `interval`; and pairs of a key and a value, which say what else is to be shown and are not followed. Throws
 * GtpError for `avoid` and `allow`, without which a response would be wrong.
 */
function analysisArguments(
  table: GtpTable,
  args: readonly string[],
): { readonly seat: number; readonly intervalMs: number } {
  const words = [...args];
  const seat = /^(b|w|black|white)$/i.test(words[0] ?? "") ? table.seat(words.shift()!) : table.mover;
  let interval = USUAL_INTERVAL;
  if (words[0] !== undefined && /^\d/.test(words[0])) interval = numberOf(words.shift()!);
  while (words.length > 0) {
    const [key, value] = words.splice(0, 2);
    if (key === "avoid" || key === "allow") throw new GtpError(`${key} is not supported`);
    if (value === undefined || !/^[a-z]+$/i.test(key!)) throw new GtpError(`syntax error at "${key}"`);
    if (key === "interval") interval = numberOf(value);
  }
  return { seat, intervalMs: 10 * interval };
}
