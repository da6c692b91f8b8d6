import { expect } from "vitest";
import type { GtpSession } from "../../../src/protocols/gtp/session.ts";
import type { Random } from "../../../src/random.ts";

/** Arguments, right and wrong ones. */
const WORDS = [
  ..."b w black white green A1 C3 E5 I5 Z99 pass PASS resign 0 1 2 3 5 9 19 20 0.5 -1 1e9 NaN 99999999999999999999".split(
    " ",
  ),
  ..."# \t \u0000 \u001b é 碁 dead alive seki black_territory none absolute byoyomi canadian interval maxmoves avoid true".split(
    " ",
  ),
  ...'japanese chinese tromp-taylor {} { {"ko":"SIMPLE"} __proto__ constructor toString'.split(" "),
  "x".repeat(5000),
];

/** Lines of noise: characters, words, and every one of these commands, now and then with arguments that fit. */
export function* noise(
  lines: number,
  commands: readonly string[],
  random: Random,
): Generator<string, void, undefined> {
  const names = commands.filter((name) => name !== "quit");
  const draw = <T>(from: readonly T[]): T => from[random.below(from.length)]!;
  const words = [...WORDS, ...names];
  for (let line = 0; line < lines; line++) {
    const kind = random.below(8);
    if (kind === 0)
      yield String.fromCharCode(
        ...Array.from({ length: random.below(40) }, () => random.below(random.below(2) === 0 ? 256 : 65536)),
      ).replaceAll("\n", " ");
    else {
      const id = random.below(3) === 0 ? `${random.below(99)} ` : "";
      const name = kind === 1 ? draw(words) : names[line % names.length]!;
      yield `${id}${name} ${Array.from({ length: random.below(5) }, () => draw(words)).join(" ")}`;
    }
  }
}

/** A response of the protocol, after the rest of an analysis or as the beginning of one. */
const RESPONSE = /^(?:info [^\n]+\n)*\n?$|^(?:(?:info [^\n]+\n)*\n)?[=?]\d*(?: [^\n]*(?:\n[^\n]+)*\n\n|\n)$/;

/** Sends noise; every line that is a command gets a response of the protocol's form, and the session continues. */
export function bear(session: GtpSession, lines: number, random: Random): void {
  const commands = session.respond("list_commands")!.slice(2).trim().split("\n");
  let responses = 0;
  for (const line of noise(lines, commands, random)) {
    const streamed = session.streams;
    const response = session.respond(line);
    if (session.ended) throw new Error(`ended by ${JSON.stringify(line)}`);
    if (response !== undefined && !RESPONSE.test(response))
      expect({ line, response }).toEqual({ line, response: "a response of the protocol's form" });
    if (response !== undefined && /^[=?]/m.test(response)) responses++;
    else if (isCommand(line)) expect({ line, response, streamed }).toBe("a response");
  }
  session.end();
  expect(responses).toBeGreaterThan(lines / 2);
  expect(session.respond("1 name")).toBe("=1 ludoflow\n\n");
}

/** Whether a line has anything before its comment that is not a blank or a control character. */
export function isCommand(line: string): boolean {
  return Array.from(line.split("#")[0]!).some((character) => character > " " && character !== "\u007f");
}
