import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readSgfCollection } from "../../../src/formats/sgf/collection.ts";
import { readSgf } from "../../../src/formats/sgf/reader.ts";
import { sgfLines, sgfMainLine } from "../../../src/formats/sgf/sgf.ts";
import { GameGo } from "../../../src/games/go/go.ts";
import { type OptionsGo, goRules } from "../../../src/games/go/options.ts";
import { playGo } from "../../../src/games/go/play.ts";
import { setUpGo } from "../../../src/games/go/set-up.ts";
import {
  komiOfSgf,
  resultOfSgf,
  rulesOfSgf,
  sgfRules,
  sizeOfSgf,
} from "../../../src/games/go/sgf/game-info.ts";
import { moveOfSgf, pointsOfSgf, sgfPoint } from "../../../src/games/go/sgf/points.ts";
import { type GoSgfGame, GoSgfInvalid, readGoSgf } from "../../../src/games/go/sgf/read-game.ts";
import { writeGoSgf } from "../../../src/games/go/sgf/write-game.ts";
import { Random } from "../../../src/random.ts";

/** The main line of a text. */
function read(text: string): GoSgfGame {
  return readGoSgf(sgfMainLine([...readSgf(text)][0]!));
}

/** The points of a list as SGF writes them. */
function named(size: number, points: Iterable<number>): string {
  return Array.from(points, (point) => (point === size * size ? "--" : sgfPoint(size, point))).join(" ");
}

/** The sections of a game: stones, mover, moves; with the position at the end of each checked by playing it. */
function sections({ options, sections }: GoSgfGame): string[] {
  const { size } = options;
  const rules = goRules(options);
  return sections.map(({ actions, first, nodes, stones }) => {
    const state = setUpGo(rules, stones, first)!;
    for (const action of actions) playGo(state, rules, action);
    expect(nodes.length).toBe(actions.length);
    const of = (colour: number) =>
      named(
        size,
        Array.from(stones, (_, point) => point).filter((point) => stones[point] === colour),
      );
    return `${of(1)}|${of(2)}|${"BW"[first]}|${named(size, actions)}`;
  });
}

/** A random game of legal moves, and its options. */
function randomGame(seed: number, given?: OptionsGo): { options: OptionsGo; actions: number[] } {
  const random = Random.named("sgf", "test", seed);
  const options: OptionsGo = given ?? {
    size: 2 + random.below(8),
    komi: random.below(40) / 2 - 5,
    superko: (["positional", "situational", "simple"] as const)[random.below(3)]!,
    suicide: random.below(2) === 1,
    handicap: 0,
    moveLimit: 0,
  };
  const game = new GameGo(options);
  const state = game.initial();
  const legal = new Int32Array(game.maxLegal);
  const actions: number[] = [];
  for (let left = random.below(60); left > 0 && game.toMove(state) >= 0; left--) {
    const action = legal[random.below(game.legal(state, legal))]!;
    game.play(state, action);
    actions.push(action);
  }
  return { options, actions };
}

