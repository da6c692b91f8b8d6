/** A message that is damaged, or that no ludoflow of this version has sent. */
export class PacketInvalid extends Error {
  constructor(message: string) {
    super(message);
    this.name = "PacketInvalid";
  }
}

/** A message: plain data, and bytes by name. */
export interface Packet {
  readonly data: unknown;
  readonly parts: Readonly<Record<string, Uint8Array>>;
}

const HEAD = 4;

/**
 * The bytes of a message: the length of its head as uint32, little-endian; the head as JSON; the parts one after another.
 * Numbers come back bit by bit: those that JSON has no words for (-0, infinities, NaN) are written as `{"#": "-0"}`.
 */
export function encodePacket({ data, parts }: Packet): Uint8Array<ArrayBuffer> {
  const entries = Object.entries(parts);
  const head = new TextEncoder().encode(
    JSON.stringify([data, entries.map(([name, bytes]) => [name, bytes.length])], writeNumber),
  );
  const size = HEAD + head.length + entries.reduce((sum, [, { length }]) => sum + length, 0);
  const packet = new Uint8Array(size);
  new DataView(packet.buffer).setUint32(0, head.length, true);
  packet.set(head, HEAD);
  let at = HEAD + head.length;
  for (const [, bytes] of entries) {
    packet.set(bytes, at);
    at += bytes.length;
  }
  return packet;
}

/** Reads a message; its parts are copies. Throws PacketInvalid. */
export function decodePacket(packet: Uint8Array): Packet {
  if (packet.length < HEAD) throw new PacketInvalid("it is cut off");
  const length = new DataView(packet.buffer, packet.byteOffset).getUint32(0, true);
  if (HEAD + length > packet.length) throw new PacketInvalid("it is cut off");
  let head: unknown;
  try {
    head = JSON.parse(new TextDecoder().decode(packet.subarray(HEAD, HEAD + length)), readNumber);
  } catch {
    throw new PacketInvalid("its head is no JSON");
  }
  if (!Array.isArray(head) || head.length !== 2 || !Array.isArray(head[1]))
    throw new PacketInvalid("its head has another form");
  const [data, named] = head as [unknown, unknown[]];
  const parts: Record<string, Uint8Array> = {};
  let at = HEAD + length;
  for (const entry of named) {
    const [name, size] = Array.isArray(entry) ? (entry as unknown[]) : [];
    if (typeof name !== "string" || !Number.isSafeInteger(size) || (size as number) < 0)
      throw new PacketInvalid("its head has another form");
    // Not slice: of a Buffer it is no copy.
    parts[name] = new Uint8Array(packet.subarray(at, at + (size as number)));
    at += size as number;
  }
  if (at !== packet.length) throw new PacketInvalid("its length is not what its head says");
  return { data, parts };
}

function writeNumber(_key: string, value: unknown): unknown {
  if (typeof value !== "number" || (Number.isFinite(value) && !Object.is(value, -0))) return value;
  return { "#": Object.is(value, -0) ? "-0" : String(value) };
}

function readNumber(_key: string, value: unknown): unknown {
  const special = (Object(value) as { readonly "#"?: unknown })["#"];
  return typeof special === "string" ? Number(special) : value;
}
