/**
 * CRC-32C of bytes: polynomial 0x1EDC6F41 (Castagnoli 1993), bit-reversed, start and final inversion as in RFC 3720, B.4.
 *
 * `previous` continues from the checksum of the bytes before: `crc32c(b, crc32c(a))` is the checksum of a then b.
 */
export function crc32c(bytes: Uint8Array, previous = 0): number {
  let crc = ~previous;
  const length = bytes.length;
  let i = 0;
  // Eight bytes a round, with a table for each place ("slicing by 8", Kounavis and Berry 2008): four times as fast as one.
  for (; i + 8 <= length; i += 8) {
    const low = crc ^ (bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24));
    crc =
      table[0x700 | (low & 255)]! ^
      table[0x600 | ((low >>> 8) & 255)]! ^
      table[0x500 | ((low >>> 16) & 255)]! ^
      table[0x400 | (low >>> 24)]! ^
      table[0x300 | bytes[i + 4]!]! ^
      table[0x200 | bytes[i + 5]!]! ^
      table[0x100 | bytes[i + 6]!]! ^
      table[bytes[i + 7]!]!;
  }
  for (; i < length; i++) crc = table[(crc ^ bytes[i]!) & 255]! ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** Row k, column b: the remainder of byte b followed by k zero bytes. */
const table = new Int32Array(8 * 256);
for (let b = 0; b < 256; b++) {
  let crc = b;
  for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0x82f63b78 : 0);
  table[b] = crc;
}
for (let i = 256; i < table.length; i++) {
  const before = table[i - 256]!;
  table[i] = table[before & 255]! ^ (before >>> 8);
}