describe("games of Go in SGF", () => {
  it("come back as they were written, with names, ranks, comments", () => {
    for (let seed = 0; seed < 40; seed++) {
      const { actions, options } = randomGame(seed);
      const comments = new Map([
        [0, "start: [a]"],
        [actions.length + 1, ""],
      ]);
      if (actions.length > 2) comments.set(2, "two\nplies \\");
      const text = writeGoSgf({
        options,
        actions,
        players: ["a [b]", "c:d"],
        ranks: ["", "5d"],
        date: "2026-01-31",
        comments,
      });
      const game = read(text);
      expect(game).toMatchObject({ options, players: ["a [b]", "c:d"], ranks: ["", "5d"], warnings: [] });
      expect(game.broken).toBe(undefined);
      expect(game.date).toBe("2026-01-31");
      expect(game.sections.map(({ actions }) => actions)).toEqual([actions]);
      comments.delete(actions.length + 1);
      expect(game.comments).toEqual(comments);
      // The result is that of the rules, if the game is over.
      const rules = new GameGo(options);
      const state = rules.initial();
      for (const action of actions) rules.play(state, action);
      const returns = new Float64Array(2);
      rules.returns(state, returns);
      expect(game.result.returns).toEqual(rules.toMove(state) < 0 ? [...returns] : undefined);
    }
  });

  it("may begin with stones and with White", () => {
    const options = { ...randomGame(0).options, size: 5 };
    const start = { stones: Uint8Array.from({ length: 25 }, (_, i) => [0, 1, 0, 2][i % 8] ?? 0), first: 1 };
    const game = read(writeGoSgf({ options, start, actions: [0, 25, 25] }));
    expect(game.sections).toMatchObject([{ ...start, actions: [0, 25, 25] }]);
    expect(game.warnings).toEqual([]);
    const empty = read(writeGoSgf({ options, start: { stones: new Uint8Array(25), first: 1 }, actions: [] }));
    expect(sections(empty)).toEqual(["||W|"]);
    // A handicap is two black stones or more, none of White, and White to move.
    const handicapOf = (stones: readonly number[], first: number) =>
      /HA\[\d+\]/.exec(writeGoSgf({ options, start: { stones, first }, actions: [] }))?.[0];
    const [none, one, two, both] = [[], [1], [1, 0, 1], [1, 0, 1, 2]].map((stones) =>
      Array.from({ length: 25 }, (_, point) => stones[point] ?? 0),
    ) as [number[], number[], number[], number[]];
    expect([none, one, two, both].map((stones) => handicapOf(stones, 1))).toEqual([
      undefined,
      undefined,
      "HA[2]",
      undefined,
    ]);
    expect(handicapOf(two, 0)).toBe(undefined);
    expect(() =>
      writeGoSgf({ options, start: { stones: new Uint8Array(25).fill(1), first: 0 }, actions: [] }),
    ).toThrow("have no liberty");
  });

  it("have the moves of any variation", () => {
    const [tree] = readSgf("(;SZ[9]KM[0];B[aa](;W[bb];B[cc](;W[dd])(;W[ee]))(;AW[bb]AE[aa];B[ii]))");
    const lines = Array.from(sgfLines(tree!), ({ nodes }) => sections(readGoSgf(nodes)));
    expect(lines).toEqual([["||B|aa bb cc dd"], ["||B|aa bb cc ee"], ["||B|aa", "|bb|B|ii"]]);
  });

  it("pass with an empty value, and with tt up to 19x19", () => {
    expect(sections(read("(;SZ[19]KM[0];B[];W[tt])"))).toEqual(["||B|-- --"]);
    expect([moveOfSgf(19, "tt"), moveOfSgf(9, "tt"), moveOfSgf(9, "")]).toEqual([361, 81, 81]);
    expect([moveOfSgf(9, "sa"), moveOfSgf(9, "a"), moveOfSgf(9, "D4")]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("have lists of points and of rectangles", () => {
    expect(named(9, pointsOfSgf(9, "bb:cd")!)).toBe("bb cb bc cc bd cd");
    expect(named(9, pointsOfSgf(9, "cd:bb")!)).toBe("bb cb bc cc bd cd");
    expect(pointsOfSgf(9, "jj")).toBe(undefined);
    expect(pointsOfSgf(9, "aa:jj")).toBe(undefined);
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 19 }), fc.nat(360), (size, number) => {
        const point = number % (size * size);
        expect(moveOfSgf(size, sgfPoint(size, point))).toBe(point);
        expect(pointsOfSgf(size, sgfPoint(size, point))).toEqual([point]);
      }),
    );
  });

  it("begin another section if stones are set up in the middle, out of turn and after the end", () => {
    expect(sections(read("(;SZ[9]KM[0]AB[aa];W[bb];B[cc]AE[aa]AW[dd];W[ee])"))).toEqual([
      "aa||W|bb",
      "|bb dd|B|cc ee",
    ]);
    const turn = read("(;SZ[9]KM[0];B[aa];B[bb];W[cc])");
    expect(sections(turn)).toEqual(["||B|aa", "aa||B|bb cc"]);
    expect(turn.warnings).toEqual([
      "line 1, column 20: B[bb] is out of turn; the position is taken as one with its colour to move",
    ]);
    const on = read("(;SZ[9]KM[0];B[aa];W[];B[];W[];B[];W[bb])");
    expect(sections(on)).toEqual(["||B|aa -- --", "aa||W|bb"]);
    expect(on.warnings.map((text) => text.replace(/.*: /, ""))).toEqual([
      "a pass after the end of the game; left out",
      "a pass after the end of the game; left out",
      "the game continues after two passes",
    ]);
    expect(sections(read("(;SZ[9]KM[0]AB[aa]PL[W])"))).toEqual(["aa||W|"]);
    expect(sections(read("(;SZ[9]KM[0]AB[aa];PL[White];C[x])"))).toEqual(["aa||W|"]);
    expect(sections(read("(;SZ[9]KM[0]AB[aa]AW[bb])"))).toEqual(["aa|bb|B|"]);
  });

  it("have handicap stones as set up, as first moves, or by their number", () => {
    expect(sections(read("(;SZ[9]KM[0]HA[2]AB[gc][cg];W[ee])"))).toEqual(["gc cg||W|ee"]);
    expect(sections(read("(;SZ[9]KM[0]HA[2];AB[gc][aa];W[ee])"))).toEqual(["aa gc||W|ee"]);
    const moves = read("(;SZ[9]KM[0]HA[2];B[aa];B[bb];W[ee])");
    expect(sections(moves)).toEqual(["aa bb||W|ee"]);
    expect(moves.warnings).toHaveLength(1);
    // Stones on their fixed places are those of a game with the option, placed here or by the file.
    for (const stones of ["", "AB[gc][cg]"]) {
      const fixed = read(`(;SZ[9]KM[0]HA[2]${stones};W[ee])`);
      expect([fixed.options.handicap, sections(fixed)]).toEqual([2, ["gc cg||W|ee"]]);
      expect(fixed.warnings.length).toBe(stones === "" ? 1 : 0);
    }
    expect(read("(;SZ[9]KM[0]HA[2]AB[gc][aa];W[ee])").options.handicap).toBe(0);
    expect(read("(;SZ[5]KM[0]HA[2];W[cc])").warnings).toEqual([
      "line 1, column 13: HA[2] has no fixed places on this board; left out",
    ]);
    // All nine of the Go Text Protocol, and one more.
    const nine = read("(;SZ[9]KM[0]HA[9];W[aa])");
    expect([nine.options.handicap, sections(nine)]).toEqual([9, ["cc ec gc ce ee ge cg eg gg||W|aa"]]);
    expect(read("(;SZ[9]KM[0]HA[10];W[aa])").warnings).toEqual([
      "line 1, column 13: HA[10] has no fixed places on this board; left out",
    ]);
    const options: OptionsGo = { ...randomGame(0).options, size: 9, handicap: 4 };
    expect(read(writeGoSgf({ options, actions: [0] }))).toMatchObject({ options, warnings: [] });
    const none = read("(;SZ[9]KM[0]HA[1];B[aa];W[bb])");
    expect([sections(none), none.warnings]).toEqual([["||B|aa bb"], []]);
    const lost = read("(;SZ[9]KM[0]HA[4];B[aa];W[bb])");
    expect(sections(lost)).toEqual(["||B|aa bb"]);
    expect(lost.warnings).toEqual(["line 1, column 13: HA[4] without its stones; left out"]);
  });

  it("end at an illegal move, which is reported with its place", () => {
    const why = (text: string) => {
      const game = read(text);
      sections(game);
      return game.broken;
    };
    expect(why("(;SZ[9]KM[0];B[aa]\n;W[aa];B[bb])")).toBe(
      "line 2, column 2: W[aa] is not legal: the point is occupied",
    );
    expect(why("(;SZ[9]KM[0]AB[ab][ba];W[aa])")).toMatch("it is suicide");
    expect(why("(;SZ[9]KM[0]AB[bb]AW[ba][ab][cb];B[bc];W[ac];B[aa])")).toMatch("it is suicide");
    expect(why("(;SZ[9]KM[0];B[zz])")).toBe("line 1, column 14: B[zz] is not a point of a board of 9x9");
    expect(why("(;SZ[9]KM[0]AB[aa]AW[ab][ba];B[cc])")).toMatch("have no liberty");
    expect(why("(;SZ[9]KM[0]AB[ba][ab][bc]AW[ca][db][cc][bb];B[cb];W[bb])")).toMatch(
      "it takes back a ko at once",
    );
    // Games with simple ko, declared Chinese, go as far as positional superko lets them.
    let repeated = 0;
    for (let seed = 0; seed < 20; seed++) {
      const options: OptionsGo = { ...randomGame(0).options, size: 2, superko: "simple", suicide: false };
      const { actions } = randomGame(seed, options);
      const game = read(writeGoSgf({ options, actions }).replace(/RU\[\w+\]/, "RU[Chinese]"));
      const chinese = new GameGo({ ...options, superko: "positional" });
      const state = chinese.initial();
      const legal = new Int32Array(chinese.maxLegal);
      const first = actions.findIndex((action) => {
        if (!legal.subarray(0, chinese.legal(state, legal)).includes(action)) return true;
        chinese.play(state, action);
        return false;
      });
      expect(game.sections[0]!.actions).toEqual(first < 0 ? actions : actions.slice(0, first));
      expect(game.broken?.replace(/.*: /, "")).toBe(first < 0 ? undefined : "it repeats a position");
      if (first >= 0) repeated++;
    }
    expect(repeated).toBeGreaterThan(1);
  });

  it("of other games and boards are refused by name", () => {
    expect(() => read("(;GM[2]SZ[8])")).toThrow(
      new GoSgfInvalid("ERR_GAME", { line: 1, column: 3 }, "GM[2] is another game; Go is GM[1]"),
    );
    for (const size of ["1", "20", "25", "13:9", "x", ""])
      expect(() => read(`(;GM[1]SZ[${size}])`)).toThrow(`SZ[${size}] is not a board that is played here`);
    expect([sizeOfSgf("19"), sizeOfSgf(" 19:19"), sizeOfSgf("9x9")]).toEqual([19, 19, 9]);
    expect(read("(;KM[0];B[ss])").options.size).toBe(19);
  });

  it("have komi in points, in Chinese stones and in hundredths", () => {
    const komi: readonly (readonly [string, number | undefined])[] = [
      ["6.5", 6.5],
      ["7.50", 7.5],
      ["5,5", 5.5],
      ["-3", -3],
      ["0", 0],
      ["6½", 6.5],
      ["6目半", 6.5],
      ["5.5 points", 5.5],
      ["375", 7.5],
      ["3.75", 7.5],
      ["6.75", undefined],
      ["2.75", 5.5],
      ["325", 6.5],
      ["350", 7],
      ["650", 6.5],
      ["750", 7.5],
      ["", undefined],
      ["none", undefined],
      ["6.3", undefined],
    ];
    for (const [text, points] of komi) expect([text, komiOfSgf(text)]).toEqual([text, points]);
    expect([komiOfSgf("50", true), komiOfSgf("50"), komiOfSgf("0", true)]).toEqual([0.5, 50, 0]);
    expect(read("(;SZ[9])").warnings).toEqual(["no komi (KM); read as 0"]);
    expect(read("(;SZ[9]KM[375])").warnings).toEqual(["line 1, column 8: KM[375] is read as a komi of 7.5"]);
  });

  it("give the result", () => {
    const results: readonly (readonly [string, readonly number[] | undefined, unknown])[] = [
      ["B+3.5", [1, 0], 3.5],
      ["W+R", [0, 1], "resignation"],
      ["b+Resign", [1, 0], "resignation"],
      ["White + T", [0, 1], "time"],
      ["B+Forfeit", [1, 0], "forfeit"],
      ["B+", [1, 0], undefined],
      ["Draw", [0.5, 0.5], 0],
      ["0", [0.5, 0.5], 0],
      ["Void", undefined, undefined],
      ["?", undefined, undefined],
      ["", undefined, undefined],
      ["黑中盘胜", [1, 0], "resignation"],
      ["白番中押し勝ち", [0, 1], "resignation"],
      ["白胜43.5目", [0, 1], 43.5],
      ["黒2目半勝", [1, 0], 2.5],
      ["黑胜2又3/4子", [1, 0], undefined],
      ["백불계승", [0, 1], "resignation"],
    ];
    for (const [text, returns, by] of results) {
      const result = resultOfSgf(text);
      expect([text, result.returns, result.by]).toEqual([text, returns, by]);
      expect(result.text).toBe(text);
    }
  });

  it("have the rules that RU names, else a simple ko", () => {
    expect(rulesOfSgf("Chinese")).toEqual({ superko: "positional", suicide: false });
    expect(rulesOfSgf("中国规则")).toEqual({ superko: "positional", suicide: false });
    expect(rulesOfSgf("AGA")).toEqual({ superko: "situational", suicide: false });
    expect(rulesOfSgf("NZ")).toEqual({ superko: "situational", suicide: true });
    expect(rulesOfSgf("Tromp-Taylor")).toEqual({ superko: "positional", suicide: true });
    expect(rulesOfSgf("koSITUATIONALscoreTERRITORYtaxSEKIsui0")).toEqual({
      superko: "situational",
      suicide: false,
    });
    expect(
      (["positional", "situational", "simple"] as const).flatMap((superko) =>
        [false, true].map((suicide) => sgfRules({ superko, suicide })),
      ),
    ).toEqual([
      "Chinese",
      "Tromp-Taylor",
      "AGA",
      "NZ",
      "koSIMPLEscoreAREAtaxNONEsui0",
      "koSIMPLEscoreAREAtaxNONEsui1",
    ]);
    for (const text of ["Japanese", "", "Korean"])
      expect(rulesOfSgf(text)).toEqual({ superko: "simple", suicide: false });
  });
});

