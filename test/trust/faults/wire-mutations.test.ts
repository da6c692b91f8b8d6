import { describe, expect, it } from "vitest";
import { readSgfCollection } from "../../../src/formats/sgf/collection.ts";
import { SgfInvalid } from "../../../src/formats/sgf/faults.ts";
import { CHANCE, OVER } from "../../../src/games/game.ts";
import { type GameConfig, games, openConfiguredGame, openGame } from "../../../src/games/registry.ts";
import { readSgfRecord, sgfFormatOf, SgfGameInvalid } from "../../../src/games/sgf-games.ts";
import { agentSource } from "../../../src/graph/agents/open-agent.ts";
import { gtpDialects } from "../../../src/protocols/gtp/dialects.ts";
import { GtpSession } from "../../../src/protocols/gtp/session.ts";
import { RefereeSession } from "../../../src/protocols/referee/session.ts";
import { playUecdaMatch } from "../../../src/protocols/uecda/match.ts";
import { UecdaNonsense } from "../../../src/protocols/uecda/observer.ts";
import { LocalSeat, type UecdaSeat } from "../../../src/protocols/uecda/seat.ts";
import type { UecdaTable } from "../../../src/protocols/uecda/table.ts";
import { Random } from "../../../src/random.ts";
import { failedLines, seedLines } from "../../faults/corpora.ts";
import {
  changedTree,
  INTERNAL,
  mutatedBytes,
  mutatedLine,
  oneOf,
  type Tree,
} from "../../faults/mutations.ts";
import { Trials } from "../../faults/trials.ts";
import { changedMessage, uecdaChange } from "../../faults/uecda-changes.ts";
import { openForTest } from "../../protocols/gtp/open-for-test.ts";
import { series, uecdaPlayer } from "../../protocols/uecda/players.ts";

/** Mutated lines of each protocol, and the seed of all draws: `LUDOFLOW_LINES=100000 LUDOFLOW_LINE_SEED=2`. */
const LINES = Number(process.env["LUDOFLOW_LINES"] ?? 10_000);
const SEED = Number(process.env["LUDOFLOW_LINE_SEED"] ?? 1);

/** What has failed once, what mutations begin with, and mutations of them. `more` are further beginnings. */
function* linesOf(
  name: string,
  purpose: string,
  count: number,
  more: readonly string[] = [],
  changed = mutatedLine,
): Generator<{ line: string; where: string }> {
  const known = [...seedLines(name), ...more];
  for (const line of [...failedLines(name), ...known]) yield { line, where: `${name}, ${line}` };
  for (let n = 0; n < count; n++) {
    const random = Random.named(SEED, name, purpose, n);
    // A search of a hundred thousand simulations takes its time, as it should.
    const line = changed(oneOf(known, random), known, random).replace(/(simulations\W+\d{1,3})\d+/, "$1");
    yield {
      line,
      where: `seed ${SEED}, ${purpose}, mutation ${n} of ${name}: ${JSON.stringify(line.slice(0, 200))}`,
    };
  }
}

/** A changed request of the referee: its text, or more often the values in it. */
function changedRequest(line: string, others: readonly string[], random: Random): string {
  if (random.below(4) === 0) return mutatedLine(line, others, random);
  const trees = others.map((other) => JSON.parse(other) as Tree);
  return JSON.stringify(changedTree(JSON.parse(line) as Tree, trees, random));
}

/** A random game by these rules: its moves and its last position but a few, in its notation; and its actions. */
function randomGame({ rules, ...options }: GameConfig) {
  const game = openGame(rules, options);
  const random = Random.named("random game", rules);
  const state = game.initial() as unknown;
  const legal = new Int32Array(game.maxLegal);
  const actions: number[] = [];
  const moves: string[] = [];
  let position = game.notation.position(state);
  for (let mover = game.toMove(state); mover !== OVER && actions.length < 60; mover = game.toMove(state)) {
    position = game.notation.position(state);
    const action =
      mover === CHANCE ? game.chance!.sample(state, random) : legal[random.below(game.legal(state, legal))]!;
    moves.push(game.notation.format(state, action));
    actions.push(action);
    game.play(state, action);
  }
  return { actions, moves, position };
}

