import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { writeAtomically } from "../../../src/formats/files/atomic-file.ts";
import { GtpSession } from "../../../src/protocols/gtp/session.ts";
import { dialectOf, gtpRules } from "../../../src/protocols/gtp/dialects.ts";
import { pentobi } from "../../../src/protocols/gtp/pentobi.ts";
import { openForTest } from "./open-for-test.ts";

const start = (rules: string, agent: object = { use: "random" }, seed = 0) =>
  new GtpSession({
    dialect: dialectOf(rules) ?? pentobi,
    game: { rules },
    open: openForTest({ ...agent }),
    seed,
    program: { name: "ludoflow", version: "1.2.3" },
    files: { read: (path) => readFileSync(path, "utf8"), write: writeAtomically },
  });

/** The responses to several lines, each without its empty last line. */
function send(session: GtpSession, ...lines: string[]): (string | undefined)[] {
  return lines.map((line) => {
    const response = session.respond(line);
    if (response !== undefined) expect(response).toMatch(/^[=?]\d* [^\n]*(\n[^\n]+)*\n\n$/);
    return response?.trimEnd();
  });
}

describe("docs/gtp.md", () => {
  const text = readFileSync(new URL("../../../docs/gtp.md", import.meta.url), "utf8");
  const blocks = [...text.matchAll(/```gtp (\S+)\n([\s\S]*?)```/g)];

  it("describes exactly the commands that there are", () => {
    const listed = ["tic-tac-toe", "go", "othello", "connect-four"].flatMap((rules) =>
      send(start(rules), "list_commands")[0]!.slice(2).split("\n"),
    );
    const described = [...text.matchAll(/^\| (`[^|]+) \|/gm)]
      .flatMap(([, cell]) => [...cell!.matchAll(/`([a-z][a-z_-]*)[ `]/g)].map(([, name]) => name!))
      .filter((name) => !["chatter", "command", "dialect", "restart"].includes(name));
    expect([...new Set(described)].toSorted()).toEqual([...new Set(listed)].toSorted());
  });

  for (const [index, [, game, block]] of blocks.entries())
    it(`gives the responses of session ${index + 1}`, () => {
      const session = start(game!);
      for (const exchange of block!.trim().split(/\n(?=> )/)) {
        const [line, ...shown] = exchange.trim().split("\n");
        const [response] = send(session, line!.slice(2));
        const [begin, rest] = shown.join("\n").split("...");
        const given = response!
          .split("\n")
          .map((each) => each.trimEnd())
          .join("\n");
        if (rest === undefined) expect(given).toBe(begin);
        else expect(given.slice(0, begin!.length)).toBe(begin);
      }
    });
});

describe("a GTP session", () => {
  it("lists exactly the commands that it knows", () => {
    const session = start("tic-tac-toe");
    const listed = send(session, "list_commands")[0]!.slice(2).split("\n");
    expect(listed.length).toBeGreaterThan(15);
    for (const name of listed) {
      expect(send(session, `known_command ${name}`)).toEqual(["= true"]);
      expect(send(session, `1 ${name}`)[0]).not.toMatch(/unknown command/);
    }
    const other = start("tic-tac-toe");
    for (const name of ["toString", "constructor", "boardsize", "PLAY"])
      expect(send(other, `known_command ${name}`, name)).toEqual(["= false", "? unknown command"]);
  });

  it("finds by reg_genmove a move that changes no later one", () => {
    const agent = { use: "mcts-max-n", simulations: 30 };
    const line = ["genmove b", "genmove w", "genmove b", "genmove w", "genmove b"];
    const plain = start("tic-tac-toe", agent, 3);
    const expected = line.map((command) => send(plain, command));
    const session = start("tic-tac-toe", agent, 3);
    for (const [i, command] of line.entries()) {
      const suggested = send(session, command.replace("gen", "reg_gen"));
      // Nobody has thought about the game before its first move.
      if (i === 0) expect(suggested).toEqual(expected[0]);
      expect(send(session, command)).toEqual(expected[i]);
    }
  });

  it("keeps to the form of lines: numbers, comments, control characters, tabs, nothing", () => {
    const session = start("tic-tac-toe");
    expect(
      send(
        session,
        "12 name",
        "\t 007\tname \r",
        "# name",
        "",
        " \t\r",
        "na\u0001me # what",
        "5 # no command",
        "5",
      ),
    ).toEqual([
      "=12 ludoflow",
      "=007 ludoflow",
      undefined,
      undefined,
      undefined,
      "= ludoflow",
      "?5 unknown command",
      "?5 unknown command",
    ]);
    expect(session.ended).toBe(false);
    expect(send(session, "3 quit")).toEqual(["=3"]);
    expect(session.ended).toBe(true);
  });

  it("refuses what is wrong, says why, and continues as if it had not been", () => {
    const session = start("blokus-duo");
    send(session, "play b e9,d10,e10,f10,e11");
    const state = () => send(session, "showboard", "all_legal w", "final_score");
    const before = state();
    const bad: readonly (readonly [string, RegExp])[] = [
      ["plya b a1", /^\? unknown command$/],
      ["play", /^\? syntax error: expected a colour and a move$/],
      ["play w", /^\? syntax error: expected a move$/],
      ["p", /^\? syntax error: expected a move$/],
      ["play red a1", /^\? invalid colour "red" \(known: b, w\)$/],
      ["play w a1", /^\? illegal move: a1$/],
      ["play w j5,j6,zz", /^\? illegal move: j5,j6,zz$/],
      ["p e10", /^\? illegal move: e10$/],
      ["play w pass", /^\? illegal move: pass$/],
      ["genmove", /^\? syntax error: expected a colour$/],
      ["genmove b w", /^\? syntax error: expected a colour$/],
      ["genmove 1", /^\? invalid colour "1"/],
      ["set_game", /^\? invalid game ""/],
      [
        "set_game Blokus Trigon",
        /^\? invalid game "Blokus Trigon" \(known: Blokus, Blokus Duo, Tic-Tac-Toe\)$/,
      ],
      ["set_random_seed -1", /^\? invalid seed "-1"/],
      ["set_random_seed 1e3", /^\? invalid seed "1e3"/],
      ["undo 2", /^\? syntax error: expected no arguments$/],
      ["clear_board now", /^\? syntax error: expected no arguments$/],
    ];
    for (const [line, message] of bad) expect(send(session, line)[0]).toMatch(message);
    expect(state()).toEqual(before);
    expect(send(session, "undo", "undo")).toEqual(["=", "? cannot undo: this is the start of the game"]);
  });

  it("never throws, whatever it is sent", () => {
    const session = start("tic-tac-toe");
    const words =
      "play genmove undo b w a1 b2 c3 set_game Tic-Tac-Toe p g 7 # all_legal final_score showboard".split(
        " ",
      );
    const line = fc.oneof(
      fc.array(fc.nat(255)).map((codes) => String.fromCharCode(...codes)),
      fc.array(fc.constantFrom(...words)).map((some) => some.join(" ")),
    );
    fc.assert(
      fc.property(line, (sent) => void send(session, sent)),
      { numRuns: 200 },
    );
  });

  it("plays a game to its end with every colour, and takes it all back", () => {
    const session = start("blokus");
    const moves: string[] = [];
    for (let turn = 0; ; turn++) {
      const [response] = send(session, "g");
      if (response === "= pass") break;
      moves.push(response!.slice(2));
    }
    expect(moves.length).toBeGreaterThan(30);
    expect(send(session, "genmove 1", "genmove 4", "all_legal 2", "reg_genmove 3", "play 2 pass")).toEqual([
      "= pass",
      "= pass",
      "=",
      "= pass",
      "=",
    ]);
    const [score] = send(session, "final_score");
    expect(score).toMatch(/^= (-?\d+ ){3}-?\d+$/);
    const scores = score!.slice(2).split(" ").map(Number);
    // As Pentobi counts: the squares that are laid, of 89, and a bonus.
    for (const squares of scores) expect(squares).toBeGreaterThan(20);
    const places = send(session, ...["1", "yellow", "3", "GREEN"].map((colour) => `get_place ${colour}`));
    for (const [seat, place] of places.entries()) {
      expect(Number.parseInt(place!.slice(2), 10)).toBe(
        1 + scores.filter((other) => other > scores[seat]!).length,
      );
      expect(place!.endsWith("shared")).toBe(scores.filter((other) => other === scores[seat]).length > 1);
    }
    for (const _ of moves) expect(send(session, "undo")).toEqual(["="]);
    expect(send(session, "undo")[0]).toMatch(/cannot undo/);
    // The same seed, the same game.
    for (const move of moves) expect(send(session, "g")).toEqual([`= ${move}`]);
  });

  it("lets a colour move out of turn, and lets the agent search such a position as any other", () => {
    const session = start("blokus", { use: "uct", simulations: 3, exploration: 5 });
    expect(send(session, "play 3 t1", "play 3 s2,r2", "play 3 q1")).toEqual(["=", "=", "? illegal move: q1"]);
    expect(send(session, "genmove 2")[0]).toMatch(/^= .*t20/);
    expect(send(session, "g")[0]).toMatch(/^= /);
    expect(send(session, "undo", "undo", "undo", "undo", "undo").at(-1)).toMatch(/cannot undo/);
    expect(send(session, "genmove 1")[0]).toMatch(/^= .*a20/);
  });

  it("draws by its seed, which a command can change; another move taken back changes nothing", () => {
    const game = (session: GtpSession) => send(session, ...Array.from({ length: 12 }, () => "g"));
    const first = game(start("blokus-duo", { use: "random" }, 5));
    expect(game(start("blokus-duo", { use: "random" }, 5))).toEqual(first);
    expect(game(start("blokus-duo", { use: "random" }, 6))).not.toEqual(first);
    const session = start("blokus-duo", { use: "random" }, 6);
    send(
      session,
      "set_random_seed 5",
      "reg_genmove b",
      "g",
      "undo",
      "set_game Blokus",
      "g",
      "set_game Blokus Duo",
    );
    expect(game(session)).toEqual(first);
  });

  it("lets an agent that keeps trees observe the game as it was played", () => {
    const agent = { use: "mcts-max-n", simulations: 30 };
    const straight = send(start("tic-tac-toe", agent), "p b2", "p a1", "g", "g", "g");
    const session = start("tic-tac-toe", agent);
    // Moves that are taken back leave nothing behind in the agent.
    send(session, "g", "g", "g", "undo", "undo", "undo");
    expect(send(session, "p b2", "p a1", "g", "g", "g")).toEqual(straight);
    send(session, "clear_board", "g", "clear_board");
    expect(send(session, "p b2", "p a1", "g", "g", "g")).toEqual(straight);
  });

  it("saves games as Blokus SGF and puts them up again, whole or before a move", () => {
    const folder = mkdtempSync(join(tmpdir(), "ludoflow-gtp-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, "game.blksgf");
    const session = start("blokus");
    send(session, "g", "g", "g", "g", "g", "g");
    const [end] = send(session, "showboard");
    expect(send(session, `savesgf ${path}`, "undo", "undo")).toEqual(["=", "=", "="]);
    const [four] = send(session, "showboard");
    const other = start("blokus-duo");
    expect(send(other, `loadsgf ${path}`, "showboard")).toEqual(["=", end]);
    expect(send(other, "clear_board", `loadsgf ${path} 0`, "showboard").slice(1)).toEqual(["=", end]);
    expect(send(other, `loadsgf ${path} 5`, "showboard")).toEqual(["=", four]);
    expect(send(other, `loadsgf ${path} 1`, "undo")[1]).toMatch(/cannot undo/);
    writeFileSync(join(folder, "go.sgf"), "(;GM[1])");
    const bad: readonly (readonly [string, RegExp])[] = [
      ["loadsgf", /^\? syntax error: expected a file/],
      [`loadsgf "${path}" x`, /^\? invalid move number "x"/],
      [`loadsgf ${path} x`, /^\? cannot read the file ".*blksgf x": there is no such file$/],
      ['loadsgf ""', /^\? syntax error: expected a file and at most a move number/],
      [`loadsgf "${path}`, /^\? syntax error: expected a file and at most a move number/],
      [`savesgf "${path}" 5`, /^\? syntax error: expected a file$/],
      ["savesgf", /^\? syntax error: expected a file$/],
      [`loadsgf ${folder}/none`, /^\? cannot read the file ".*none": there is no such file$/],
      [`loadsgf ${folder}`, /^\? cannot read the file ".*": it is a folder$/],
      [`loadsgf ${folder}/go.sgf`, /^\? .*go\.sgf: GM\[1\]/],
      [`savesgf ${folder}/none/x`, /^\? cannot write /],
    ];
    // Paths with blanks, which a number may follow; quotes keep a number in a name.
    const blanks = join(folder, "my  game 5");
    for (const path of [blanks, `"${blanks}"`]) {
      rmSync(blanks, { force: true });
      expect(send(session, `savesgf ${path}`)).toEqual(["="]);
      expect(existsSync(blanks)).toBe(true);
    }
    expect(send(other, "clear_board", `loadsgf "${blanks}"`, "showboard").slice(1)).toEqual(["=", four]);
    expect(send(other, "clear_board", `loadsgf "${blanks}" 1`, "undo")[2]).toMatch(/cannot undo/);
    expect(send(other, `loadsgf ${blanks} 5`, "showboard")).toEqual(["=", four]);
    expect(send(other, `loadsgf ${blanks}`)[0]).toMatch(/^\? cannot read the file ".*my {2}game": there/);
    for (const [line, message] of bad) expect(send(other, line)[0]).toMatch(message);
    send(other, "clear_board", "play 2 t20");
    expect(send(other, `savesgf ${path}`)[0]).toMatch(/out of turn/);
    expect(send(other, "set_game Tic-Tac-Toe", `savesgf ${path}`)[1]).toMatch(/no form of game files/);
  });

  it("sets up a position from its text, which is a start of its own, and shows the text", () => {
    const session = start("tic-tac-toe", { use: "max-n", depth: 9 });
    expect(send(session, "p b2", "p b1", "ludoflow-showposition")[2]).toBe("= 3/1x1/1o1 x");
    expect(send(session, "setposition xx1/oo1/3 x", "undo")).toEqual([
      "=",
      "? cannot undo: this is the start of the game",
    ]);
    // Both find the move that wins; then the game is over.
    expect(send(session, "reg_genmove b", "play b a1", "genmove w", "ludoflow-showposition")).toEqual([
      "= c3",
      "=",
      "= c2",
      "= xx1/ooo/x2 -",
    ]);
    expect(send(session, "genmove b", "undo", "undo", "ludoflow-showposition").at(-1)).toBe("= xx1/oo1/3 x");
    const bad: readonly (readonly [string, RegExp])[] = [
      ["setposition", /^\? syntax error: expected the text of a position$/],
      ["setposition x", /^\? ERR_SYNTAX: a position has 2 parts/],
      ["setposition xxx/3/3 o", /^\? ERR_PIECES: /],
      ["setposition x2/3/3 x", /^\? ERR_TURN: /],
      ["ludoflow-showposition now", /^\? syntax error: expected no arguments$/],
    ];
    for (const [line, message] of bad) expect(send(session, line)[0]).toMatch(message);
    expect(send(session, "ludoflow-showposition")).toEqual(["= xx1/oo1/3 x"]);
    // The same board is the start again, for the agent too.
    expect(send(session, "clear_board", "ludoflow-showposition")).toEqual(["=", "= 3/3/3 x"]);
  });

  it.each(gtpRules)("gives and takes positions of %s inside a game", (rules) => {
    const [one, two] = [start(rules), start(rules)];
    for (let ply = 0; ply < 6; ply++) {
      send(one, "g");
      const [position] = send(one, "ludoflow-showposition");
      expect(position).not.toContain("#");
      expect(send(two, `setposition ${position!.slice(2)}`, "ludoflow-showposition", "showboard")).toEqual([
        "=",
        position,
        ...send(one, "showboard"),
      ]);
    }
    expect(send(two, "undo", "clear_board", "showboard")).toEqual([
      "? cannot undo: this is the start of the game",
      "=",
      ...send(start(rules), "showboard"),
    ]);
  });

  it("saves no game from a position that was set up", () => {
    const session = start("blokus-duo");
    send(session, "g");
    const [position] = send(session, "ludoflow-showposition");
    expect(send(session, `setposition ${position!.slice(2)}`, "g", "savesgf nowhere").at(-1)).toBe(
      "? cannot save a game from a position that was set up",
    );
  });

  it("refuses an agent that cannot play, at the start and for another game", () => {
    expect(() => start("2048")).toThrow(/GTP is not spoken for the game "2048" \(known: blokus, /);
    expect(() => start("tic-tac-toe", { use: "gredy" })).toThrow(/did you mean "greedy"\?/);
    expect(() => start("tic-tac-toe", { use: "puct-max-n" })).toThrow(/needs a "net"/);
    const session = start("blokus", { use: "max-n", depth: 1, value: "placed" });
    const before = send(session, "showboard");
    expect(send(session, "set_game Tic-Tac-Toe")[0]).toMatch(/^\? .*placed/);
    expect(send(session, "showboard")).toEqual(before);
  });
});

describe("an agent that resigns", () => {
  it("responds resign to genmove when its values were low, and plays nothing", () => {
    const session = new GtpSession({
      dialect: dialectOf("go")!,
      game: { rules: "go", size: 3, komi: 20 },
      open: openForTest({ use: "uct", simulations: 30, resign: { below: 0.5, decisions: 2 } }),
      seed: 1,
      program: { name: "ludoflow", version: "1.2.3" },
      files: { read: (path) => readFileSync(path, "utf8"), write: writeAtomically },
    });
    const [first, , second, board] = send(session, "genmove b", "play w A1", "genmove b", "move_history");
    expect(first).toMatch(/^= [ABC][123]$/);
    expect(second).toBe("= resign");
    expect(board!.split("\n")).toHaveLength(2);
  });
});
