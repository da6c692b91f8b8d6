import { expect } from "vitest";
import type { GtpSession } from "../../../src/protocols/gtp/session.ts";

/**
 * Sends the lines of a transcript, which begin with `> `, and compares the responses with the lines below them. `...`
 * means the rest of a response. Lines that begin with `// ` are remarks.
 */
export function replay(session: GtpSession, transcript: string): void {
  const text = transcript.replaceAll(/^\/\/ .*\n/gm, "").trim();
  for (const exchange of text.split(/\n(?=> )/)) {
    const [line, ...shown] = exchange.trim().split("\n");
    const given = (session.respond(line!.slice(2)) ?? "")
      .split("\n")
      .map((each) => each.trimEnd())
      .join("\n")
      .trimEnd();
    const [begin, rest] = shown.join("\n").trimEnd().split("...");
    const response = { line, given: rest === undefined ? given : given.slice(0, begin!.length) };
    expect(response).toEqual({ line, given: begin });
  }
}
