import {
  type Alias,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  type Node,
  parseDocument,
  Scalar,
  type ToJSOptions,
  type YAMLError,
  type YAMLMap,
} from "yaml";
import { MOST_LEVELS, TOO_DEEP } from "./nesting.ts";

/** A mistake in a text in YAML. */
export interface YamlMistake {
  /** Its place: the number of UTF-16 code units before it. */
  readonly offset: number;
  /** Begins with `YAML: ` if the text is not YAML at all. */
  readonly message: string;
}

/** A text is not YAML, or is YAML that ludoflow does not read. The message is that of the first mistake, on one line. */
export class YamlInvalid extends Error {
  readonly _tag = "YamlInvalid";
  readonly mistakes: readonly YamlMistake[];

  constructor(mistakes: readonly YamlMistake[]) {
    super(mistakes[0]!.message);
    this.name = "YamlInvalid";
    this.mistakes = mistakes;
  }
}

/** The one key that JavaScript objects do not treat as data. */
export const PROTOTYPE = "__proto__";
/** What is wrong with it. */
export const NO_PROTOTYPE = `no key can be called ${PROTOTYPE}`;

/**
 * Reads a text in YAML that a user has written. All that is read from users in YAML passes here.
 *
 * In the document every key is a text or a number and occurs once in its map, no alias is within its own anchor, and maps
 * and lists are nested at most `MOST_LEVELS` deep, aliases included. Throws YamlInvalid.
 */
export function parseYaml(text: string, lineCounter = new LineCounter()): Document.Parsed {
  const otherVersion = otherVersionOf(text);
  if (otherVersion !== undefined) {
    // Callers that ask for places find the line.
    for (let at = 0; at >= 0 && at <= otherVersion.offset; at = text.indexOf("\n", at) + 1 || -1)
      lineCounter.addNewLine(at);
    throw new YamlInvalid([otherVersion]);
  }
  // `Walk` finds keys that are given twice, in linear time.
  const document = parseDocument(text, { lineCounter, prettyErrors: false, uniqueKeys: false });
  // The parser reads nested values by recursion; once its stack is used up, all further mistakes follow from that.
  const deep = document.errors.findIndex(isStackUsedUp);
  const errors = deep < 0 ? document.errors : document.errors.slice(0, deep + 1);
  const mistakes =
    errors.length > 0
      ? errors.map((error) => ({ offset: error.pos[0], message: grammarMistake(error) }))
      : new Walk(document.contents).mistakes;
  if (mistakes.length > 0) throw new YamlInvalid(mistakes);
  return document;
}

