import { isAscii, isUtf8 } from "node:buffer";
import { SgfInvalid, type SgfWarning, warn } from "./faults.ts";
import { readSgfLeniently, readSgfOneByOne, type SgfReading } from "./reader.ts";
import type { SgfGame } from "./sgf.ts";

/** What a file holds: its games, and everything in it that is not as the format wants it. */
export interface SgfCollection {
  readonly games: readonly SgfGame[];
  /** The charset that the bytes were read as, by its name in the Encoding Standard. */
  readonly charset: string;
  /** At most about a thousand. Those of the charset come first, at line 1, column 1. */
  readonly warnings: readonly SgfWarning[];
}

/**
 * Reads a file leniently (`readSgfLeniently`), in the charset that its property CA names, or in `charset`, if the
 * caller knows better.
 *
 * A byte order mark goes before CA. Without CA, with an unknown one, and if the bytes contradict it, valid UTF-8 is
 * taken as such, and other bytes are read as FF[4] has it (ISO-8859-1 is the default). The bytes of ISO-8859-1 are
 * those of its superset windows-1252, and GB2312 and GBK are read as GB18030, as browsers do. Some programs escape the
 * second bytes of double-byte characters; that is found out and undone.
 *
 * Throws SgfInvalid for a file without any game; RangeError for a `charset` that is unknown.
 */
export function readSgfCollection(source: Uint8Array | string, charset?: string): SgfCollection {
  if (typeof source === "string") {
    const warnings: SgfWarning[] = [];
    return { games: readSgfLeniently(source, warnings), charset: "utf-8", warnings };
  }
  let best: (SgfCollection & { readonly faults: number }) | undefined;
  for (const reading of readings(source, charset)) {
    const read = readAs(reading);
    if (best === undefined || read.faults < best.faults) best = read;
    if (read.faults === 0) break;
  }
  const { charset: encoding, games, warnings } = best!;
  return { charset: encoding, games, warnings };
}

/**
 * Reads the games of a file one by one, in its charset as `readSgfCollection` finds it and with `readSgfOneByOne`. Throws
 * SgfInvalid for a file without any game.
 */
export function* readSgfGames(bytes: Uint8Array, mostParts: number): Generator<SgfReading, void, undefined> {
  const ways = [...readings(bytes, undefined)];
  const texts = ways.map(
    (way) => () => readSgfOneByOne(new TextDecoder(way.encoding).decode(way.bytes), mostParts),
  );
  let best = texts[0]!;
  let fewest = texts.length === 1 ? 0 : faultsOf(best);
  for (const text of texts.slice(1)) {
    if (fewest === 0) break;
    const faults = faultsOf(text);
    if (faults < fewest) [best, fewest] = [text, faults];
  }
  yield* best();
}

function faultsOf(games: () => Iterable<SgfReading>): number {
  let faults = 0;
  for (const { game, warnings } of games()) faults += warnings.length + (game instanceof SgfInvalid ? 1 : 0);
  return faults;
}

/** A way to read a file; `doubts` say how it differs from what the file says. */
interface Reading {
  readonly bytes: Uint8Array;
  /** A name of the Encoding Standard. */
  readonly encoding: string;
  readonly doubts: readonly string[];
}

/** The ways to read a file, the likeliest first. The next one is tried if games read in one way have faults. */
function* readings(bytes: Uint8Array, charset: string | undefined): Generator<Reading, void, undefined> {
  const first = charset === undefined ? ofFile(bytes) : ofCaller(bytes, charset);
  yield first;
  const { doubts, encoding } = first;
  if (!DOUBLE_BYTE.has(encoding)) return;
  const unescaped = withoutByteEscapes(bytes, encoding);
  const escapes = "backslashes between the bytes of double-byte characters are removed";
  if (unescaped.length < bytes.length) yield { bytes: unescaped, encoding, doubts: [...doubts, escapes] };
  const why = `read as UTF-8, which the bytes are; as ${encoding} they have faults`;
  if (charset === undefined && isUtf8(bytes)) yield { bytes, encoding: "utf-8", doubts: [why] };
}

function readAs({ bytes, encoding, doubts }: Reading): SgfCollection & { readonly faults: number } {
  const warnings: SgfWarning[] = [];
  for (const doubt of doubts) warn(warnings, "ERR_CHARSET", { line: 1, column: 1 }, doubt);
  const games = readSgfLeniently(new TextDecoder(encoding).decode(bytes), warnings);
  return { games, charset: encoding, warnings, faults: warnings.length - doubts.length };
}

function ofCaller(bytes: Uint8Array, charset: string): Reading {
  const encoding = encodingOf(charset);
  if (encoding === undefined) throw new RangeError(`the charset ${charset} is not known`);
  return { bytes, encoding, doubts: [] };
}

