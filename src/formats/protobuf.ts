/** What a field of a message holds. Whole numbers are `int64`, from -2^53 to 2^53; lists of them are packed. */
export type FieldKind = "int" | "float" | "double" | "string" | "bytes" | (() => MessageFields);

/** The fields of a kind of message by name, in the order of their numbers. */
export type MessageFields = Readonly<Record<string, readonly [number: number, kind: FieldKind]>>;

/**
 * A message in the encoding of Protocol Buffers: its own fields that have a value, in the order of their numbers. A field with a
 * list is repeated. Bytes are copied once, however deep they are.
 *
 * Source: Protocol Buffers, "Encoding".
 */
export function encodeMessage(message: object, fields: MessageFields): Uint8Array {
  const parts = partsOf(message, fields);
  const bytes = new Uint8Array(lengthOf(parts));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

const VARINT = 0;
const FIXED_64 = 1;
const LENGTH = 2;
const FIXED_32 = 5;

const utf8 = new TextEncoder();

function partsOf(message: object, fields: MessageFields): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (const [name, [number, kind]] of Object.entries(fields)) {
    const value = (message as Readonly<Record<string, unknown>>)[name];
    if (value === undefined || value === null) continue;
    if (!Array.isArray(value)) addField(parts, number, kind, value);
    else if (kind === "int") {
      const packed = value.map((each) => varint(each as number));
      if (packed.length > 0) addPart(parts, number, packed);
    } else for (const each of value) addField(parts, number, kind, each);
  }
  return parts;
}

function addField(parts: Uint8Array[], number: number, kind: FieldKind, value: unknown): void {
  if (typeof kind === "function") addPart(parts, number, partsOf(value as object, kind()));
  else if (kind === "string") addPart(parts, number, [utf8.encode(value as string)]);
  else if (kind === "bytes") addPart(parts, number, [value as Uint8Array]);
  else if (kind === "int") parts.push(key(number, VARINT), varint(value as number));
  else {
    const isFloat = kind === "float";
    const bytes = new DataView(new ArrayBuffer(isFloat ? 4 : 8));
    if (isFloat) bytes.setFloat32(0, value as number, true);
    else bytes.setFloat64(0, value as number, true);
    parts.push(key(number, isFloat ? FIXED_32 : FIXED_64), new Uint8Array(bytes.buffer));
  }
}

/** Adds a field whose length comes before it. */
function addPart(parts: Uint8Array[], number: number, content: readonly Uint8Array[]): void {
  parts.push(key(number, LENGTH), varint(lengthOf(content)));
  for (const part of content) parts.push(part);
}

function lengthOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}

function key(number: number, wireType: number): Uint8Array {
  return varint(number * 8 + wireType);
}

/** Seven bits a byte, the lowest first. A negative number is that of 64 bits in two's complement. */
function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  if (value < 0) {
    let rest = BigInt.asUintN(64, BigInt(value));
    for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
    bytes.push(Number(rest));
  } else {
    let rest = value;
    for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
    bytes.push(rest);
  }
  return Uint8Array.from(bytes);
}
