import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gtpResponse, parseGtpResponse, parseGtpCommand, plain } from "../../../src/protocols/gtp/text.ts";

describe("commands", () => {
  it("are read as the specification says: number, name, arguments; comments and control characters dropped", () => {
    expect(parseGtpCommand("name")).toEqual({ name: "name", args: [], text: "" });
    expect(parseGtpCommand("12 play b d4")).toEqual({
      id: "12",
      name: "play",
      args: ["b", "d4"],
      text: "b d4",
    });
    expect(parseGtpCommand(" \t3\tkomi  5.5\t# Japanese\r")).toEqual({
      id: "3",
      name: "komi",
      args: ["5.5"],
      text: "5.5",
    });
    expect(parseGtpCommand("na\u0007me\u007f")).toEqual({ name: "name", args: [], text: "" });
    // A number is one only in the first place, and only where it is a number through and through.
    expect(parseGtpCommand("3d 4")).toEqual({ name: "3d", args: ["4"], text: "4" });
    expect(parseGtpCommand("12")).toEqual({ id: "12", name: "", args: [], text: "" });
  });

  it("keep the text of their arguments; a comment does not begin between double quotes", () => {
    for (const [line, text] of [
      ["loadsgf  my  games/no 1.sgf \t# the first", "my  games/no 1.sgf"],
      ['7 loadsgf "no #1.sgf" 5 # "fifth"', '"no #1.sgf" 5'],
      ['loadsgf 7" board.sgf # seven inches', '7" board.sgf'],
    ] as const)
      expect(parseGtpCommand(line)?.text).toBe(text);
    expect(parseGtpCommand('loadsgf "a  b" 3')!.args).toEqual(['"a', 'b"', "3"]);
  });

  it("are none where nothing is left of a line", () => {
    for (const line of ["", "   ", "\t\r", "# name", "  #", "\u0000"])
      expect(parseGtpCommand(line)).toBe(undefined);
  });
});

describe("responses", () => {
  it("begin with the state and the number and end with the only empty line", () => {
    expect(gtpResponse(true, "7", "d4")).toBe("=7 d4\n\n");
    expect(gtpResponse(true, undefined, "")).toBe("= \n\n");
    expect(gtpResponse(false, undefined, "illegal move")).toBe("? illegal move\n\n");
    expect(gtpResponse(true, "1", "\na \n\n\nb\n")).toBe("=1 \na\nb\n\n");
  });

  it("are distinguished from other text", () => {
    expect(parseGtpResponse("=")).toEqual({ ok: true, id: "", text: "" });
    expect(parseGtpResponse("=12 d4 e5")).toEqual({ ok: true, id: "12", text: "d4 e5" });
    expect(parseGtpResponse("?3 unknown command")).toEqual({ ok: false, id: "3", text: "unknown command" });
    for (const line of ["", " = d4", "d4", "!", "=d4", "12 = d4"])
      expect(parseGtpResponse(line)).toBe(undefined);
  });

  it("come back as they were given, whatever lines they have", () => {
    const line = fc.string().map((text) => plain(text).trim());
    fc.assert(
      fc.property(
        fc.boolean(),
        fc.option(fc.nat().map(String), { nil: undefined }),
        fc.array(line),
        (ok, id, lines) => {
          const response = gtpResponse(ok, id, lines.join("\n"));
          expect(response.endsWith("\n\n")).toBe(true);
          const [first, ...rest] = response.slice(0, -2).split("\n");
          expect(rest).toEqual(lines.slice(1).filter((each) => each !== ""));
          expect(parseGtpResponse(first!)).toEqual({ ok, id: id ?? "", text: lines[0] ?? "" });
        },
      ),
    );
  });
});
