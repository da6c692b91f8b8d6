import type { OptionsGo } from "../options.ts";

/** The result of a game by its property RE. */
export interface GoSgfResult {
  /** The text of RE, or "". */
  readonly text: string;
  /** By seat: 1, .5 or 0. Absent for a game that was not finished, and if the text names no winner. */
  readonly returns?: readonly [number, number];
  /** How the game was won: points, by which the winner leads, or how else. Absent if the text does not say. */
  readonly by?: number | "resignation" | "time" | "forfeit";
}

/** The size of the board by SZ: `19`, or two equal numbers, `19:19`; undefined if it is another or none. */
export function sizeOfSgf(text: string): number | undefined {
  const numbers = /^\s*(\d+)(?:\s*[:x]\s*(\d+))?\s*$/i.exec(text);
  if (numbers === null) return undefined;
  const size = Number(numbers[1]);
  const other = Number(numbers[2] ?? numbers[1]);
  return size === other && size >= 2 && size <= 19 ? size : undefined;
}

/**
 * The komi by KM, in points: a number, with a decimal point or comma, a half sign, or words after it. undefined if
 * the text is none, or no multiple of a half within 361.
 *
 * Some Chinese programs count in stones, of which one is two points, or in hundredths: `375`, `3.75` and `750` are 7.5.
 * Quarters of 4.5 and more are not a komi.
 * `hundredths` says that the program always writes hundredths, as that of the Fox server does, so that `50` is .5.
 */
export function komiOfSgf(text: string, hundredths = false): number | undefined {
  const parts = /^\s*([+-]?)(\d*(?:[.,]\d+)?)\s*[目집]?(½|1\/2|半|반)?/.exec(text);
  if (parts === null || (parts[2] === "" && parts[3] === undefined)) return undefined;
  let komi = Number(parts[2]!.replace(",", ".") || "0") + (parts[3] === undefined ? 0 : 0.5);
  if (komi >= 200 || (hundredths && komi >= 50)) {
    komi /= 100;
    if (komi >= 2 && komi <= 4) komi *= 2;
  } else if (komi % 0.5 === 0.25 && komi < 4.5) komi *= 2;
  if (komi % 0.5 !== 0 || komi > 361) return undefined;
  return komi === 0 ? 0 : parts[1] === "-" ? -komi : komi;
}

/** What a set of rules allows. */
export type GoSgfRules = Pick<OptionsGo, "superko" | "suicide">;

/** The rules that we know by name, the name that we write first. */
const RULES: readonly (readonly [GoSgfRules, string, RegExp])[] = [
  [{ superko: "positional", suicide: false }, "Chinese", /^(chinese|中国|中國)/i],
  [{ superko: "positional", suicide: true }, "Tromp-Taylor", /^(tromp.?taylor|tt$)/i],
  [{ superko: "situational", suicide: false }, "AGA", /^(aga|bga|ffg|french)\b/i],
  [{ superko: "situational", suicide: true }, "NZ", /^(nz|new zealand)/i],
  [{ superko: "simple", suicide: true }, "GOE", /^(goe|ing)\b/i],
];

/** Rules by their parts, in the form that KataGo writes. */
const PARTS = /^ko(simple|positional|situational)score.*?sui([01])/i;

/**
 * What rules allow by RU. Others than we know, such as Japanese ones, have the simple ko and no suicide: their games may
 * repeat a position.
 */
export function rulesOfSgf(text: string): GoSgfRules {
  const parts = PARTS.exec(text.trim());
  if (parts !== null)
    return { superko: parts[1]!.toLowerCase() as GoSgfRules["superko"], suicide: parts[2] === "1" };
  const known = RULES.find(([, , pattern]) => pattern.test(text.trim()));
  return known?.[0] ?? { superko: "simple", suicide: false };
}

/** The text of RU for rules with area scoring; `rulesOfSgf` reads them again. */
export function sgfRules({ superko, suicide }: GoSgfRules): string {
  const named = RULES.find(
    ([rules]) => rules.superko === superko && rules.suicide === suicide && superko !== "simple",
  );
  return named?.[1] ?? `ko${superko.toUpperCase()}scoreAREAtaxNONEsui${suicide ? 1 : 0}`;
}

/** The winner and how a game was won, by RE: FF[4] (`B+R`), or in Chinese, Japanese or Korean. */
export function resultOfSgf(text: string): GoSgfResult {
  const plain = text.trim();
  if (/^(0|draw|jigo|tie|和棋|和局|持碁|ジゴ)$/i.test(plain)) return { text, returns: [0.5, 0.5], by: 0 };
  const latin = /^(black|white|b|w)\s*\+\s*(.*)$/i.exec(plain);
  if (latin !== null) {
    const by = wayOfWinning(latin[2]!);
    return { text, returns: returnsOf(/^b/i.test(latin[1]!)), ...(by === undefined ? {} : { by }) };
  }
  const han = /^([黑黒白흑백])(?:棋|番|方)?(.*[胜勝中승].*)$/.exec(plain);
  if (han === null) return { text };
  const points = /(\d+(?:\.\d+)?)(目半?)/.exec(han[2]!);
  const by = /中[盘盤押]|认输|投[子了]|불계/.test(han[2]!)
    ? "resignation"
    : /超[时時]|時間切れ|시간/.test(han[2]!)
      ? "time"
      : points === null
        ? undefined
        : Number(points[1]) + (points[2] === "目" ? 0 : 0.5);
  return { text, returns: returnsOf(!"白백".includes(han[1]!)), ...(by === undefined ? {} : { by }) };
}

function returnsOf(black: boolean): readonly [number, number] {
  return black ? [1, 0] : [0, 1];
}

function wayOfWinning(text: string): GoSgfResult["by"] {
  if (/^r/i.test(text)) return "resignation";
  if (/^t/i.test(text)) return "time";
  if (/^f/i.test(text)) return "forfeit";
  const points = /^(\d*[.,]?\d+)/.exec(text);
  return points === null ? undefined : Number(points[1]!.replace(",", "."));
}
