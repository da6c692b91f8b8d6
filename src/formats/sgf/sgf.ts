/**
 * Collections of games in the Smart Game Format, whatever the game: trees of nodes, nodes of properties, properties of
 * values.
 *
 * The meaning of properties, and of compressed lists of points, belongs to the games. Source: A. Hollosi, "SGF File
 * Format FF[4]", section 2 (EBNF), https://www.red-bean.com/sgf/.
 */

/** A property as a writer gives it. */
export interface SgfProperty {
  /** Letters and digits: `GM`, `AB`. */
  readonly name: string;
  /**
   * At least one, as written between brackets, with their escapes: see `sgfText`, `sgfSimpleText`, `sgfCompose` and
   * `sgfEscape`.
   */
  readonly values: readonly string[];
}

/** A place in a text. Lines end with a line feed; lines and columns are counted from 1, columns in UTF-16 units. */
export interface SgfPlace {
  readonly line: number;
  readonly column: number;
}

/** A property as a reader finds it, with the place of its name. */
export interface SgfFoundProperty extends SgfProperty, SgfPlace {}

/** The properties of a node in their order. A name may come twice, as the text has it. */
export type SgfNode<P extends SgfProperty = SgfProperty> = readonly P[];

/** A game tree: a sequence of nodes, and the variations that follow its last one. */
export interface SgfTree<P extends SgfProperty = SgfProperty> {
  /** At least one. */
  readonly nodes: readonly SgfNode<P>[];
  /** None, or several by the format; a single one is read and written all the same. */
  readonly variations: readonly SgfTree<P>[];
}

/** A game tree as a reader finds it. */
export type SgfGame = SgfTree<SgfFoundProperty>;

/** The nodes of the main line: those of the tree, then those of the first variation at every fork. */
export function sgfMainLine<P extends SgfProperty>(tree: SgfTree<P>): SgfNode<P>[] {
  const nodes: SgfNode<P>[] = [];
  for (let at: SgfTree<P> | undefined = tree; at !== undefined; at = at.variations[0])
    for (const node of at.nodes) nodes.push(node);
  return nodes;
}

/** The number of variations at all forks beyond the first of each. */
export function sgfSideLines(tree: SgfTree): number {
  let count = 0;
  const open = [tree];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    count += Math.max(0, at.variations.length - 1);
    for (const variation of at.variations) open.push(variation);
  }
  return count;
}

/** A line of a tree: the nodes from its root to a node without variations. */
export interface SgfLine<P extends SgfProperty = SgfProperty> {
  readonly nodes: readonly SgfNode<P>[];
  /** The number of its first nodes that are those of the line before; 0 for the main line. */
  readonly shared: number;
}

/**
 * All lines of a tree, the main line first, in the order of the text. Lines are made one by one: together they may be as
 * long as the square of the text.
 */
export function* sgfLines<P extends SgfProperty>(tree: SgfTree<P>): Generator<SgfLine<P>, void, undefined> {
  let nodes: SgfNode<P>[] = [];
  let shared = 0;
  const open = [{ tree, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.depth < nodes.length) {
      nodes = nodes.slice(0, next.depth);
      shared = next.depth;
    }
    for (const node of next.tree.nodes) nodes.push(node);
    for (const variation of next.tree.variations.toReversed())
      open.push({ tree: variation, depth: nodes.length });
    if (next.tree.variations.length === 0) yield { nodes, shared };
  }
}

/**
 * Writes a collection, a node a line. Throws RangeError for a tree without a node, a property without a value, a name
 * that is not of letters and digits, and a value with a bracket that is not escaped.
 */
export function writeSgf(games: Iterable<SgfTree>): string {
  const written: string[] = [];
  const open: (SgfTree | ")")[] = [];
  for (const game of games) {
    open.push(game);
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (next === ")") {
        written.push(")\n");
        continue;
      }
      if (next.nodes.length === 0) throw new RangeError("a game tree has at least one node");
      written.push("(", next.nodes.map(nodeText).join("\n"), "\n");
      open.push(")");
      for (const variation of next.variations.toReversed()) open.push(variation);
    }
  }
  return written.join("");
}

function nodeText(node: SgfNode): string {
  return `;${node.map(propertyText).join("")}`;
}

function propertyText({ name, values }: SgfProperty): string {
  if (!/^[A-Za-z0-9]+$/.test(name)) throw new RangeError(`"${name}" is no name of an SGF property`);
  if (values.length === 0) throw new RangeError(`property ${name} has no value`);
  for (const value of values)
    if (!endsAsWritten(value)) throw new RangeError(`a value of property ${name} is not escaped: "${value}"`);
  return `${name}${values.map((value) => `[${value}]`).join("")}`;
}

/** Whether a raw value ends with the bracket that is written after it, not before, nor later. */
function endsAsWritten(raw: string): boolean {
  for (let i = 0; i < raw.length; i++) {
    if (raw[i] === "]") return false;
    if (raw[i] === "\\" && ++i === raw.length) return false;
  }
  return true;
}