/** As what a file says of itself and its bytes have it. */
function ofFile(bytes: Uint8Array): Reading {
  const marked = MARKS.find(([mark]) => mark.every((byte, index) => bytes[index] === byte));
  if (marked !== undefined) return { bytes, encoding: marked[1], doubts: [] };
  // Two bytes a character, and no mark: of "(" one byte is 0.
  if (bytes[1] === 0 || (bytes[0] === 0 && bytes.length > 1)) {
    const encoding = bytes[1] === 0 ? "utf-16le" : "utf-16be";
    return { bytes, encoding, doubts: [`no byte order mark; read as ${encoding}, by its zero bytes`] };
  }
  const label = CA.exec(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1"))?.[1];
  const named = label === undefined ? undefined : encodingOf(label);
  const utf8 = !isAscii(bytes) && isUtf8(bytes);
  // In a charset of single bytes every sequence of bytes is a text, but hardly one that is valid UTF-8 by chance.
  if (named !== undefined && !(utf8 && SINGLE_BYTE.test(named)) && isSound(bytes, named))
    return { bytes, encoding: named, doubts: [] };
  const says = label === undefined ? "no charset (CA) is named" : `CA[${label}]`;
  if (utf8) return { bytes, encoding: "utf-8", doubts: [`${says}; read as UTF-8, which the bytes are`] };
  if (named !== undefined) {
    const doubt = `${says}, but some bytes are not of this charset; read as U+FFFD`;
    return { bytes, encoding: named, doubts: [doubt] };
  }
  if (isAscii(bytes)) return { bytes, encoding: "windows-1252", doubts: [] };
  const why = label === undefined ? says : `${says} is not known`;
  // Short names in GBK, Shift_JIS and EUC-KR are often valid in all three, so a guess would be wrong too often.
  const doubt = `${why}; read as ISO-8859-1, the default of the format; if names come out wrong, put the charset into the first node of the file, such as CA[GBK], CA[Shift_JIS] or CA[EUC-KR]`;
  return { bytes, encoding: "windows-1252", doubts: [doubt] };
}

const MARKS: readonly (readonly [readonly number[], string])[] = [
  [[0xef, 0xbb, 0xbf], "utf-8"],
  [[0xff, 0xfe], "utf-16le"],
  [[0xfe, 0xff], "utf-16be"],
];

/** The property CA among bytes read as Latin-1; what is long or has an escape is no name of a charset. */
const CA = /(?<=[\];(\s])CA\s{0,9}\[([^\]\\]{0,40})\]/;

/** Charsets of one byte a character. */
const SINGLE_BYTE = /^(?:iso-8859|windows|koi8|macintosh|x-mac|ibm866)/;

/** Charsets whose second bytes may be those of a backslash and of a bracket. */
const DOUBLE_BYTE = new Set(["gb18030", "big5", "shift_jis", "euc-kr"]);

/** Names in files that the Encoding Standard does not have. */
const ALIASES: Readonly<Record<string, string>> = {
  "euc-cn": "gb18030",
  cp936: "gb18030",
  ms936: "gb18030",
  "windows-936": "gb18030",
  cp932: "shift_jis",
  cp949: "euc-kr",
  ms949: "euc-kr",
  uhc: "euc-kr",
  euckr: "euc-kr",
  cp950: "big5",
  "windows-950": "big5",
  eucjp: "euc-jp",
  "latin-1": "iso-8859-1",
};

/** The name that the Encoding Standard has for a charset that a file names; undefined for an unknown one. */
function encodingOf(label: string): string | undefined {
  const name = label.trim().toLowerCase();
  for (const each of [name, name.replaceAll(/[_\s]+/g, "-")])
    try {
      const { encoding } = new TextDecoder(ALIASES[each] ?? each);
      return encoding === "gbk" ? "gb18030" : encoding;
    } catch {
      // Not a label: the next form is tried.
    }
  return undefined;
}

/** Whether bytes are a text of a charset. */
function isSound(bytes: Uint8Array, encoding: string): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Removes the backslash after the first byte of a character if the second byte is that of a backslash or a bracket. */
function withoutByteEscapes(bytes: Uint8Array, encoding: string): Uint8Array {
  const isFirst = (byte: number): boolean =>
    byte > 0x80 && !(encoding === "shift_jis" && byte > 0x9f && byte < 0xe0);
  const kept = new Uint8Array(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    kept[length++] = byte;
    if (!isFirst(byte) || at + 1 === bytes.length) continue;
    const next = bytes[at + 2];
    if (bytes[at + 1] === 0x5c && (next === 0x5c || next === 0x5d)) at++;
    kept[length++] = bytes[++at]!;
  }
  return kept.subarray(0, length);
}
