import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { crc32c } from "../../src/formats/crc32c.ts";

describe("crc32c", () => {
  // RFC 3720, appendix B.4 (its bytes are in the order of transmission, low byte first), and the check value of the
  // catalogue of parametrised CRC algorithms, CRC-32/ISCSI.
  it.each([
    ["32 zeros", new Uint8Array(32), 0x8a9136aa],
    ["32 ones", new Uint8Array(32).fill(0xff), 0x62a8ab43],
    ["increasing", Uint8Array.from({ length: 32 }, (_, i) => i), 0x46dd794e],
    ["decreasing", Uint8Array.from({ length: 32 }, (_, i) => 31 - i), 0x113fdb5c],
    ["123456789", new TextEncoder().encode("123456789"), 0xe3069283],
    ["nothing", new Uint8Array(0), 0],
  ])("has the published value of %s", (_, bytes, sum) => expect(crc32c(bytes)).toBe(sum));

  it("agrees with division bit by bit, and can be continued at any byte", () => {
    const slow = (bytes: Uint8Array) => {
      let crc = 0xffffffff;
      for (const byte of bytes) {
        crc ^= byte;
        for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0x82f63b78 : 0);
      }
      return ~crc >>> 0;
    };
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 70 }), fc.nat(70), (bytes, cut) => {
        expect(crc32c(bytes)).toBe(slow(bytes));
        expect(crc32c(bytes.subarray(cut), crc32c(bytes.subarray(0, cut)))).toBe(slow(bytes));
      }),
    );
  });
});
