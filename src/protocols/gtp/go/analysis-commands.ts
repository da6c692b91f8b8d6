import { type AnalysisForm, kataForm, leelaForm } from "../analysis.ts";
import type { GtpHandler, GtpTable } from "../dialect.ts";
import { GtpError } from "../error.ts";
import { numberOf } from "../handler.ts";

/** The interval of an analysis whose command names none, in hundredths of a second. */
const USUAL_INTERVAL = 100;

/** What an analysis is asked for. */
interface AnalysisRequest {
  readonly seat: number;
  readonly intervalMs: number;
  readonly form: AnalysisForm;
}

/** The keys that come before a value, with the type of the value. */
const KEYS: Readonly<Record<string, "number" | "truth">> = {
  interval: "number",
  minmoves: "number",
  maxmoves: "number",
  rootInfo: "truth",
  ownership: "truth",
  ownershipStdev: "truth",
  movesOwnership: "truth",
  movesOwnershipStdev: "truth",
  pvVisits: "truth",
  pvEdgeVisits: "truth",
  noResultValue: "truth",
};

/** Commands that show what the agent finds out: while it searches, and after it has found its move. */
export function goAnalysisCommands(table: GtpTable): Readonly<Record<string, GtpHandler>> {
  const analyse =
    (form: AnalysisForm): GtpHandler =>
    (args) => {
      const request = analysisRequest(table, form, args);
      return table.analyse(request.seat, request.intervalMs, request.form);
    };
  const genmove =
    (form: AnalysisForm): GtpHandler =>
    (args) => {
      const request = analysisRequest(table, form, args);
      const { text, watched } = table.genmove(request.seat);
      const shown = watched();
      return `\n${shown.length === 0 ? "" : `${request.form(shown)}\n`}play ${text}`;
    };
  return {
    "kata-analyze": analyse(kataForm),
    "kata-genmove_analyze": genmove(kataForm),
    "lz-analyze": analyse(leelaForm),
    "lz-genmove_analyze": genmove(leelaForm),
  };
}

/**
 * The arguments of an analysis: a colour, by default the colour to move; an interval in hundredths of a second, alone or
 * after `interval`; and pairs of a key and a value, which say what else is to be shown. Only `maxmoves` of them is
 * followed. Throws GtpError for other words, and for `avoid` and `allow`, without which a response would be wrong.
 */
function analysisRequest(table: GtpTable, form: AnalysisForm, args: readonly string[]): AnalysisRequest {
  const words = [...args];
  // The first word is a colour, unless it is an interval or a key.
  const colour =
    words[0] === undefined || /^\d/.test(words[0]) || isKey(words[0]) ? undefined : words.shift();
  const seat = colour === undefined ? table.mover : table.seat(colour);
  let interval = USUAL_INTERVAL;
  let most = Infinity;
  if (words[0] !== undefined && /^\d/.test(words[0])) interval = numberOf(words.shift()!);
  while (words.length > 0) {
    const [key, value] = words.splice(0, 2) as [string, string | undefined];
    if (!isKey(key)) throw new GtpError(`unknown key "${key}" (known: ${Object.keys(KEYS).join(", ")})`);
    if (KEYS[key] === undefined) throw new GtpError(`${key} is not supported`);
    if (value === undefined) throw new GtpError(`syntax error: expected a value after ${key}`);
    if (KEYS[key] === "truth" && !/^(true|false)$/i.test(value))
      throw new GtpError(`${key} is "${value}": expected true or false`);
    if (KEYS[key] === "number") numberOf(value);
    if (key === "interval") interval = numberOf(value);
    if (key === "maxmoves") most = Math.max(1, numberOf(value));
  }
  return { seat, intervalMs: 10 * interval, form: (moves) => form(moves.slice(0, most)) };
}

function isKey(word: string): boolean {
  return Object.hasOwn(KEYS, word) || word === "avoid" || word === "allow";
}
