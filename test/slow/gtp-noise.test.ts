import { expect, it } from "vitest";
import { goDialect } from "../../src/protocols/gtp/go/go.ts";
import { GtpSession } from "../../src/protocols/gtp/session.ts";
import { Random } from "../../src/random.ts";
import { openForTest } from "../protocols/gtp/open-for-test.ts";

it("10,000 lines of noise get responses of the protocol's form, and the session goes on", () => {
  const session = new GtpSession({
    dialect: goDialect,
    game: { rules: "go", size: 5 },
    open: openForTest({ use: "random" }),
    seed: 0,
    program: { name: "ludoflow", version: "0" },
    files: {
      read: () => "(;GM[1]SZ[5];B[aa];W[bb])",
      write: () => undefined,
    },
  });
  const random = Random.named("noise");
  const commands = session.respond("list_commands")!.slice(2).trim().split("\n");
  const words = [
    ...commands.filter((name) => name !== "quit"),
    ..."b w black white A1 C3 E5 pass PASS resign 2 3 5 9 0.5 -1 1e9 # \t \u0000 é dead alive seki none canadian".split(
      " ",
    ),
  ];
  const draw = <T>(from: readonly T[]): T => from[random.below(from.length)]!;
  for (let line = 0; line < 10_000; line++) {
    const text =
      random.below(4) === 0
        ? String.fromCharCode(...Array.from({ length: random.below(40) }, () => random.below(256)))
        : `${random.below(3) === 0 ? random.below(99) : ""} ${draw(commands.filter((name) => name !== "quit"))} ${Array.from({ length: random.below(4) }, () => draw(words)).join(" ")}`;
    const response = session.respond(text.replaceAll("\n", " "));
    if (session.ended) throw new Error(`ended by ${JSON.stringify(text)}`);
    // A response, after the rest of an analysis or as the beginning of one.
    if (response !== undefined)
      expect(response).toMatch(
        /^(info [^\n]+\n)*\n?$|^((info [^\n]+\n)*\n)?[=?]\d*( [^\n]*(\n[^\n]+)*\n\n|\n)$/,
      );
  }
  session.end();
  expect(session.respond("1 name")).toBe("=1 ludoflow\n\n");
}, 120_000);
