import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SgfInvalid } from "../../../src/formats/sgf/faults.ts";
import { readSgf, readSgfOneByOne } from "../../../src/formats/sgf/reader.ts";
import { sgfCompose, sgfEscape, sgfSimpleText, sgfText } from "../../../src/formats/sgf/values.ts";
import { type SgfGame, sgfLines, sgfMainLine, sgfSideLines, writeSgf } from "../../../src/formats/sgf/sgf.ts";
import { placeless, sgfTrees } from "./trees.ts";
import { casesOf } from "../../number-of-cases.ts";

/** The mistake in a text. */
function mistake(text: string): SgfInvalid {
  try {
    for (const _ of readSgf(text));
  } catch (error) {
    if (error instanceof SgfInvalid) return error;
    throw error;
  }
  throw new Error(`no mistake in ${text}`);
}

describe("collections in SGF", () => {
  it("are read game by game: nodes, properties, values, variations, places", () => {
    const text = "\ufeff(;GM[1]SZ[19]\n;B[aa] (;W[bb])(;W[cc];B[])) \0\n(;FF[4]AB[aa:cc][dd])\u001a";
    const [first, second, ...more] = readSgf(text);
    expect(more).toEqual([]);
    expect(first).toMatchObject({
      nodes: [
        [
          { name: "GM", values: ["1"], line: 1, column: 4 },
          { name: "SZ", values: ["19"], line: 1, column: 9 },
        ],
        [{ name: "B", values: ["aa"], line: 2, column: 2 }],
      ],
      variations: [
        { nodes: [[{ name: "W", values: ["bb"] }]], variations: [] },
        { nodes: [[{ name: "W", values: ["cc"] }], [{ name: "B", values: [""] }]], variations: [] },
      ],
    });
    expect(second!.nodes[0]![1]).toEqual({ name: "AB", values: ["aa:cc", "dd"], line: 3, column: 8 });
    expect(sgfMainLine(first!).map((node) => node.at(-1)!.values[0])).toEqual(["19", "aa", "bb"]);
    expect([sgfSideLines(first!), sgfSideLines(second!)]).toEqual([1, 0]);
  });

  it("have lines, each given with the nodes that it shares with the line before", () => {
    const [game] = readSgf("(;A[];B[](;C[](;D[])(;E[];F[]))(;G[])(;H[]))");
    const lines = Array.from(sgfLines(game!), ({ nodes, shared }) => [
      nodes.map((node) => node[0]!.name).join(""),
      shared,
    ]);
    expect(lines).toEqual([
      ["ABCD", 0],
      ["ABCEF", 3],
      ["ABG", 2],
      ["ABH", 2],
    ]);
    fc.assert(
      fc.property(sgfTrees, (tree) => {
        // Every node is part of as many lines as it has leaves below it; the main line comes first.
        const plain = (at: typeof tree): (typeof tree)["nodes"][number][][] =>
          at.variations.length === 0
            ? [[...at.nodes]]
            : at.variations.flatMap(plain).map((rest) => [...at.nodes, ...rest]);
        const lines = Array.from(sgfLines(tree));
        expect(lines.map(({ nodes }) => nodes)).toEqual(plain(tree));
        expect(lines[0]!.nodes).toEqual(sgfMainLine(tree));
        expect(lines.length).toBe(sgfSideLines(tree) + 1);
        for (const [index, { nodes, shared }] of lines.entries()) {
          const before = lines[index - 1]?.nodes ?? [];
          expect(nodes.slice(0, shared).every((node, at) => node === before[at])).toBe(true);
          expect(shared === 0 || nodes[shared] !== before[shared]).toBe(true);
        }
      }),
      { numRuns: casesOf(50) },
    );
  });

  it("have names with small letters in old files, which do not count", () => {
    const [game] = readSgf("(;GaMe[1]Black[aa] B [bb])");
    expect(game!.nodes[0]!.map(({ name }) => name)).toEqual(["GM", "B", "B"]);
  });

  it("come back as they were written", () => {
    fc.assert(
      fc.property(fc.array(sgfTrees, { minLength: 1, maxLength: 3 }), (games) => {
        const text = writeSgf(games);
        expect([...readSgf(text)].map(placeless)).toEqual(games);
        expect(writeSgf(readSgf(text))).toBe(text);
      }),
      { numRuns: casesOf(100) },
    );
  });

  it("are the same however the text is cut, as characters and as bytes", () => {
    const cuts = fc.array(fc.nat(40), { maxLength: 30 });
    fc.assert(
      fc.property(fc.array(sgfTrees, { minLength: 1, maxLength: 2 }), cuts, (games, lengths) => {
        const text = writeSgf(games);
        const whole = [...readSgf(text)];
        const bytes = new TextEncoder().encode(text);
        const pieces = <T extends string | Uint8Array>(of: T): T[] => {
          let at = 0;
          const cut = lengths.map((length) => of.slice(at, (at += length)) as T);
          return [...cut, of.slice(at) as T];
        };
        expect([...readSgf(pieces(text))]).toEqual(whole);
        expect([...readSgf(pieces(bytes))]).toEqual(whole);
        expect([...readSgf(bytes)]).toEqual(whole);
      }),
      { numRuns: casesOf(100) },
    );
  });

  it("in another charset are read as such", () => {
    const bytes = Uint8Array.from("(;C[caf\u00e9])".split(""), (character) => character.charCodeAt(0));
    const [latin] = readSgf(bytes, "iso-8859-1");
    expect(latin!.nodes[0]![0]!.values).toEqual(["caf\u00e9"]);
    const [broken] = readSgf(bytes);
    expect(broken!.nodes[0]![0]!.values).toEqual(["caf\ufffd"]);
    expect(() => readSgf(bytes, "klingon").next()).toThrow(RangeError);
  });

  it("are pulled no further than the game that is wanted", () => {
    const pulled: number[] = [];
    function* source() {
      for (let game = 0; game < 5; game++) {
        pulled.push(game);
        yield `(;GN[${game}])`;
      }
    }
    const games = readSgf(source());
    games.next();
    expect(pulled).toEqual([0]);
    games.next();
    expect(pulled).toEqual([0, 1]);
  });

  it("say what is wrong by a code, a line and a column", () => {
    const cases: readonly (readonly [string, string, number, number, RegExp])[] = [
      ["", "ERR_START", 1, 1, /the text ends where a game tree should begin/],
      [" \n hello", "ERR_START", 2, 2, /"h" where a game tree should begin/],
      ["(;B[])\n(;W[]) \u{1F600}", "ERR_START", 2, 8, /"\u{1F600}" where/u],
      ["()", "ERR_NODE", 1, 2, /"\)" where the first node/],
      ["((;B[]))", "ERR_NODE", 1, 2, /"\(" where the first node/],
      ["(;B[]\n(;W[]);B[])", "ERR_PLACE", 2, 7, /";" where a node, a game tree or its end/],
      ["(;B[]?)", "ERR_PLACE", 1, 6, /"\?" where/],
      ["(;B[]\n  W)", "ERR_VALUE", 2, 3, /property W has no value/],
      ["(;B[\n[x\\]", "ERR_VALUE_END", 1, 4, /the value that begins here/],
      ["(;B[x\\", "ERR_VALUE_END", 1, 4, /the value that begins here/],
      ["(;B[]\n (;W[]\n (;B[])", "ERR_TREE_END", 2, 2, /the game tree that begins here/],
    ];
    for (const [text, code, line, column, message] of cases) {
      const error = mistake(text);
      expect([text, error.code, error.line, error.column]).toEqual([text, code, line, column]);
      expect(error.message).toMatch(message);
      expect(error.message.startsWith(`line ${line}, column ${column}: `)).toBe(true);
      // However the text is cut.
      expect(() => [...readSgf(Array.from(text))]).toThrow(error.message);
    }
  });

  it("never fail in another way, whatever the text", () => {
    const unit = fc.constantFrom(..."();[]\\:AB1b \n\u00e9".split(""), ";B[aa]", "(;", "\u{1F600}");
    // As `unit: "binary"`, which takes a second to be made.
    const any = fc
      .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
      .map((code) => String.fromCodePoint(code));
    const games = (text: string) => {
      try {
        return [...readSgf(text)];
      } catch (error) {
        if (error instanceof SgfInvalid) return [];
        throw error;
      }
    };
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit, maxLength: 60 }), fc.string({ unit: any })), (text) => {
        // Every game that is read can be written.
        const read = games(text);
        if (read.length > 0) expect([...readSgf(writeSgf(read))].map(placeless)).toEqual(read.map(placeless));
      }),
      { numRuns: casesOf(500) },
    );
  });

  it("may be as deep as memory allows, and long lines take no longer", () => {
    const depth = casesOf(100_000);
    const deep = "(;B[aa]".repeat(depth) + ")".repeat(depth);
    const [game] = readSgf(deep);
    expect(sgfMainLine(game!)).toHaveLength(depth);
    expect(sgfSideLines(game!)).toBe(0);
    expect(writeSgf([game!]).replaceAll("\n", "")).toBe(deep);
    expect(mistake("(;".repeat(depth)).code).toBe("ERR_TREE_END");
    const [long] = readSgf(`(${";B[aa]".repeat(depth)})`);
    expect((long as SgfGame).nodes).toHaveLength(depth);
    const text = "x".repeat(depth);
    const [cut] = readSgf(["(;C[", ...text.split(""), "])"]);
    expect(cut!.nodes[0]![0]!.values[0]).toBe(text);
  });

  it("are refused by the writer where they could not be read again", () => {
    const write = (name: string, ...values: string[]) =>
      writeSgf([{ nodes: [[{ name, values }]], variations: [] }]);
    expect(write("B", "a\\]")).toBe("(;B[a\\]]\n)\n");
    expect(() => writeSgf([{ nodes: [], variations: [] }])).toThrow("a game tree has at least one node");
    expect(() => write("B")).toThrow("property B has no value");
    expect(() => write("b c", "")).toThrow("no name of an SGF property");
    expect(() => write("B", "a]")).toThrow("is not escaped");
    expect(() => write("B", "a\\")).toThrow("is not escaped");
  });
});