describe("files as servers and editors write them", () => {
  const folder = join(import.meta.dirname, "sgf");
  /** The first game of a file, and how many warnings and games the file has. */
  const open = (name: string) => {
    const { charset, games, warnings } = readSgfCollection(readFileSync(join(folder, name)));
    const lines = games.map((game) => Array.from(sgfLines(game), ({ nodes }) => sections(readGoSgf(nodes))));
    const game = readGoSgf(sgfMainLine(games[0]!));
    return { charset, game, lines, codes: warnings.map(({ code }) => code).join(" ") };
  };

  /** By file, what is recorded about it: charset, codes of warnings, sections of all lines of all games, and the first game. */
  const expected: Readonly<Record<string, object>> = {
    // CGOS: a whole komi, clocks, and a game that ended by an illegal move.
    "cgos.sgf": {
      charset: "utf-8",
      codes: "",
      lines: [[["||B|ee ge"]]],
      game: {
        options: { size: 9, komi: 7 },
        result: { returns: [1, 0] },
        broken: "line 9, column 28: B[ee] is not legal: the point is occupied",
      },
    },
    // The Fox server: UTF-8 without CA, two AP, komi in hundredths, handicap stones in the second node.
    "fox.sgf": {
      charset: "utf-8",
      codes: "ERR_CHARSET",
      lines: [[["||B|pp dq pc cd"]]],
      game: { options: { komi: 7.5 }, players: ["棋手甲", "棋手乙"], ranks: ["2段", "9段"] },
    },
    "fox-handicap.sgf": {
      lines: [[["pd dp||W|dd pp"]]],
      game: { options: { komi: 0.5, superko: "simple" } },
    },
    // Written by GNU Go 3.8, as a game and by `printsgf`.
    "gnugo-game.sgf": { codes: "", lines: [[["||B|ee df cg"]]], game: { options: { size: 9, komi: 5.5 } } },
    "gnugo.sgf": { codes: "", lines: [[["dc gc cg eg|de gg|W|"]]], game: { warnings: [] } },
    // A collection of old games: no komi, a date of its own, a winner without a score, brackets in the text.
    "gogod.sgf": {
      codes: "ERR_BRACKET",
      lines: [[["dd pd dp||W|qp dn op fc jd cf"]]],
      game: {
        options: { komi: 0 },
        date: "1670-12-13 (11th month, 2nd day of Kanbun 10)",
        result: { text: "W+", returns: [0, 1] },
        comments: new Map([[0, "The moves after 6 are not known (see [2] in the notes)"]]),
      },
    },
    // Pandanet: line ends of two characters, FF[3], several moves a line, passes as tt.
    "igs.sgf": {
      codes: "",
      lines: [[["||B|qd dp pq -- --"]]],
      game: {
        ranks: ["3d*", "4d*"],
        result: { by: "time" },
        warnings: [expect.stringMatching("after the end")],
      },
    },
    // Two games in a mail; the second has its handicap as moves, and no end.
    "joined.txt": {
      codes: "ERR_START ERR_START ERR_TREE_END",
      lines: [[["||B|ee cc"]], [["dd jd dj jj||W|gg"]]],
    },
    // CGoban: free handicap, clocks, marks, a chat with escaped brackets.
    "kgs.sgf": {
      charset: "utf-8",
      codes: "",
      lines: [[["gc cg||W|ee eg gg"], ["gc cg||W|ee eg gf gg"]]],
      game: {
        options: { size: 9, komi: 0.5, superko: "simple" },
        players: ["bö", "anna"],
        ranks: ["2d?", "4d"],
        result: { returns: [0, 1], by: "resignation" },
        comments: new Map([
          [0, "anna [4d]: have a nice game\nbö [2d?]: hi!\n"],
          [3, "ok"],
        ]),
      },
    },
    // MultiGo: Big5 with backslashes between the bytes, set-up before the other properties, rectangles.
    "multigo.sgf": {
      charset: "big5",
      codes: "ERR_CHARSET",
      lines: [
        [["qa pb pc pd pe|ra qb rb qc qd|B|sb sc rd rc"], ["qa pb pc pd pe|ra qb rb qc qd|B|sb sc rd re"]],
      ],
      game: {
        comments: new Map([
          [0, "本因坊 功"],
          [2, "要點 "],
        ]),
      },
    },
    // Japanese in Shift_JIS, with letters whose second byte is a backslash, and the komi in words.
    "nihon.sgf": {
      charset: "shift_jis",
      codes: "",
      lines: [[["||B|qd dc pq"]]],
      game: { options: { komi: 6.5 }, players: ["本因坊 表", "名人 ソ"], result: { returns: [0, 1] } },
    },
    // OGS: every move in brackets of its own.
    "ogs.sgf": {
      codes: "",
      lines: [[["||B|ee ec eg -- --"], ["||B|ee ed dd"]]],
      game: { options: { superko: "positional" }, result: { by: 7.5 } },
    },
    // A newspaper: no semicolon, no charset, the komi as KO, the result in characters.
    "sina.sgf": {
      charset: "windows-1252",
      codes: "ERR_CHARSET ERR_NODE",
      lines: [[["||B|qd dd pq oc"]]],
      game: { options: { komi: 7.5 } },
    },
    // FF[1]: names with small letters.
    "smart-game-board.sgf": {
      codes: "",
      lines: [[["cc gg||W|gc cg ee"]]],
      game: { options: { size: 9 }, comments: new Map([[0, "An old file, in capitals and small letters"]]) },
    },
    // SmartGo: rectangles, soft line ends, stones set up in the middle.
    "smartgo.sgf": {
      lines: [
        [
          [
            "aa ca ab cb ac cc|da db dc ad bd cd dd|W|bb ba",
            "aa ba ca ab cb ac cc dd|da bb db dc ad bd cd ii|B|bc",
          ],
        ],
      ],
      game: {
        comments: new Map([
          [0, "White to play and kill.: see \\a"],
          [3, "And now?"],
        ]),
      },
    },
    // Korean in EUC-KR.
    "tygem.sgf": {
      charset: "euc-kr",
      codes: "",
      lines: [[["||B|pd dp pq dd"]]],
      game: {
        options: { komi: 6.5 },
        players: ["흑번", "백번"],
        ranks: ["9단", "8단"],
        result: { returns: [1, 0], by: "resignation" },
      },
    },
    "utf16.sgf": {
      charset: "utf-16le",
      codes: "",
      lines: [[["||B|qd -- dd"]]],
      game: { players: ["Łukasz", "Ян"] },
    },
    // Chinese in GB2312: the komi in stones, the handicap in words.
    "zhongguo.sgf": {
      charset: "gb18030",
      codes: "",
      lines: [[["||B|pd dd dp pp"], ["||B|pd dd dp jj jk"]]],
      game: { options: { komi: 7.5, superko: "positional" }, players: ["围棋甲", "乙"] },
    },
  };

  it("are read in the charset that the user knows, if they name none", () => {
    const { games } = readSgfCollection(readFileSync(join(folder, "sina.sgf")), "gb2312");
    const game = readGoSgf(sgfMainLine(games[0]!));
    expect(game).toMatchObject({ players: ["黑方", "白方"], result: { returns: [1, 0] } });
  });

  it.each(Object.keys(expected))("%s", (name) => {
    expect(open(name)).toMatchObject(expected[name]!);
  });

  it("are all named here", () => {
    expect(readdirSync(folder).toSorted()).toEqual(Object.keys(expected).toSorted());
  });
});
