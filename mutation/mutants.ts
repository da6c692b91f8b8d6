import { children, isNode, parsed, type Node } from "./syntax.ts";

/** One small fault: a piece of a source that is replaced by another. */
export interface Mutant {
  readonly file: string;
  /** Line and column of its beginning, from 1. */
  readonly line: number;
  readonly column: number;
  /** The piece of the text, by UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly operator: string;
  readonly original: string;
  readonly replacement: string;
}

type Change = Pick<Mutant, "start" | "end" | "operator" | "replacement">;

/** What one operator of an expression is replaced by. */
const operators: Readonly<Record<string, readonly string[]>> = {
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
  "%": ["*"],
  "**": ["*"],
  "&": ["|"],
  "|": ["&"],
  "^": ["&"],
  "<<": [">>"],
  ">>": ["<<"],
  ">>>": ["<<"],
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "===": ["!=="],
  "!==": ["==="],
  "&&": ["||"],
  "||": ["&&"],
  "+=": ["-="],
  "-=": ["+="],
  "*=": ["/="],
  "/=": ["*="],
  "%=": ["*="],
  "&=": ["|="],
  "|=": ["&="],
  "^=": ["&="],
  "<<=": [">>="],
  ">>=": ["<<="],
  ">>>=": ["<<="],
  "??=": ["="],
};

const comparisons = new Set(["<", "<=", ">", ">=", "===", "!=="]);

/** Functions of `Math` by what takes their place. */
const functions: Readonly<Record<string, string>> = {
  min: "max",
  max: "min",
  floor: "ceil",
  ceil: "floor",
  round: "floor",
  trunc: "ceil",
};

/** Methods by what takes their place; null: the call goes, its object stays. */
const methods: Readonly<Record<string, string | null>> = {
  every: "some",
  some: "every",
  startsWith: "endsWith",
  endsWith: "startsWith",
  filter: null,
  slice: null,
  sort: null,
  toSorted: null,
  reverse: null,
  toReversed: null,
};

/** Statements of one of these expressions can be left out. */
const effects = new Set(["AssignmentExpression", "CallExpression", "UpdateExpression"]);

/** Nothing in them is changed: names of modules, and what errors say. */
const kept = new Set(["ImportDeclaration", "ExportAllDeclaration", "ThrowStatement"]);

/**
 * The mutants of a source, by site: the alternatives at one node of its syntax. Comments, texts, types, imports and
 * what is thrown stay as they are.
 */
export function mutantsOf(file: string, text: string): Mutant[][] {
  const sites: Mutant[][] = [];
  const lines = [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
  const place = (at: number) => {
    const line = lines.findLastIndex((begin) => begin <= at);
    return { line: line + 1, column: at - lines[line]! + 1 };
  };
  walk(parsed(file, text), text, undefined, (changes) => {
    if (changes.length === 0) return;
    sites.push(
      changes.map((change) => ({
        file,
        ...place(change.start),
        ...change,
        original: text.slice(change.start, change.end),
      })),
    );
  });
  return sites;
}

/** The text with a mutant in it. */
export function withMutant(text: string, { start, end, original, replacement }: Mutant): string {
  if (text.slice(start, end) !== original)
    throw new Error("the source has changed since its mutants were listed");
  return text.slice(0, start) + replacement + text.slice(end);
}

/** Calls `take` with the changes at each node; `returns` is the type that the enclosing function says it returns. */
function walk(
  node: Node,
  text: string,
  returns: string | undefined,
  take: (changes: Change[]) => void,
): void {
  if (kept.has(node.type)) return;
  take(changesAt(node, text, returns));
  const within = isFunction(node) ? returnType(node) : returns;
  for (const child of children(node)) walk(child, text, within, take);
}

function isFunction({ type }: Node): boolean {
  return (
    type === "FunctionDeclaration" || type === "FunctionExpression" || type === "ArrowFunctionExpression"
  );
}

/** The type of node of the type that a function says it returns. */
function returnType(node: Node): string | undefined {
  const said = node["returnType"];
  if (!isNode(said)) return undefined;
  const type = said["typeAnnotation"];
  return isNode(type) ? type.type : undefined;
}

function changesAt(node: Node, text: string, returns: string | undefined): Change[] {
  const source = (of: Node) => text.slice(of.start, of.end);
  const whole = (operator: string, replacement: string): Change => ({
    start: node.start,
    end: node.end,
    operator,
    replacement,
  });
  const field = (name: string) => node[name] as Node;
  switch (node.type) {
    case "BinaryExpression":
    case "LogicalExpression":
    case "AssignmentExpression":
      if (node["operator"] === "??")
        return ["left", "right"].map((side) => whole("default", `(${source(field(side))})`));
      return node["operator"] === "+" && joinsText(node) ? [] : otherOperators(node, text);
    case "UnaryExpression":
      return ["-", "!", "~"].includes(node["operator"] as string)
        ? [whole("unary", `(${source(field("argument"))})`)]
        : [];
    case "UpdateExpression": {
      const other = node["operator"] === "++" ? "--" : "++";
      const argument = source(field("argument"));
      return [whole("update", node["prefix"] === true ? other + argument : argument + other)];
    }
    case "Literal":
      return literals(node).map((value) => whole("constant", value));
    case "IfStatement":
    case "ConditionalExpression":
    case "WhileStatement":
    case "DoWhileStatement":
    case "ForStatement":
      return isNode(node["test"]) ? conditions(node, node["test"], source(node["test"])) : [];
    case "ExpressionStatement": {
      const expression = field("expression");
      const isSuper = expression.type === "CallExpression" && (expression["callee"] as Node).type === "Super";
      return effects.has(expression.type) && !isSuper ? [whole("statement", ";")] : [];
    }
    case "BreakStatement":
    case "ContinueStatement":
      return [whole("statement", ";")];
    case "ReturnStatement":
      return returned(node, source, returns, whole);
    case "CallExpression":
      return called(node, source, whole);
    default:
      return [];
  }
}

/** Whether a sum has a text among its terms. */
function joinsText(node: Node): boolean {
  if (node.type === "TemplateLiteral") return true;
  if (node.type === "Literal") return typeof node["value"] === "string";
  return (
    node.type === "BinaryExpression" &&
    node["operator"] === "+" &&
    [node["left"], node["right"]].some((side) => joinsText(side as Node))
  );
}

function otherOperators(node: Node, text: string): Change[] {
  const operator = node["operator"] as string;
  const start = text.indexOf(operator, (node["left"] as Node).end);
  return (operators[operator] ?? []).map((replacement) => ({
    start,
    end: start + operator.length,
    operator: comparisons.has(operator) ? "comparison" : operator.length > 1 ? "operator" : "arithmetic",
    replacement,
  }));
}

/** What a number or truth value is replaced by. */
function literals({ value }: Node): string[] {
  if (typeof value === "boolean") return [String(!value)];
  if (typeof value === "bigint") return [`${value + 1n}n`];
  if (typeof value !== "number") return [];
  return [value + 1, value - 1].map((other) => (other < 0 ? `(${other})` : String(other)));
}

/** A condition turned round or decided. Where turning round is another site's change, it is not made twice. */
function conditions(node: Node, test: Node, source: string): Change[] {
  const change = (replacement: string): Change => ({
    start: test.start,
    end: test.end,
    operator: "condition",
    replacement,
  });
  const turned =
    (test.type === "BinaryExpression" && comparisons.has(test["operator"] as string)) ||
    (test.type === "UnaryExpression" && test["operator"] === "!") ||
    test.type === "Literal";
  return [
    ...(turned ? [] : [change(`!(${source})`)]),
    ...(node.type === "IfStatement" ? [change("true"), change("false")] : []),
    ...(node.type === "WhileStatement" && test.type !== "Literal" ? [change("false")] : []),
  ];
}

/** Values of the type that is said to be returned, or no return where nothing is. */
function returned(
  node: Node,
  source: (of: Node) => string,
  returns: string | undefined,
  whole: (operator: string, replacement: string) => Change,
): Change[] {
  const argument = node["argument"];
  if (!isNode(argument)) return [whole("statement", ";")];
  const values =
    returns === "TSBooleanKeyword" ? ["true", "false"] : returns === "TSNumberKeyword" ? ["0", "1"] : [];
  return values
    .filter((value) => value !== source(argument))
    .map((value) => whole("return", `return ${value};`));
}

function called(
  node: Node,
  source: (of: Node) => string,
  whole: (operator: string, replacement: string) => Change,
): Change[] {
  const callee = node["callee"] as Node;
  if (callee.type !== "MemberExpression" || callee["computed"] === true || callee["optional"] === true)
    return [];
  const [object, property] = [callee["object"] as Node, callee["property"] as Node];
  const name = source(property);
  const isMath = object.type === "Identifier" && source(object) === "Math";
  const other = isMath ? functions[name] : methods[name];
  if (other === undefined) return [];
  if (other === null) return [whole("call", source(object))];
  return [{ start: property.start, end: property.end, operator: "call", replacement: other }];
}
