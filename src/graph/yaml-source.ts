import { readFileSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import { isPlainMap } from "../formats/plain-map.ts";
import { counted } from "../messages/counted.ts";
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

type Tree = Record<string, unknown>;

/** The one key that JavaScript objects do not treat as data. */
const PROTOTYPE = "__proto__";
const noPrototype = `no key can be called ${PROTOTYPE}`;

/** Mistakes of YAML that are told: what is no YAML has thousands, and one mistake can cause many. */
const MOST_MISTAKES = 10;

/** Most bytes of a file. Those that come with ludoflow have some thousands. */
const LARGEST_FILE = 16 << 20;
/** Most maps and lists in each other. */
const DEEPEST = 100;
const tooDeep = `maps and lists are nested too deeply; at most ${DEEPEST} levels are read`;

/** How YAML is read. Keys that are given twice are found by `walk`, in linear time. */
const READING = { prettyErrors: false, uniqueKeys: false } as const;

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
export function readSource(file: string, overrides: readonly string[] = [], folder = "."): Source {
  const places = new Map<string, Place>();
  const value = readChain(file, undefined, [], places);
  for (const override of overrides) applyOverride(value, override, { file, folder, places });
  return { file, value, places };
}

function readChain(
  file: string,
  from: { place: Place; path: string } | undefined,
  chain: readonly string[],
  places: Map<string, Place>,
): Tree {
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
    const { size } = statSync(file);
    if (size > LARGEST_FILE)
      return fail(
        `"${file}" has ${Math.round(size / 2 ** 20)} MiB; an experiment file has at most ${LARGEST_FILE / 2 ** 20} MiB`,
      );
    text = new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ERR_ENCODING_INVALID_ENCODED_DATA")
      return fail(`"${file}" is no text in UTF-8; give the path of an experiment file`);
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
    places,
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
  const document = parseDocument(text, { ...READING, lineCounter: lines });
  const at = (offset: number) => {
    const position = lines.linePos(offset);
    return { line: position.line, column: position.col };
  };
  // The parser reads what is nested by recursion, and then meets one mistake after the other.
  const deep = document.errors.findIndex(({ message }) => message.includes("call stack"));
  const errors = deep < 0 ? document.errors : document.errors.slice(0, deep + 1);
  const problems: Problem[] = errors.slice(0, MOST_MISTAKES).map((error) => ({
    file,
    ...at(error.pos[0]),
    path: "",
    message: yamlMistake(error),
  }));
  const more = errors.slice(MOST_MISTAKES);
  if (more.length > 0)
    problems.push({
      file,
      ...at(more[0]!.pos[0]),
      path: "",
      message: `and ${counted(more.length, "more mistake")}; is this a YAML file?`,
    });
  if (problems.length === 0 && !isMap(document.contents))
    problems.push({
      file,
      line: 1,
      column: 1,
      path: "",
      message: "expected a map of keys and values at the top",
    });
  if (problems.length > 0) throw new ExperimentInvalid(problems);
  const walk = (node: Node | null, pointer: string, depth = 0): void => {
    if (depth > DEEPEST) {
      const place = at(node?.range?.[0] ?? 0);
      throw new ExperimentInvalid([{ file, ...place, path: "", message: tooDeep }]);
    }
    if (isMap(node)) {
      const names = new Set<string>();
      for (const pair of node.items) {
        const key = at((pair.key as Node | null)?.range?.[0] ?? 0);
        const name = keyName(pair.key, document);
        const wrong =
          name === undefined
            ? "a key is a text or a number"
            : names.has(name)
              ? `the key "${name}" is given twice`
              : name === PROTOTYPE
                ? noPrototype
                : undefined;
        if (wrong !== undefined) {
          problems.push({ file, ...key, path: "", message: wrong });
          continue;
        }
        names.add(name!);
        const child = pair.value as Node | null;
        const below = `${pointer}/${escapePointer(name!)}`;
        places.set(below, { file, folder, key, value: child?.range ? at(child.range[0]) : key });
        walk(child, below, depth + 1);
      }
    } else if (isSeq(node))
      for (const [index, item] of node.items.entries()) {
        const child = item as Node;
        const value = at(child.range?.[0] ?? 0);
        places.set(`${pointer}/${index}`, { file, folder, key: value, value });
        walk(child, `${pointer}/${index}`, depth + 1);
      }
  };
  walk(document.contents, "");
  if (problems.length > 0) throw new ExperimentInvalid(problems);
  try {
    return asData(document.toJS({ mapAsMap: true })) as Tree;
  } catch (error) {
    // An alias without its anchor, or aliases that expand without bound.
    throw new ExperimentInvalid([
      { file, line: 1, column: 1, path: "", message: `YAML: ${(error as Error).message}` },
    ]);
  }
}

/** The text of a key, also of one that an alias stands for; undefined where it is no scalar. */
function keyName(key: unknown, document: Document): string | undefined {
  const node = isAlias(key) ? key.resolve(document) : key;
  if (!isScalar(node)) return undefined;
  const { value } = node;
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : undefined;
}

/** Maps as objects without a prototype, so that a name such as `constructor` is found only where a file gives it. */
function asData(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asData);
  if (!(value instanceof Map)) return value;
  const tree = Object.create(null) as Tree;
  for (const [key, item] of value as Map<unknown, unknown>) {
    if (key === PROTOTYPE) throw new Error(noPrototype);
    tree[String(key)] = asData(item);
  }
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

/** The mistake in the YAML, in one line. */
function yamlMistake({ code, message }: { readonly code?: string; readonly message: string }): string {
  if (message.includes("call stack")) return tooDeep;
  if (code === "MULTIPLE_DOCS") return "a second YAML document begins here; a file holds one experiment";
  return `YAML: ${message.split("\n")[0]!.replace(/:$/, "")}`;
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
  if (path.includes(PROTOTYPE)) return fail(noPrototype);
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
  const document = parseDocument(text, READING);
  const mistake = document.errors[0];
  if (mistake?.code === "MULTIPLE_DOCS") return fail("the value is more than one YAML document");
  if (mistake !== undefined)
    return fail(`the value is not YAML: ${yamlMistake(mistake).replace("YAML: ", "")}`);
  try {
    return asData(document.toJS({ mapAsMap: true }));
  } catch (error) {
    return fail(`the value is not YAML: ${(error as Error).message}`);
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
    : fail(`"${part}" is no place in a list of ${list.length}; places count from 0`);
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
