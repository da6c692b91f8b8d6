import { GtpError } from "./error.ts";

/** A file that a command names, and the word behind it. */
interface FileArgument {
  readonly path: string;
  /** A whole number, or what follows a path in quotes; absent if nothing follows. */
  readonly more?: string;
}

/**
 * Reads the path at the begin of a command's arguments. It may have blanks: it ends with the line, or before a last word of digits
 * if a number may follow (`numbered`). Double quotes around it end it where they close. Throws GtpError if there is none.
 */
export function fileArgument(text: string, expected: string, numbered = false): FileArgument {
  const quoted = /^"([^"]+)"(?: +(\S+))?$/.exec(text);
  const plain = numbered ? /^([^"].*?)(?: +(\d+))?$/.exec(text) : /^([^"].*)$/.exec(text);
  const [, path, more] = quoted ?? plain ?? [];
  if (path === undefined || (more !== undefined && !numbered))
    throw new GtpError(`syntax error: expected ${expected}`);
  return { path, ...(more === undefined ? {} : { more }) };
}
