import { dirname, isAbsolute, join, resolve } from "node:path";
import { getHeapStatistics } from "node:v8";
import { isMap, isSeq, LineCounter, type Node } from "yaml";
import { readBounded } from "../formats/files/bounded-file.ts";
import { isPlainMap } from "../formats/plain-map.ts";
import {
  keyName,
  NO_PROTOTYPE,
  parseYaml,
  PROTOTYPE,
  yamlContent,
  YamlInvalid,
} from "../formats/yaml-document.ts";
import { ExperimentInvalid, type Problem } from "./problem.ts";
import { shippedOr } from "./shipped-files.ts";

/** The places of a key and of its value. */
export interface Place {
  readonly file: string;
  /** The folder that paths are relative to: that of the file; for `--set` the working directory of the command. */
  readonly folder: string;
  readonly key: { readonly line: number; readonly column: number };
  readonly value: { readonly line: number; readonly column: number };
}

/** A value read from YAML, with `extends` merged and overrides applied, and the places of all its parts. */
export interface Source {
  /** The requested file, as given. */
  readonly file: string;
  readonly value: Record<string, unknown>;
  /** Places by JSON pointer: `/graph/weights/batch`. */
  readonly places: ReadonlyMap<string, Place>;
}

/** A source with the text of every file that it was read from, by path: the file, and those that it extends. */
export interface ReadSource extends Source {
  readonly texts: ReadonlyMap<string, string>;
}

type Tree = Record<string, unknown>;

/** Most bytes of a file. Those that come with ludoflow have some thousands. */
export const LARGEST_FILE = 16 << 20;

/** Bytes of the heap that a byte of YAML takes at most while it is read: of short keys and numbers, 100 to 150 were measured. */
const HEAP_FOR_BYTE = 150;

/** What V8 keeps of the heap for new objects, if the heap has room for it. */
const NEW_OBJECTS = 192 << 20;

/**
 * Reads an experiment file.
 *
 * `extends: base.yaml` (relative to the file that says it, or the name of an experiment of this package; chains are allowed,
 * circles are not) takes everything from the base file; maps are merged key by key, all else is replaced, and `key: null` removes a key. A map
 * whose `use` or `rules` differs from the base's replaces the base's as a whole, since its settings belong to
 * another thing. What a file says of itself for people (`description`, `smaller`, `cost`) is not taken. `overrides` are `path=value` texts, the value in YAML: `graph.learn.games=500`; `folder` is
 * the working directory that their paths are relative to.
 *
 * Throws ExperimentInvalid for a missing file, YAML errors and malformed overrides.
 */
export function readSource(file: string, overrides: readonly string[] = [], folder = "."): ReadSource {
  const places = new Map<string, Place>();
  const texts = new Map<string, string>();
  const value = readChain(file, undefined, [], { places, texts });
  for (const override of overrides) applyOverride(value, override, { file, folder, places });
  return { file, value, places, texts };
}

