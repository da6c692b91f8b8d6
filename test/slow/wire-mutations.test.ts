import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readSgfCollection } from "../../src/formats/sgf/collection.ts";
import { SgfInvalid } from "../../src/formats/sgf/faults.ts";
import { games } from "../../src/games/registry.ts";
import { readSgfRecord, SgfGameInvalid } from "../../src/games/sgf-games.ts";
import { agentSource } from "../../src/graph/agents/open-agent.ts";
import { gtpDialects } from "../../src/protocols/gtp/dialects.ts";
import { GtpSession } from "../../src/protocols/gtp/session.ts";
import { RefereeSession } from "../../src/protocols/referee/session.ts";
import { playUecdaMatch } from "../../src/protocols/uecda/match.ts";
import { UecdaNonsense } from "../../src/protocols/uecda/observer.ts";
import { LocalSeat, type UecdaSeat } from "../../src/protocols/uecda/seat.ts";
import type { UecdaTable } from "../../src/protocols/uecda/table.ts";
import { Random } from "../../src/random.ts";
import { INTERNAL, mutatedBytes, mutatedLine, oneOf } from "../faults/mutations.ts";
import { openForTest } from "../protocols/gtp/open-for-test.ts";
import { series, uecdaPlayer } from "../protocols/uecda/players.ts";

/** Mutated lines of each protocol, and the seed of all draws: `LUDOFLOW_LINES=100000 LUDOFLOW_LINE_SEED=2`. */
const LINES = Number(process.env["LUDOFLOW_LINES"] ?? 10_000);
const SEED = Number(process.env["LUDOFLOW_LINE_SEED"] ?? 1);

/** What mutations begin with, and lines that have failed once: each is also sent as it is. */
function corpus(name: string): string[] {
  return readFileSync(join(import.meta.dirname, `../faults/corpora/${name}.txt`), "utf8")
    .trimEnd()
    .split("\n");
}

/** The lines of a corpus, and mutations of them. */
function* linesOf(name: string, purpose: string, count: number): Generator<{ line: string; where: string }> {
  const known = corpus(name);
  for (const [i, line] of known.entries()) yield { line, where: `${name}.txt, line ${i + 1}` };
  for (let n = 0; n < count; n++) {
    const random = Random.named(SEED, name, purpose, n);
    // A search of a hundred thousand simulations takes its time, as it should.
    const line = mutatedLine(oneOf(known, random), known, random).replace(/(simulations\W+\d{1,3})\d+/, "$1");
    yield {
      line,
      where: `seed ${SEED}, ${purpose}, mutation ${n} of ${name}: ${JSON.stringify(line.slice(0, 200))}`,
    };
  }
}

const gtpGames = gtpDialects.flatMap((dialect) =>
  Object.keys(dialect.games).map((rules) => ({ dialect, rules })),
);

it.each(gtpGames)("GTP, $rules: every line has a response of the protocol", ({ dialect, rules }) => {
  const start = () =>
    new GtpSession({
      dialect,
      game: rules === "go" ? { rules, size: 5 } : { rules },
      open: openForTest({ use: "random" }),
      seed: 1,
      clock: false,
      program: { name: "ludoflow", version: "1" },
      files: { read: () => corpus("sgf")[0]!, write: () => undefined },
    });
  let session = start();
  for (const { line, where } of linesOf("gtp", rules, Math.ceil(LINES / gtpGames.length))) {
    const response = session.respond(line) ?? "";
    if (session.streams) for (let i = 0; i < 3; i++) session.advance();
    const rest = session.end() ?? "";
    if (!INTERNAL.test(line)) expect(response, where).not.toMatch(INTERNAL);
    if (response !== "" && rest === "") expect(response, where).toMatch(/^[=?]\d* [^\n]*(\n[^\n]+)*\n\n$/);
    if (session.ended) session = start();
    expect(session.respond("name"), where).toBe("= ludoflow\n\n");
  }
});

it.each(games.map(({ name }) => name))("referee, %s: every line has a response in JSON", (name) => {
  const session = new RefereeSession(name, agentSource());
  for (const { line, where } of linesOf("referee", name, Math.ceil(LINES / games.length))) {
    const response = session.respond(line);
    expect(response, where).not.toContain("\n");
    const { error } = JSON.parse(response) as { readonly error?: string };
    if (error !== undefined && !INTERNAL.test(line)) expect(error, where).not.toMatch(INTERNAL);
    expect(JSON.parse(session.respond('{"cmd":"state"}')), where).not.toHaveProperty("error");
  }
});

it("UECda: nonsense from a server or a client ends its part with a message, and the series goes on", async () => {
  const counts = { changed: 0, refused: 0 };
  for (let match = 0; counts.changed < LINES; match++) {
    const random = Random.named(SEED, "uecda", match);
    const mutated = <T extends UecdaTable | number>(message: T): T => {
      if (random.below(40) !== 0) return message;
      counts.changed++;
      if (typeof message === "number") return oneOf([0, 1, 2, 3, 7, 8, 9, 4_294_967_295], random) as T;
      const table = message.slice();
      if (random.below(2) === 0) {
        for (let times = 1 + random.below(3); times > 0; times--)
          table[random.below(table.length)] = oneOf([0, 1, 2, 5, 11, 14, 2 ** 31, 2 ** 32 - 1], random);
        return table as T;
      }
      const bytes = new Uint8Array(table.byteLength);
      bytes.set(mutatedBytes(new Uint8Array(table.buffer), random).subarray(0, bytes.length));
      return new Uint32Array(bytes.buffer) as T;
    };
    const seats = Array.from({ length: 5 }, (_, number): UecdaSeat => {
      const player = new LocalSeat(`player ${number}`, uecdaPlayer({ use: "default" }, match, number));
      let gone = false;
      return {
        name: player.name,
        sendTable: (table) => player.sendTable(mutated(table)),
        sendNumber: (told) => player.sendNumber(mutated(told)),
        response: async () => {
          if (gone) return undefined;
          try {
            const response = await player.response();
            return response && mutated(response);
          } catch (error) {
            if (!(error instanceof UecdaNonsense))
              throw new Error(`seed ${SEED}, UECda match ${match}: ${(error as Error).message}`, {
                cause: error,
              });
            expect(error.message).not.toMatch(INTERNAL);
            gone = true;
            counts.refused++;
            return undefined;
          }
        },
      };
    });
    let played = 0;
    await playUecdaMatch({
      game: series(3),
      seats,
      random: Random.named(match, "chance"),
      onGame: ({ places }) => {
        played++;
        expect(places.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4]);
      },
    });
    expect(played).toBe(3);
  }
  expect(counts.refused).toBeGreaterThan(0);
});

describe("SGF", () => {
  it("a text gives games, or a message", () => {
    let read = 0;
    for (const { line, where } of linesOf("sgf", "text", LINES)) {
      try {
        for (const tree of readSgfCollection(Buffer.from(line)).games) {
          const { actions, game, start, notes } = readSgfRecord(tree);
          // What is read can be played.
          for (const action of actions) game.play(start, action);
          if (!INTERNAL.test(line)) for (const note of notes) expect(note, where).not.toMatch(INTERNAL);
          read++;
        }
      } catch (error) {
        if (!(error instanceof SgfInvalid || error instanceof SgfGameInvalid))
          throw new Error(`${where}: ${(error as Error).message}`, { cause: error });
        if (!INTERNAL.test(line)) expect(error.message, where).not.toMatch(INTERNAL);
      }
    }
    expect(read).toBeGreaterThan(LINES / 20);
  });
});
