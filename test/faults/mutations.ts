import type { Random } from "../../src/random.ts";

/** Numbers at which programs go wrong. */
const NUMBERS = [
  "0",
  "-1",
  "1",
  "2",
  "255",
  "256",
  "65536",
  "2147483648",
  "9007199254740993",
  "1e308",
  "-0",
  "NaN",
  "0.5",
];
/** Words at which programs go wrong. */
const WORDS = [
  "",
  "null",
  "true",
  "[]",
  "{}",
  "__proto__",
  "constructor",
  "toString",
  "é",
  "\u{1F600}",
  "\0",
  "x".repeat(2000),
];

/** One of a list. */
export function oneOf<T>(list: readonly T[], random: Random): T {
  return list[random.below(list.length)]!;
}

/**
 * A changed copy of some bytes: bits turned, bytes put in, taken out, doubled or exchanged, digits in place of others, zeros in
 * place of a part, the end cut off.
 */
export function mutatedBytes(bytes: Uint8Array, random: Random): Uint8Array {
  const at = random.below(bytes.length);
  const length = 1 + random.below(Math.min(64, bytes.length - at));
  const [before, part, after] = [
    bytes.subarray(0, at),
    bytes.subarray(at, at + length),
    bytes.subarray(at + length),
  ];
  const changes: (() => Uint8Array[])[] = [
    () => [before, Uint8Array.of(part[0]! ^ (1 << random.below(8))), part.subarray(1), after],
    () => [before, Uint8Array.from(part, () => random.below(256)), after],
    () => [before, Uint8Array.from(part, () => 48 + random.below(10)), after],
    () => [before, after],
    () => [before, part, part, after],
    () => [before, new Uint8Array(length), after],
    () => [before],
    () => [after, before, part],
  ];
  return Buffer.concat(oneOf(changes, random)());
}

/** A changed copy of a line: its bytes, or a word of it, in whose place comes a word of another line, a number or nonsense. */
export function mutatedLine(line: string, others: readonly string[], random: Random): string {
  let changed = line;
  for (let times = 1 + random.below(3); times > 0; times--) {
    const words = changed.match(/[\w.+-]+|[^\w.+-]/gu) ?? [];
    const at = random.below(words.length + 1);
    const theirs = oneOf(others, random).match(/[\w.+-]+/gu) ?? [""];
    const put = oneOf([...theirs, oneOf(NUMBERS, random), oneOf(WORDS, random)], random);
    const kind = random.below(6);
    if (kind === 0 && changed !== "")
      changed = Buffer.from(mutatedBytes(Buffer.from(changed), random)).toString("utf8");
    else if (kind === 1) words.splice(at, 1);
    else if (kind === 2) words.splice(at, 0, ` ${put} `);
    else words.splice(at, 1, put);
    if (kind !== 0) changed = words.join("");
  }
  return changed.replaceAll("\n", " ");
}

/** A map or a list of a file. */
export type Tree = Record<string, unknown> | unknown[];

/** A changed copy of a tree: values exchanged with those of others, taken out, or replaced. */
export function changedTree(tree: Tree, others: readonly Tree[], random: Random): Tree {
  const changed = structuredClone(tree);
  for (let times = 1 + random.below(3); times > 0; times--) {
    const places = [...placesIn(changed)];
    const theirs = [...placesIn(oneOf(others, random))];
    if (places.length === 0 || theirs.length === 0) continue;
    const { parent: at, key } = oneOf(places, random);
    const same = theirs.filter((each) => each.key === key);
    const found = oneOf(same.length > 0 && random.below(3) > 0 ? same : theirs, random);
    const value = structuredClone(found.parent[found.key]);
    const changes: (() => void)[] = [
      () => void (at[key] = value),
      () => void (at[key] = value),
      () => (Array.isArray(at) ? void at.splice(Number(key), 1) : void delete at[key]),
      () =>
        void (at[key] = oneOf([0, 1, 2, 3, 7, 0.5, 1e-9, -1, 1e9, 2 ** 53, true, "", null, [], {}], random)),
      () => void (at[found.key] = value),
      () => void (typeof at[key] === "number" && (at[key] = Math.max(1, Math.floor(at[key] / 2)))),
    ];
    oneOf(changes, random)();
  }
  return changed;
}

/** A value in a tree: what it stands in, and its key or its place there. */
export interface Place {
  readonly parent: Record<string, unknown>;
  readonly key: string;
}

/** All values in a tree. */
export function* placesIn(tree: unknown): Generator<Place> {
  if (typeof tree !== "object" || tree === null) return;
  for (const key of Object.keys(tree)) {
    yield { parent: tree as Record<string, unknown>, key };
    yield* placesIn((tree as Record<string, unknown>)[key]);
  }
}

/** What the messages of an engine say where a program has a mistake of its own; a program says this only where it quotes. */
export const INTERNAL =
  /Cannot (?:read|set|access|convert|destructure|mix)|is not (?:a function|iterable|defined|a constructor|extensible)|\bundefined\b|\bNaN\b|Invalid (?:array|typed array|count|string) |Maximum call stack|out of bounds|offset|object Object/;
