import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readSgfCollection } from "../../../src/formats/sgf/collection.ts";
import { SgfInvalid, type SgfWarning } from "../../../src/formats/sgf/faults.ts";
import { readSgf, readSgfLeniently } from "../../../src/formats/sgf/reader.ts";
import { sgfText } from "../../../src/formats/sgf/values.ts";
import { type SgfTree, writeSgf } from "../../../src/formats/sgf/sgf.ts";
import { placeless, sgfTrees } from "./trees.ts";
import { casesOf } from "../../number-of-cases.ts";

/** A text read leniently, as the sound text of its games, and its warnings as code, line and column. */
function leniently(text: string): [string, string[]] {
  const warnings: SgfWarning[] = [];
  const games = readSgfLeniently(text, warnings);
  for (const { line, column, message } of warnings)
    expect(message.startsWith(`line ${line}, column ${column}: `)).toBe(true);
  return [
    writeSgf(games).replaceAll("\n", ""),
    warnings.map(({ code, line, column }) => `${code} ${line}:${column}`),
  ];
}

describe("texts that are not sound", () => {
  it("are the same as in strict reading where they are sound", () => {
    fc.assert(
      fc.property(fc.array(sgfTrees, { minLength: 1, maxLength: 3 }), (games) => {
        const text = writeSgf(games);
        const warnings: SgfWarning[] = [];
        expect(readSgfLeniently(text, warnings)).toEqual([...readSgf(text)]);
        expect(warnings).toEqual([]);
      }),
      { numRuns: casesOf(50) },
    );
  });

  it("lose the text around the games", () => {
    expect(leniently("From: a@b (c)\n\n (;B[aa])\n--\n(\n;W[bb]) :-)\n")).toEqual([
      "(;B[aa])(;W[bb])",
      ["ERR_START 1:1", "ERR_START 4:1", "ERR_START 6:9"],
    ]);
    expect(() => leniently("hello")).toThrow('line 1, column 1: "h" where a game tree should begin');
    expect(() => leniently("")).toThrow(SgfInvalid);
  });

  it("get the nodes that are missing", () => {
    // As the archives of a newspaper have them.
    expect(leniently("(\nTE[cup]\nKO[7.5];B[aa])")).toEqual(["(;TE[cup]KO[7.5];B[aa])", ["ERR_NODE 2:1"]]);
    expect(leniently("x (GM[1])")[0]).toBe("(;GM[1])");
    expect(leniently("(;B[aa](W[bb])((;W[cc])(;W[dd])))")).toEqual([
      "(;B[aa](;W[bb])(;(;W[cc])(;W[dd])))",
      ["ERR_NODE 1:9", "ERR_NODE 1:16"],
    ]);
    expect(leniently("(;B[aa]()(;W[cc]))")).toEqual(["(;B[aa](;W[cc]))", ["ERR_NODE 1:9"]]);
  });

  it("keep what follows variations, as one more", () => {
    expect(leniently("(;B[aa](;W[bb])(;W[cc]);W[dd](;B[ee])C[x];B[ff])")).toEqual([
      "(;B[aa](;W[bb])(;W[cc])(;W[dd](;B[ee])(;C[x];B[ff])))",
      ["ERR_PLACE 1:24", "ERR_PLACE 1:38"],
    ]);
  });

  it("lose characters out of place, values without a name and names without a value", () => {
    expect(leniently("(;B[aa],\u{1F600} W[bb];[cc] KO ;C[x])")).toEqual([
      "(;B[aa]W[bb];;C[x])",
      ["ERR_PLACE 1:8", "ERR_PLACE 1:18", "ERR_VALUE 1:23"],
    ]);
  });

  it("may have names of small letters only", () => {
    expect(leniently("(;gm[1]Size[9]black[aa])")).toEqual([
      "(;GM[1]S[9]BLACK[aa])",
      ["ERR_NAME 1:3", "ERR_NAME 1:15"],
    ]);
  });

  it("may have brackets in their texts, where nothing else is possible", () => {
    const text = "(;C[see [1] and [2]\n:-];PB[x[9d]]B[aa])";
    expect(leniently(text)).toEqual([
      "(;C[see [1\\] and [2\\]:-];PB[x[9d\\]]B[aa])",
      ["ERR_BRACKET 1:11", "ERR_BRACKET 1:19", "ERR_BRACKET 2:12"],
    ]);
    const warnings: SgfWarning[] = [];
    expect(sgfText(readSgfLeniently(text, warnings)[0]!.nodes[0]![0]!.values[0]!)).toBe(
      "see [1] and [2]\n:-",
    );
    // A move is no text, and a property may follow, though here with small letters.
    expect(leniently("(;B[aa] x];C[a] b[c] d])")[0]).toBe("(;B[aa];C[a]B[c])");
  });

  it("end with the text where they are cut off", () => {
    expect(leniently("(;B[aa](;W[bb];C[good")).toEqual([
      "(;B[aa](;W[bb];C[good]))",
      ["ERR_VALUE_END 1:17", "ERR_TREE_END 1:8"],
    ]);
    expect(leniently("(;B[aa];W[b")).toEqual(["(;B[aa];)", ["ERR_VALUE_END 1:10", "ERR_TREE_END 1:1"]]);
    expect(leniently("(;B[aa](")).toEqual(["(;B[aa])", ["ERR_TREE_END 1:8"]]);
    expect(leniently("(;C[a\\")[0]).toBe("(;C[a\\\\])");
  });

  it("report a thousand faults at most", () => {
    const warnings: SgfWarning[] = [];
    readSgfLeniently(`(${";?".repeat(2000)})`, warnings);
    expect(warnings).toHaveLength(1001);
    expect(warnings[1000]!.code).toBe("ERR_MANY");
  });

  it("are read whatever was done to them, and what was read can be written", () => {
    const change = fc.tuple(
      fc.nat(),
      fc.nat(3),
      fc.constantFrom(..."()[];\\:?".split(""), "B", "b", " ", "\n", "]]", "(;", "[[", "x[", "C["),
    );
    fc.assert(
      fc.property(fc.array(sgfTrees, { minLength: 1, maxLength: 2 }), fc.array(change), (games, changes) => {
        let text = writeSgf(games);
        for (const [at, cut, put] of changes) {
          const place = at % (text.length + 1);
          text = text.slice(0, place) + put + text.slice(place + cut);
        }
        let read: SgfTree[];
        try {
          read = readSgfLeniently(text, []);
        } catch (error) {
          expect(error).toBeInstanceOf(SgfInvalid);
          return;
        }
        expect([...readSgf(writeSgf(read))].map(placeless)).toEqual(read.map(placeless));
      }),
      { numRuns: casesOf(300) },
    );
  });
});