/** The line that asks for another version of YAML than 1.2, in which numbers and words mean something else. */
function otherVersionOf(text: string): YamlMistake | undefined {
  // Directives come before the document, among comments and empty lines.
  for (let offset = 0; offset >= 0 && offset < text.length; offset = text.indexOf("\n", offset) + 1 || -1) {
    const end = text.indexOf("\n", offset);
    const line = text.slice(offset, end < 0 ? undefined : end).replace(/^\uFEFF/, "");
    const version = /^%YAML[ \t]+(\S+)/.exec(line)?.[1];
    if (version !== undefined)
      return version === "1.2"
        ? undefined
        : {
            offset,
            message: `YAML: %YAML ${version} asks for another version than 1.2, which is read here: in 1.1, 010 is 8, and yes, no, on and off are no texts; leave this line out, or write %YAML 1.2`,
          };
    if (!/^%|^\s*(?:#|$)/.test(line)) return undefined;
  }
  return undefined;
}

/** The content of a document. Throws YamlInvalid if its aliases repeat too much. */
export function yamlContent(document: Document.Parsed, options?: ToJSOptions): unknown {
  try {
    return document.toJS(options);
  } catch (error) {
    throw new YamlInvalid([{ offset: 0, message: `YAML: ${(error as Error).message}` }]);
  }
}

/** The value of a text in YAML. Throws YamlInvalid. */
export function yamlValue(text: string): unknown {
  return yamlContent(parseYaml(text));
}

/** A mistake that the parser has found, in one line. */
function grammarMistake(error: YAMLError): string {
  if (isStackUsedUp(error)) return TOO_DEEP;
  if (error.code === "MULTIPLE_DOCS") return "a second YAML document begins here; only one is read";
  return `YAML: ${error.message.split("\n")[0]!.replace(/:$/, "")}`;
}

function isStackUsedUp({ message }: Error): boolean {
  return message.includes("call stack");
}

/** Looks at all nodes of a document, in the order of the text. */
class Walk {
  readonly mistakes: YamlMistake[] = [];
  /** The last node so far of each anchor. */
  readonly #anchors = new Map<string, Node>();
  /** By node with an anchor: its number of maps and lists in each other. Absent while the walk is inside the node. */
  readonly #levels = new Map<Node, number>();

  constructor(node: Node | null) {
    this.#node(node, 0);
  }

  /** Looks at a node inside this number of maps and lists; returns how many are in each other from it on. */
  #node(node: Node | null, around: number): number {
    if (isAlias(node)) {
      const target = this.#anchors.get(node.source);
      if (target === undefined) return this.#wrong(node, `the alias *${node.source} has no anchor before it`);
      const levels = this.#levels.get(target);
      if (levels === undefined)
        return this.#wrong(node, `the alias *${node.source} is within its own anchor &${node.source}`);
      return around + levels > MOST_LEVELS ? this.#wrong(node, TOO_DEEP) : levels;
    }
    const anchor = isScalar(node) || isCollection(node) ? node.anchor : undefined;
    if (anchor !== undefined) this.#anchors.set(anchor, node!);
    const levels = isCollection(node) ? this.#collection(node, around) : 0;
    if (anchor !== undefined) this.#levels.set(node!, levels);
    return levels;
  }

  #collection(node: Node, around: number): number {
    if (around >= MOST_LEVELS) return this.#wrong(node, TOO_DEEP);
    let below = 0;
    if (isMap(node)) {
      const names = new Set<string>();
      for (const pair of node.items) {
        this.#key(pair, names, node);
        below = Math.max(below, this.#node(pair.value as Node | null, around + 1));
      }
    } else if (isCollection(node))
      for (const item of node.items) below = Math.max(below, this.#node(item as Node, around + 1));
    return 1 + below;
  }

  #key(pair: YAMLMap["items"][number], names: Set<string>, map: Node): void {
    if (isAlias(pair.key)) pair.key = this.#keyBehind(pair.key);
    const key = isNode(pair.key) ? pair.key : map;
    if (isScalar(key) && key.anchor !== undefined) {
      this.#anchors.set(key.anchor, key);
      this.#levels.set(key, 0);
    }
    const name = keyName(pair.key);
    if (name === undefined) this.#wrong(key, "a key is a text or a number");
    else if (names.has(name)) this.#wrong(key, `the key "${name}" is given twice`);
    else if (name === PROTOTYPE) this.#wrong(key, NO_PROTOTYPE);
    else names.add(name);
  }

  /** The key that an alias names. In the document it replaces the alias: its text is found without the anchor. */
  #keyBehind(alias: Alias): Scalar {
    const target = this.#anchors.get(alias.source);
    const key = new Scalar(isScalar(target) ? target.value : undefined);
    if (alias.range) key.range = alias.range;
    return key;
  }

  /** Notes a mistake at a node; returns 0, the levels of a node that is not looked into. */
  #wrong(node: Node, message: string): number {
    this.mistakes.push({ offset: node.range?.[0] ?? 0, message });
    return 0;
  }
}

/** The text of a key; undefined if it is no scalar. */
export function keyName(key: unknown): string | undefined {
  const value = isScalar(key) ? key.value : undefined;
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : undefined;
}
