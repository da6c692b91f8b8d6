import { parseSync } from "vite";

/** A node of the syntax tree (ESTree with TypeScript): its type, its place in the text, and its fields. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** The syntax tree of a TypeScript source; places count UTF-16 units. */
export function parsed(file: string, text: string): Node {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new SyntaxError(`${file}: ${errors[0]!.message}`);
  return program as unknown as Node;
}

/** TypeScript's expressions around an expression that runs; all its other nodes are types. */
const wrappers = new Set(["TSAsExpression", "TSNonNullExpression", "TSSatisfiesExpression"]);

/** The nodes directly below a node that run: no types, no names of properties. */
export function children(node: Node): Node[] {
  const below: Node[] = [];
  for (const [field, value] of Object.entries(node)) {
    if (field === "key" && node["computed"] !== true) continue;
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value])
      if (isNode(child) && (!child.type.startsWith("TS") || wrappers.has(child.type))) below.push(child);
  }
  return below;
}

/** Whether the value of a field is a node. */
export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}
