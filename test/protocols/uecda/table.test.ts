import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  cell,
  helloTable,
  newTable,
  numberBytes,
  numberOfBytes,
  readHello,
  readStatus,
  tableBytes,
  tableOfBytes,
  type UecdaStatus,
  writeStatus,
} from "../../../src/protocols/uecda/table.ts";

const uint32 = fc.integer({ min: 0, max: 2 ** 32 - 1 });

describe("tables on the wire", () => {
  it("are 480 bytes, row by row, each number from its highest byte on", () => {
    const table = newTable();
    table[cell(1, 2)] = 0x01020304;
    const bytes = tableBytes(table);
    expect(bytes.length).toBe(480);
    expect([...bytes.subarray(4 * 17, 4 * 18)]).toEqual([1, 2, 3, 4]);
    expect(bytes.reduce((sum, byte) => sum + byte, 0)).toBe(10);
  });

  it("come back as they were, wherever they lie in a buffer", () => {
    fc.assert(
      fc.property(fc.array(uint32, { minLength: 120, maxLength: 120 }), fc.nat(9), (numbers, offset) => {
        const table = Uint32Array.from(numbers);
        const buffer = new Uint8Array(480 + offset);
        buffer.set(tableBytes(table), offset);
        expect(tableOfBytes(buffer.subarray(offset))).toEqual(table);
      }),
    );
  });

  it("are not fewer bytes, nor more", () => {
    expect(() => tableOfBytes(new Uint8Array(479))).toThrow(/480 bytes/);
    expect(() => tableOfBytes(new Uint8Array(481))).toThrow(/480 bytes/);
  });

  it("have numbers beside them, what is below 0 as 0", () => {
    fc.assert(fc.property(uint32, (number) => numberOfBytes(numberBytes(number)) === number));
    expect([...numberBytes(-1)]).toEqual([0, 0, 0, 0]);
    expect([...numberBytes(9)]).toEqual([0, 0, 0, 9]);
  });
});

describe("what tables say besides cards", () => {
  it("names the protocol and the client", () => {
    const hello = helloTable("ludoflow");
    expect([hello[0], hello[15], hello[22], hello[23]]).toEqual([20070, 108, 119, 0]);
    expect(readHello(hello)).toEqual({ protocol: 20070, name: "ludoflow" });
    expect(readHello(helloTable("a".repeat(20))).name).toBe("a".repeat(15));
    hello[16] = 7;
    hello[17] = 0x3042;
    expect(readHello(hello).name).toBe("l??oflow");
  });

  it("keeps the state of the game in its places", () => {
    const status: UecdaStatus = {
      dealing: false,
      returns: 2,
      yourTurn: true,
      player: 3,
      empty: false,
      jackBack: true,
      revolution: true,
      lock: true,
      counts: [11, 10, 9, 8, 7],
      ranks: [4, 3, 2, 1, 0],
      seats: [2, 0, 4, 1, 3],
    };
    const table = newTable();
    writeStatus(table, status);
    expect([...table.subarray(75, 83)]).toEqual([0, 2, 1, 3, 0, 1, 1, 1]);
    expect([...table.subarray(90, 105)]).toEqual([11, 10, 9, 8, 7, 4, 3, 2, 1, 0, 2, 0, 4, 1, 3]);
    expect(readStatus(table)).toEqual(status);
  });
});
