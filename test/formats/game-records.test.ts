import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FileCorrupt } from "../../src/formats/files/file-corrupt.ts";
import { decodeGameRecord, encodeGameRecord, type GameRecord } from "../../src/formats/game-records.ts";

const record: GameRecord = {
  game: 300,
  generation: 2,
  seats: ["é"],
  actions: [0, 127, 128],
  values: Float32Array.of(1),
  returns: [4],
  facts: { maxTile: 8 },
};

const float64 = (value: number) => [...new Uint8Array(Float64Array.of(value).buffer)];

describe("game records", () => {
  it("have the documented layout", () => {
    const parts = [
      [0xac, 0x02], // game 300
      [2], // generation
      [1, 2, 0xc3, 0xa9], // one seat, two bytes of UTF-8
      [3, 0, 127, 0x80, 0x01], // actions
      [4, 1, 0, 0, 0x80, 0x3f], // one value of 4 bytes
      [1, ...float64(4)],
      [1, 7, ...Buffer.from("maxTile"), ...float64(8)],
    ];
    expect([...encodeGameRecord(record)]).toEqual(parts.flat());
  });

  it("come back as they were", () => {
    const integer = fc.nat({ max: Number.MAX_SAFE_INTEGER });
    const action = fc.nat({ max: 0x7fffffff });
    fc.assert(
      fc.property(
        fc.record({
          game: integer,
          generation: integer,
          seats: fc.array(fc.string({ unit: "grapheme" })),
          actions: fc.array(action).map((list) => Int32Array.from(list)),
          values: fc.oneof(fc.float32Array(), fc.float64Array()),
          returns: fc.array(fc.double()),
          facts: fc.dictionary(fc.string(), fc.double()),
          told: fc.option(fc.record({ seat: fc.nat(), message: fc.string({ unit: "grapheme" }) }), {
            nil: undefined,
          }),
          how: fc.constantFrom("failure", "dispute", "resigned"),
        }),
        ({ how, told, ...rest }) => {
          const game = {
            ...rest,
            ...(told === undefined ? {} : { [how]: how === "resigned" ? told.seat : told }),
          };
          const back = decodeGameRecord(encodeGameRecord(game), "x");
          expect({ ...back, facts: { ...back.facts } }).toEqual({ ...game, facts: { ...game.facts } });
        },
      ),
    );
  });

  it("are equal bytes whatever the order of facts", () => {
    const a = encodeGameRecord({ ...record, facts: { x: 1, y: 2 } });
    expect(encodeGameRecord({ ...record, facts: { y: 2, x: 1 } })).toEqual(a);
  });

  it("notice being cut anywhere, or longer than they say", () => {
    const bytes = encodeGameRecord(record);
    for (let length = 0; length < bytes.length; length++)
      expect(() => decodeGameRecord(bytes.subarray(0, length), "games.log")).toThrow(FileCorrupt);
    // What comes after the facts tells of a failure.
    expect(() => decodeGameRecord(Uint8Array.of(...bytes, 0), "games.log")).toThrow(FileCorrupt);
    const failed = encodeGameRecord({ ...record, failure: { seat: 0, message: "é" } });
    expect([...failed]).toEqual([...bytes, 0, 2, 0xc3, 0xa9]);
    expect(() => decodeGameRecord(Uint8Array.of(...failed, 0), "games.log")).toThrow("an unknown mark");
    const disputed = encodeGameRecord({ ...record, dispute: { seat: 0, message: "é" } });
    expect([...disputed]).toEqual([...failed, 1]);
    expect(() => decodeGameRecord(Uint8Array.of(...disputed, 0), "games.log")).toThrow("1 bytes too many");
  });

  it("never take more memory than the bytes promise", () => {
    // Ten values promised in a record of few bytes, then two to the fifty.
    expect(() => decodeGameRecord(Uint8Array.of(0, 0, 0, 0, 8, 10), "x")).toThrow("promises 10 items");
    const huge = [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x02];
    expect(() => decodeGameRecord(Uint8Array.of(0, 0, 0, ...huge), "x")).toThrow(FileCorrupt);
    expect(() => decodeGameRecord(Uint8Array.of(0, 0, 0, 0, 8, 0, 0, 0, ...huge), "x")).toThrow(FileCorrupt);
  });

  it("refuse an action beyond 2^31, a number written longer than it need be, and values of no known width", () => {
    const upTo = [0, 0, 0, 1];
    expect(() => decodeGameRecord(Uint8Array.of(...upTo, 0x80, 0x80, 0x80, 0x80, 0x08), "x")).toThrow(
      "2147483648",
    );
    expect(() => decodeGameRecord(Uint8Array.of(...upTo, 0x80, 0x00), "x")).toThrow("longer than it need be");
    expect(() => decodeGameRecord(Uint8Array.of(0, 0, 0, 0, 2, 0), "x")).toThrow("numbers of 2 bytes");
  });

  it("refuse what is no action", () => {
    expect(() => encodeGameRecord({ ...record, actions: [-1] })).toThrow(RangeError);
  });
});
