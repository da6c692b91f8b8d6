/**
 * The Go Text Protocol, version 2: commands of one line, responses that end with an empty line.
 *
 * Source: Gunnar Farneback, "Specification of the Go Text Protocol, version 2, draft 2" (2002), sections 2.1-2.7 and 3.
 */

/** A command as the engine's side reads it. */
export interface GtpCommand {
  /** The number that the controller gave it, as its digits; the response repeats it. */
  readonly id?: string;
  /** The command's name; empty if a line holds an id alone. */
  readonly name: string;
  readonly args: readonly string[];
  /** The arguments as they were written, for a path with blanks. */
  readonly text: string;
}

/**
 * Reads one line, without its end: control characters are dropped, a tab becomes a space, and a comment begins with `#`
 * (2.5), unless it is between double quotes. Undefined if nothing is left: such a line gets no response.
 */
export function parseGtpCommand(line: string): GtpCommand | undefined {
  const [beforeComment] = /^(?:[^"#]|"[^"]*"|"(?=[^"]*$))*/.exec(plain(line))!;
  const command = beforeComment.trim();
  if (command === "") return undefined;
  const [, id, name, behind] = /^(?:(\d+)(?: +|$))?([^ ]*)(.*)$/.exec(command)!;
  const text = behind!.trim();
  return { ...(id === undefined ? {} : { id }), name: name!, args: text.split(" ").filter(Boolean), text };
}

/** The whole response to a command with its empty last line. Empty lines inside would end it, so they are left out. */
export function gtpResponse(ok: boolean, id: string | undefined, text: string): string {
  const [first = "", ...others] = text.split("\n").map((line) => line.trimEnd());
  const lines = [first, ...others.filter((line) => line !== "")];
  return `${ok ? "=" : "?"}${id ?? ""} ${lines.join("\n")}\n\n`;
}

/** The first line of a response that continues until the next command. */
export function gtpResponseStart(id: string | undefined): string {
  return `=${id ?? ""}\n`;
}

/** The first line of a response as the controller's side reads it. */
export interface GtpResponseHead {
  readonly ok: boolean;
  readonly id: string;
  readonly text: string;
}

/** Reads the first line of a response, of `plain` form; undefined if it is none. */
export function parseGtpResponse(line: string): GtpResponseHead | undefined {
  const match = /^([=?])(\d*)(?:\s+(.*))?$/.exec(line);
  if (match === null) return undefined;
  return { ok: match[1] === "=", id: match[2]!, text: match[3] ?? "" };
}

/** A line without control characters, with spaces for tabs: both sides read it so (2.5, 2.6). */
export function plain(line: string): string {
  // oxlint-disable-next-line no-control-regex -- they are what this is about
  return line.replaceAll("\t", " ").replaceAll(/[\u0000-\u001f\u007f]/g, "");
}