function readChain(
  file: string,
  from: { place: Place; path: string } | undefined,
  chain: readonly string[],
  read: { readonly places: Map<string, Place>; readonly texts: Map<string, string> },
): Tree {
  const { places, texts } = read;
  const fail = (message: string): never => {
    const at = from?.place.value ?? { line: 0, column: 0 };
    throw new ExperimentInvalid([
      { file: from?.place.file ?? file, ...at, path: from === undefined ? "" : "extends", message },
    ]);
  };
  const absolute = resolve(file);
  if (chain.includes(absolute))
    fail(`"${file}" extends itself, by way of ${chain.length} file(s); break the circle`);
  let text: string;
  try {
    const bytes = readBounded(file, LARGEST_FILE);
    const heap = roomForYaml();
    if (bytes.length > heap / HEAP_FOR_BYTE)
      return fail(
        `"${file}" has ${mebibytes(bytes.length)} MiB, and a heap of ${mebibytes(heap)} MiB has room for ${mebibytes(heap / HEAP_FOR_BYTE)} MiB of YAML; raise --max-old-space-size (NODE_OPTIONS)`,
      );
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof ExperimentInvalid) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ERR_ENCODING_INVALID_ENCODED_DATA")
      return fail(`"${file}" is not text in UTF-8; give the path of an experiment file`);
    return fail(
      code === "ENOENT"
        ? `no such file "${file}"; give the path of an experiment file${from === undefined ? "" : ", or the name of one that comes with ludoflow"}`
        : code === "EISDIR"
          ? `"${file}" is a folder; give the path of an experiment file`
          : code === "EACCES"
            ? `"${file}" may not be read by you; allow it (chmod u+r) or give another file`
            : `"${file}" cannot be read: ${(error as Error).message}`,
    );
  }
  texts.set(file, text);
  const own = new Map<string, Place>();
  const tree = parse(file, text, own);
  const base = tree["extends"];
  delete tree["extends"];
  if (base === undefined) {
    for (const [pointer, place] of own) places.set(pointer, place);
    return tree;
  }
  const place = own.get("/extends")!;
  if (typeof base !== "string")
    throw new ExperimentInvalid([
      { file, ...place.value, path: "extends", message: "expected the path of the file to extend" },
    ]);
  const inherited = readChain(
    shippedOr(isAbsolute(base) ? base : join(dirname(file), base), base),
    { place, path: base },
    [...chain, absolute],
    read,
  );
  // A file that builds on this one shows something else, at another scale.
  for (const key of ["description", "smaller", "cost"]) {
    delete inherited[key];
    forget(`/${key}`, places);
  }
  return merge(inherited, tree, own, places);
}

function parse(file: string, text: string, places: Map<string, Place>): Tree {
  const lines = new LineCounter();
  const folder = dirname(file);
  const at = (offset: number) => {
    const position = lines.linePos(offset);
    return { line: position.line, column: position.col };
  };
  const problem = (offset: number, message: string): Problem => ({ file, ...at(offset), path: "", message });
  const walk = (node: Node | null, pointer: string): void => {
    if (isMap(node))
      for (const pair of node.items) {
        const key = at((pair.key as Node).range?.[0] ?? 0);
        const child = pair.value as Node | null;
        const below = `${pointer}/${escapePointer(keyName(pair.key)!)}`;
        places.set(below, { file, folder, key, value: child?.range ? at(child.range[0]) : key });
        walk(child, below);
      }
    else if (isSeq(node))
      for (const [index, item] of node.items.entries()) {
        const child = item as Node;
        const value = at(child.range?.[0] ?? 0);
        places.set(`${pointer}/${index}`, { file, folder, key: value, value });
        walk(child, `${pointer}/${index}`);
      }
  };
  try {
    const document = parseYaml(text, lines);
    if (!isMap(document.contents))
      throw new ExperimentInvalid([problem(0, "expected a map of keys and values at the top")]);
    walk(document.contents, "");
    return asData(yamlContent(document, { mapAsMap: true })) as Tree;
  } catch (error) {
    if (!(error instanceof YamlInvalid)) throw error;
    throw new ExperimentInvalid(error.mistakes.map(({ message, offset }) => problem(offset, message)));
  }
}

/** Bytes of the heap that are there for what stays in it. */
function roomForYaml(): number {
  const { heap_size_limit: limit } = getHeapStatistics();
  return Math.max(limit - NEW_OBJECTS, limit / 4);
}

const mebibytes = (bytes: number) => (bytes / 2 ** 20).toFixed(1);

/** Maps as objects without a prototype, so that a name such as `constructor` is found only if a file gives it. */
function asData(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asData);
  if (!(value instanceof Map)) return value;
  const tree = Object.create(null) as Tree;
  for (const [key, item] of value as Map<unknown, unknown>) tree[String(key)] = asData(item);
  return tree;
}

/** A copy of what `readSource` gives, which has no prototypes either. */
export function copyOfData<T>(value: T): T {
  if (Array.isArray(value)) return value.map(copyOfData) as T;
  if (!isTree(value)) return value;
  const copy = Object.create(null) as Tree;
  for (const [key, item] of Object.entries(value)) copy[key] = copyOfData(item);
  return copy as T;
}

