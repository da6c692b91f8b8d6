import { expect, it } from "vitest";
import { decodePacket, encodePacket, PacketInvalid } from "../../../src/fleet/wire/packet.ts";

const packet = {
  data: { numbers: [-0, NaN, -Infinity, 0.1, 5e-324], text: "ß", flag: true, none: null },
  parts: { one: Uint8Array.of(1, 2, 3), empty: new Uint8Array(0) },
};

it("gives back every number bit by bit, and its parts as copies", () => {
  const bytes = encodePacket(packet);
  // As a client of the network gives it: a part of a larger buffer.
  const within = Buffer.concat([Buffer.from([9, 9, 9]), bytes]).subarray(3);
  const { data, parts } = decodePacket(within);
  expect(data).toEqual(packet.data);
  expect(Object.is((data as typeof packet.data).numbers[0], -0)).toBe(true);
  expect(parts).toEqual(packet.parts);
  within.fill(0);
  expect(parts["one"]).toEqual(Uint8Array.of(1, 2, 3));
  expect(parts["one"]!.buffer.byteLength).toBe(3);
});

it("refuses what is cut off, too long, or no message at all", () => {
  const bytes = encodePacket(packet);
  for (let length = 0; length < bytes.length; length++)
    expect(() => decodePacket(bytes.subarray(0, length)), String(length)).toThrow(PacketInvalid);
  expect(() => decodePacket(Buffer.concat([bytes, Buffer.from([0])]))).toThrow(PacketInvalid);
  for (const text of ["", "no message", "\u0002\u0000\u0000\u0000{}", "\u0004\u0000\u0000\u0000[[]]"])
    expect(() => decodePacket(Buffer.from(text)), text).toThrow(PacketInvalid);
});
