import type { GtpHandler, GtpTable } from "./dialect.ts";
import { GtpError } from "./error.ts";

/** A command with a fixed number of arguments; `names` are their names in the message about a wrong number of them. */
export function withArguments(names: readonly string[], follow: GtpHandler): GtpHandler {
  return (args, text) => {
    if (args.length !== names.length)
      throw new GtpError(`syntax error: expected ${names.length === 0 ? "no arguments" : listed(names)}`);
    return follow(args, text);
  };
}

/** A command without arguments whose response is empty. */
export function withoutResponse(follow: () => void): GtpHandler {
  return withArguments([], () => {
    follow();
    return "";
  });
}

/** `a, b and c`. */
function listed(names: readonly string[]): string {
  return [names.slice(0, -1).join(", "), ...names.slice(-1)].filter(Boolean).join(" and ");
}

/** A number of seconds, moves or stones: 0 or greater. Throws GtpError. */
export function numberOf(text: string): number {
  if (!/^\d{1,12}(\.\d*)?$/.test(text)) throw new GtpError(`"${text}" is not a number, 0 or greater`);
  return Number(text);
}

/** Numbers of rows or columns. Whether a game has boards of this size is said when it begins. Throws GtpError. */
export function sizesOf(texts: readonly string[]): number[] {
  const wrong = texts.find((text) => !/^\d{1,3}$/.test(text));
  if (wrong !== undefined) throw new GtpError(`unacceptable size: "${wrong}" is not a whole number`);
  return texts.map(Number);
}

/** `all_legal`: the legal moves of a colour, one a line. */
export function allLegal(table: GtpTable): GtpHandler {
  return withArguments(["a colour"], ([colour]) => table.legal(table.seat(colour!)).join("\n"));
}