describe("values in SGF", () => {
  it("of type Text keep hard line ends and lose soft ones; SimpleText has blanks for them", () => {
    const raw = "a\\]b\\\\c\\:d\te\\\nf\\\r\ng\nh\r\ni\n\rj\rk\n\nl\vm\\n\\";
    expect(sgfText(raw)).toBe("a]b\\c:d efg\nh\ni\nj\nk\n\nl mn");
    expect(sgfSimpleText(raw)).toBe("a]b\\c:d efg h i j k  l mn");
  });

  it("of composed types split at the first colon that is not escaped", () => {
    expect(sgfCompose("aa:cc")).toEqual(["aa", "cc"]);
    expect(sgfCompose("a\\:b:c:d")).toEqual(["a\\:b", "c:d"]);
    expect(sgfCompose("a\\:b")).toBe(undefined);
    expect(sgfCompose("")).toBe(undefined);
    fc.assert(
      fc.property(fc.string(), fc.string(), (first, second) => {
        const composed = `${sgfEscape(first, true)}:${sgfEscape(second, true)}`;
        expect(sgfCompose(composed)).toEqual([sgfEscape(first, true), sgfEscape(second, true)]);
      }),
    );
  });

  it("come back as the text that was escaped", () => {
    const plain = fc.string({ unit: "grapheme" }).map((text) => text.replaceAll(/[\r\t\v\f]/g, " "));
    fc.assert(
      fc.property(plain, fc.boolean(), (text, composed) => {
        expect(sgfText(sgfEscape(text, composed))).toBe(text);
      }),
    );
  });
});