/** `over` laid on `base`, which it may change; places follow the values. Takes time linear in both. */
function merge(base: Tree, over: Tree, from: ReadonlyMap<string, Place>, places: Map<string, Place>): Tree {
  const replaced = new Set<string>();
  const merged = new Set<string>();
  const lay = (below: Tree, above: Tree, pointer: string): void => {
    for (const [key, value] of Object.entries(above)) {
      const here = `${pointer}/${escapePointer(key)}`;
      const before = below[key];
      if (isTree(value) && isTree(before) && sameKind(before, value)) {
        merged.add(here);
        lay(before, value, here);
        continue;
      }
      replaced.add(here);
      if (value === null) delete below[key];
      else below[key] = value;
    }
  };
  lay(base, over, "");
  for (const at of places.keys()) if (isWithin(at, replaced)) places.delete(at);
  for (const [at, place] of from) if (merged.has(at) || isWithin(at, replaced)) places.set(at, place);
  return base;
}

/** Whether a pointer is one of these, or below one of them. */
function isWithin(pointer: string, pointers: ReadonlySet<string>): boolean {
  for (let end = pointer.length; end > 0; end = pointer.lastIndexOf("/", end - 1))
    if (pointers.has(pointer.slice(0, end))) return true;
  return false;
}

function applyOverride(
  tree: Tree,
  override: string,
  {
    file,
    folder,
    places,
  }: { readonly file: string; readonly folder: string; readonly places: Map<string, Place> },
): void {
  const fail = (message: string): never => {
    throw new ExperimentInvalid([{ file: `--set ${override}`, line: 0, column: 0, path: "", message }]);
  };
  const equals = override.indexOf("=");
  const path = override.slice(0, equals).split(".");
  if (equals <= 0 || path.some((part) => part === ""))
    return fail(`expected path=value, as in graph.learn.games=500`);
  if (path.includes(PROTOTYPE)) return fail(NO_PROTOTYPE);
  const value = overrideValue(override.slice(equals + 1), fail);
  const start = { line: 0, column: 0 };
  const mark = (depth: number) => {
    const pointer = path.slice(0, depth).map((part) => `/${escapePointer(part)}`);
    forget(pointer.join(""), places);
    places.set(pointer.join(""), { file: `--set ${override}`, folder, key: start, value: start });
  };
  let at: Tree | unknown[] = tree;
  for (const [depth, part] of path.slice(0, -1).entries()) {
    if (!Array.isArray(at) && !Object.hasOwn(at, part)) {
      at[part] = Object.create(null);
      mark(depth + 1);
    }
    const next: unknown = Array.isArray(at) ? at[listIndex(at, part, at.length - 1, fail)] : at[part];
    if (!isTree(next) && !Array.isArray(next))
      return fail(`"${path.slice(0, depth + 1).join(".")}" is not a map or list in ${file}`);
    at = next;
  }
  const last = path.at(-1)!;
  if (Array.isArray(at)) {
    const index = listIndex(at, last, at.length, fail);
    if (value === null) at.splice(index, 1);
    else at[index] = value;
  } else if (value === null) delete at[last];
  else at[last] = value;
  mark(path.length);
}

function overrideValue(text: string, fail: (message: string) => never): unknown {
  try {
    return asData(yamlContent(parseYaml(text), { mapAsMap: true }));
  } catch (error) {
    if (!(error instanceof YamlInvalid)) throw error;
    return fail(error.message.replace(/^YAML: /, "the value is not YAML: "));
  }
}

/** A place in a list; the one after its end may be given a value. */
function listIndex(
  list: readonly unknown[],
  part: string,
  most: number,
  fail: (message: string) => never,
): number {
  const index = Number(part);
  return /^\d+$/.test(part) && index <= most
    ? index
    : fail(`"${part}" is not a place in a list of ${list.length}; places count from 0`);
}

function forget(pointer: string, places: Map<string, Place>): void {
  for (const at of places.keys()) if (at === pointer || at.startsWith(`${pointer}/`)) places.delete(at);
}

function sameKind(a: Tree, b: Tree): boolean {
  return ["use", "rules"].every((key) => b[key] === undefined || a[key] === b[key]);
}

function isTree(value: unknown): value is Tree {
  return isPlainMap(value);
}

/** A key as a part of a JSON pointer (RFC 6901). */
export function escapePointer(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