describe("files of bytes", () => {
  const latin1 = (text: string): Uint8Array => Buffer.from(text, "latin1");
  /** The charset of a file, its comment, and the codes of its warnings. */
  const read = (bytes: Uint8Array, charset?: string) => {
    const { charset: name, games, warnings } = readSgfCollection(bytes, charset);
    const comment = games[0]!.nodes[0]!.find(({ name }) => name === "C")!.values[0]!;
    return [name, sgfText(comment), ...warnings.map(({ code }) => code)];
  };

  it("are read in the charset that CA names", () => {
    const names: readonly (readonly [string, string, string, string])[] = [
      ["UTF-8", "e69cace59ba0e59d8a", "utf-8", "本因坊"],
      ["gb2312", "cea7c6e5", "gb18030", "围棋"],
      ["GB18030", "95328337c6e5", "gb18030", "\u{2000b}棋"],
      ["Big5", "a5bba65da77b", "big5", "本因坊"],
      ["Shift_JIS", "967b88f69656", "shift_jis", "本因坊"],
      ["EUC-JP", "cbdcb0f8cbb7", "euc-jp", "本因坊"],
      ["ISO-2022-JP", "1b24424b5c30784b371b2842", "iso-2022-jp", "本因坊"],
      ["EUC-KR", "b9d9b5cf", "euc-kr", "바둑"],
      ["cp949", "b9d9b5cf", "euc-kr", "바둑"],
      ["KS_C_5601-1987", "b9d9b5cf", "euc-kr", "바둑"],
      ["ISO-8859-1", "636166e9", "windows-1252", "café"],
      ["ISO 8859-2", "b3f364bc", "iso-8859-2", "łódź"],
      ["windows-1251", "c3ee", "windows-1251", "Го"],
      ["KOI8-R", "e7cf", "koi8-r", "Го"],
    ];
    for (const [label, hex, charset, text] of names) {
      const bytes = Buffer.concat([
        latin1(`(;GM[1]CA[${label}]C[`),
        Buffer.from(hex, "hex"),
        latin1("];B[aa])"),
      ]);
      expect([label, ...read(bytes)]).toEqual([label, charset, text]);
    }
  });

  it("may have a byte order mark, which goes before CA, or be UTF-16 without one", () => {
    const text = "(;GM[1]CA[gb2312]C[碁])";
    const little = Buffer.from(text, "utf16le");
    const big = Buffer.from(little).swap16();
    expect(read(Buffer.from(`\ufeff${text}`))).toEqual(["utf-8", "碁"]);
    expect(read(Buffer.concat([Buffer.of(0xff, 0xfe), little]))).toEqual(["utf-16le", "碁"]);
    expect(read(Buffer.concat([Buffer.of(0xfe, 0xff), big]))).toEqual(["utf-16be", "碁"]);
    expect(read(little)).toEqual(["utf-16le", "碁", "ERR_CHARSET"]);
    expect(read(big)).toEqual(["utf-16be", "碁", "ERR_CHARSET"]);
  });

  it("are UTF-8 where they are valid as such and CA is absent, unknown or contradicted", () => {
    const utf8 = (label: string) => read(Buffer.from(`(;GM[1]${label}C[Gô 碁])`));
    expect(utf8("")).toEqual(["utf-8", "Gô 碁", "ERR_CHARSET"]);
    expect(utf8("CA[klingon]")).toEqual(["utf-8", "Gô 碁", "ERR_CHARSET"]);
    expect(utf8("CA[ISO-8859-1]")).toEqual(["utf-8", "Gô 碁", "ERR_CHARSET"]);
    expect(utf8("CA[Big5]").slice(0, 2)).toEqual(["utf-8", "Gô 碁"]);
    const other = (label: string) => read(latin1(`(;GM[1]${label}C[caf\u00e9])`));
    expect(other("")).toEqual(["windows-1252", "café", "ERR_CHARSET"]);
    expect(other("CA[klingon]")).toEqual(["windows-1252", "café", "ERR_CHARSET"]);
    expect(other("CA[UTF-8]")).toEqual(["utf-8", "caf\ufffd", "ERR_CHARSET"]);
    expect(read(latin1("(;C[plain])"))).toEqual(["windows-1252", "plain"]);
  });

  it("are read in the charset that the caller names", () => {
    const bytes = Buffer.concat([latin1("(;CA[UTF-8]C["), Buffer.from("bbc6", "hex"), latin1("])")]);
    expect(read(bytes, "GBK")).toEqual(["gb18030", "黄"]);
    expect(() => readSgfCollection(bytes, "klingon")).toThrow("the charset klingon is not known");
  });

  it("may have double-byte characters with a bracket or a backslash in them, escaped between the bytes or not", () => {
    const big5 = (hex: string) =>
      read(Buffer.concat([latin1("(;CA[Big5]C["), Buffer.from(hex, "hex"), latin1("];B[aa])")]));
    // 因 is a6 5d, 功 is a5 5c.
    expect(big5("a5bba65da77b")).toEqual(["big5", "本因坊"]);
    expect(big5("a5bba65c5da77b")).toEqual(["big5", "本因坊", "ERR_CHARSET"]);
    expect(big5("a55c20")).toEqual(["big5", "功 "]);
    expect(big5("a55ca55c5ca65c5da77b")).toEqual(["big5", "功功因坊", "ERR_CHARSET"]);
  });
});