/** A random game as one line of SGF; undefined where the game has no SGF. */
function sgfOf(config: GameConfig): string | undefined {
  const format = sgfFormatOf(config);
  if (format === undefined) return undefined;
  const { players } = openGame(config.rules);
  const names = Array.from({ length: players }, (_, seat) => `player ${seat}`);
  const text = format.write({
    moves: randomGame(config).actions,
    returns: names.map(() => Number.NaN),
    ending: "unknown",
    result: "",
    handicap: 0,
    players: names,
    ratings: names.map(() => ""),
    options: {},
  });
  return text.replaceAll("\n", "");
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
      files: { read: () => seedLines("sgf")[0]!, write: () => undefined },
    });
  let session = start();
  const count = Math.ceil(LINES / gtpGames.length);
  const trials = new Trials("gtp", count);
  for (const { line, where } of linesOf("gtp", rules, count)) {
    const response = session.respond(line) ?? "";
    if (session.streams) for (let i = 0; i < 3; i++) session.advance();
    const rest = session.end() ?? "";
    if (!INTERNAL.test(line)) expect(response, where).not.toMatch(INTERNAL);
    if (response !== "" && rest === "") expect(response, where).toMatch(/^[=?]\d* [^\n]*(\n[^\n]+)*\n\n$/);
    if (session.ended) session = start();
    expect(session.respond("name"), where).toBe("= ludoflow\n\n");
    trials.count(response.startsWith("=") ? "answered" : response === "" ? "no command" : "refused");
  }
  trials.end();
});

it.each(games.map(({ name }) => name))("referee, %s: every line has a response in JSON", (name) => {
  const session = new RefereeSession(name, agentSource());
  const { moves, position } = randomGame({ rules: name });
  const own = [
    ...moves.map((move) => JSON.stringify({ cmd: "play", move })),
    JSON.stringify({ cmd: "set", position }),
    JSON.stringify({ cmd: "set", moves }),
  ];
  const count = Math.ceil(LINES / games.length);
  const trials = new Trials("referee", count);
  for (const { line, where } of linesOf("referee", name, count, own, changedRequest)) {
    const response = session.respond(line);
    expect(response, where).not.toContain("\n");
    const { error } = JSON.parse(response) as { readonly error?: string };
    if (error !== undefined && !INTERNAL.test(line)) expect(error, where).not.toMatch(INTERNAL);
    expect(JSON.parse(session.respond('{"cmd":"state"}')), where).not.toHaveProperty("error");
    trials.count(error === undefined ? "answered" : "refused");
  }
  trials.end();
});

it("UECda: nonsense from a server or a client ends its part with a message, and the series goes on", async () => {
  const seeds = seedLines("uecda");
  const known = [...failedLines("uecda"), ...seeds].map((line) => uecdaChange(line));
  expect(known).not.toContain(undefined);
  const trials = new Trials("uecda", LINES);
  let refused = 0;
  for (let match = 0; trials.of("changed") < LINES || match < known.length; match++) {
    const random = Random.named(SEED, "uecda", match);
    const mutated = <T extends UecdaTable | number>(message: T, to: boolean): T => {
      if (random.below(40) !== 0) return message;
      // Each line of the corpus has a match of its own.
      const change = known[match] ?? uecdaChange(mutatedLine(oneOf(seeds, random), seeds, random));
      const changed = change?.to === to ? changedMessage(change, message) : undefined;
      if (known[match] !== undefined && changed === undefined) return message;
      trials.count("changed");
      if (changed !== undefined) return changed;
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
        sendTable: (table) => player.sendTable(mutated(table, true)),
        sendNumber: (told) => player.sendNumber(mutated(told, true)),
        response: async () => {
          if (gone) return undefined;
          try {
            const response = await player.response();
            return response && mutated(response, false);
          } catch (error) {
            if (!(error instanceof UecdaNonsense))
              throw new Error(`seed ${SEED}, UECda match ${match}: ${(error as Error).message}`, {
                cause: error,
              });
            expect(error.message).not.toMatch(INTERNAL);
            gone = true;
            refused++;
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
  trials.end();
  expect(refused).toBeGreaterThan(0);
});

describe("SGF", () => {
  it("a text gives games, or a message", () => {
    const written = games.flatMap(({ name }) => sgfOf(openConfiguredGame(name, {}).config) ?? []);
    expect(written.length).toBeGreaterThan(2);
    let read = 0;
    const trials = new Trials("sgf", LINES);
    for (const { line, where } of linesOf("sgf", "text", LINES, written)) {
      const before = read;
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
      trials.count(read > before ? "read" : "refused");
    }
    trials.end();
    expect(read).toBeGreaterThan(LINES / 20);
  });
});