describe("a text that is read game by game", () => {
  const read = (text: string, mostParts: number) =>
    [...readSgfOneByOne(text, mostParts)].map(({ game, place }) => [
      place.column,
      game instanceof SgfInvalid ? game.code : writeSgf([game]).replaceAll("\n", ""),
    ]);

  it("passes over games with too many parts, and reads the others", () => {
    const nodes = `(${";B[aa]".repeat(20)})`;
    const values = `(;AB${"[aa]".repeat(60)})`;
    const deep = `${"(;B[aa]".repeat(30)}${")".repeat(30)}`;
    const commented = `(;${"B[aa]C[)(;]".repeat(20)})`;
    for (const long of [nodes, values, deep, commented]) {
      expect(read(`(;B[ab])${long}(;B[ba])`, 20)).toEqual([
        [1, "(;B[ab])"],
        [9, "ERR_LONG"],
        [9 + long.length, "(;B[ba])"],
      ]);
      expect(read(long, 10_000)[0]![1]).not.toBe("ERR_LONG");
    }
    expect(read(`(;B[ab])${nodes.slice(0, -1)}`, 20)).toEqual([
      [1, "(;B[ab])"],
      [9, "ERR_LONG"],
    ]);
    expect(() => read("none", 20)).toThrow(SgfInvalid);
  });
});
