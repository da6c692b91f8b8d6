import { children, isNode, parsed, type Node } from "./syntax.ts";

/** A part of a source that runs as a whole: a block, a branch, the body of a function, or the module. */
export interface Region {
  readonly start: number;
  readonly end: number;
}

/** The environment variable with the file in which a test's processes and threads write the regions that they enter. */
export const COVERAGE_FILE = "LUDOFLOW_MUTATION_COVERAGE";

/** The regions of a source, the module first. */
export function regionsOf(file: string, text: string): Region[] {
  return partsOf(file, text).map(({ start, end }) => ({ start, end }));
}

/** The index of the smallest region that a place lies in. */
export function regionAt(regions: readonly Region[], at: number): number {
  let best = 0;
  for (const [i, { start, end }] of regions.entries())
    if (start <= at && at < end && end - start <= regions[best]!.end - regions[best]!.start) best = i;
  return best;
}

/**
 * The source with marks: on entering a region for the first time, a thread writes the region's number, counted from
 * `first`, as a line of the file that `COVERAGE_FILE` names. Lines stay where they are.
 */
export function withMarks(file: string, text: string, first: number): string {
  const edits: { readonly at: number; readonly order: number; readonly text: string }[] = [];
  for (const [i, { kind, start, end }] of partsOf(file, text).entries()) {
    const mark = `__hit(${first + i})`;
    const add = (at: number, order: number, piece: string) => edits.push({ at, order, text: piece });
    if (kind === "module") add(start, 0, `${marker}${mark};`);
    else if (kind === "block") add(start + 1, i, `${mark};`);
    else if (kind === "case") add(start, i, `${mark};`);
    else if (kind === "statement") {
      add(start, i, `{${mark};`);
      add(end, -i, "}");
    } else {
      add(start, i, `(${mark},`);
      add(end, -i, ")");
    }
  }
  let marked = "";
  let from = 0;
  for (const edit of edits.toSorted((a, b) => a.at - b.at || a.order - b.order)) {
    marked += text.slice(from, edit.at) + edit.text;
    from = edit.at;
  }
  return marked + text.slice(from);
}

/** Defines `__hit` in front of a module, in one line. */
const marker =
  "const __hit = (globalThis.__ludoflowHit ??= (() => { const seen = new Uint8Array(1 << 16); " +
  `const file = process.env.${COVERAGE_FILE}; return (i) => { if (seen[i] === 0) { seen[i] = 1; ` +
  'if (file) process.getBuiltinModule("node:fs").appendFileSync(file, i + "\\n"); } }; })());';

/** Statements with a statement of their own that need not run. */
const branching = new Set([
  "IfStatement",
  "ForStatement",
  "ForOfStatement",
  "ForInStatement",
  "WhileStatement",
]);

interface Part extends Region {
  readonly kind: "module" | "block" | "statement" | "expression" | "case";
}

function partsOf(file: string, text: string): Part[] {
  const parts: Part[] = [{ kind: "module", start: 0, end: text.length }];
  const visit = (node: Node) => {
    if (node.type === "BlockStatement") parts.push({ kind: "block", start: node.start, end: node.end });
    if (node.type === "ArrowFunctionExpression" && node["expression"] === true)
      parts.push({ kind: "expression", ...spanOf(node["body"] as Node) });
    if (node.type === "SwitchCase") {
      const run = node["consequent"] as Node[];
      if (run.length > 0) parts.push({ kind: "case", start: run[0]!.start, end: node.end });
    }
    for (const field of ["consequent", "alternate", "body"]) {
      const branch = node[field];
      if (branching.has(node.type) && isNode(branch) && branch.type !== "BlockStatement")
        parts.push({ kind: "statement", ...spanOf(branch) });
    }
    for (const child of children(node)) visit(child);
  };
  visit(parsed(file, text));
  return parts;
}

function spanOf({ start, end }: Node): Region {
  return { start, end };
}
