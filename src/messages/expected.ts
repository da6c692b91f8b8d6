import type { ErrorObject } from "ajv";
import { didYouMean } from "./did-you-mean.ts";

/**
 * The expectation of a schema and the value found, as text: `expected a whole number from 1 to 5, found 9`. For errors
 * that Ajv reports with `verbose`; not for missing or unknown keys.
 */
export function expectedAndFound(error: ErrorObject): string {
  const { data } = error;
  const params = error.params as Record<string, unknown>;
  const schema = error.parentSchema as Record<string, any>;
  switch (error.keyword) {
    case "enum": {
      const known = (params["allowedValues"] as unknown[]).map(String);
      const hint = typeof data === "string" ? didYouMean(data, known) : "";
      return `expected one of ${known.join(", ")}, found ${show(data)}${hint}`;
    }
    case "const":
      return `expected ${show(params["allowedValue"])}, found ${show(data)}`;
    case "type": {
      const types = ([] as string[]).concat(params["type"] as string | string[]);
      return `expected ${types.map((type) => expectation(type, schema)).join(" or ")}, found ${show(data)}`;
    }
    case "minimum":
    case "maximum":
    case "exclusiveMinimum":
    case "exclusiveMaximum":
      return `expected ${expectation(String(schema["type"]), schema)}, found ${show(data)}`;
    case "pattern":
      return `${String(schema["patternErrorMessage"] ?? "expected text of another form")}, found ${show(data)}`;
    case "minProperties":
    case "minItems": {
      const least = params["limit"] as number;
      return `expected at least ${least} ${least === 1 ? "entry" : "entries"}, found ${show(data)}`;
    }
    case "maxItems":
      return `expected at most ${String(params["limit"])} of them, found ${(data as unknown[]).length}`;
    case "uniqueItems":
      return `expected each of them once, found ${show((data as unknown[])[params["i"] as number])} again`;
    case "minLength":
      return `expected text, found ${show(data)}`;
    case "maxLength":
      return `expected at most ${String(params["limit"])} characters, found ${(data as string).length}`;
    case "anyOf": {
      const forms = error.schema as Alternative[];
      const hint = renamed(error) || nearest(data, forms);
      return `expected ${alternatives(forms)}, found ${show(data)}${hint}`;
    }
    default:
      return `${error.message ?? error.keyword}, found ${show(data)}`;
  }
}

/**
 * The errors to report to the user, from those that Ajv finds with `verbose` and `allErrors` or without: of a value that fits no
 * form of a union, the errors of the form that is meant, or else that of the union.
 */
export function meantErrors(errors: readonly ErrorObject[]): ErrorObject[] {
  return errors
    .filter(({ schemaPath }) => !schemaPath.includes("/anyOf/"))
    .flatMap((each) => meant(each, errors));
}

/** The errors of a value that fits no form of a union: the errors of the nearest form, or else those of the union. */
function meant(error: ErrorObject, errors: readonly ErrorObject[]): readonly ErrorObject[] {
  if (error.keyword !== "anyOf") return [error];
  const branches = new Map<string, ErrorObject[]>();
  for (const each of errors) {
    if (!each.schemaPath.startsWith(`${error.schemaPath}/`)) continue;
    const branch = each.schemaPath.slice(error.schemaPath.length + 1).split("/")[0]!;
    branches.set(branch, [...(branches.get(branch) ?? []), each]);
  }
  // A form is not meant if the value has another type or another `use`.
  const other = ({ keyword, instancePath }: ErrorObject) =>
    (instancePath === error.instancePath && ["type", "const", "enum"].includes(keyword)) ||
    (instancePath === `${error.instancePath}/use` && keyword === "const");
  const possible = [...branches.values()].filter((branch) => !branch.some(other));
  if (possible.length === 0) return [error];
  return possible.reduce((best, branch) => (branch.length < best.length ? branch : best));
}

/**
 * The new name of a value that had another name in earlier versions, as an addition to a message: `; "a" is now called
 * "b"`. Empty if there is none. A schema lists its former names in `renamed`.
 */
function renamed({ data, parentSchema }: ErrorObject): string {
  const names = (parentSchema as Alternative | undefined)?.renamed;
  const now =
    typeof data === "string" && names !== undefined && Object.hasOwn(names, data) ? names[data] : undefined;
  return now === undefined ? "" : `; "${String(data)}" is now called "${now}"`;
}

/** The text among the forms of a union that is nearest to a value, or the `use` nearest to that of a map, as an addition. */
function nearest(data: unknown, forms: readonly Alternative[]): string {
  const use =
    typeof data === "object" && data !== null ? (data as { readonly use?: unknown }).use : undefined;
  if (typeof use === "string") return didYouMean(use, forms.flatMap(useOf));
  return typeof data === "string" ? didYouMean(data, forms.flatMap(textsOf)) : "";
}

function useOf({ anyOf, properties }: Alternative): string[] {
  const use = properties?.["use"]?.const;
  return typeof use === "string" ? [use] : (anyOf ?? []).flatMap(useOf);
}

function textsOf({ anyOf, const: text }: Alternative): string[] {
  return typeof text === "string" ? [text] : (anyOf ?? []).flatMap(textsOf);
}

/** What a union expects, in a few words. */
function alternatives(schemas: readonly Alternative[]): string {
  const forms = schemas.map((schema) => {
    const use = schema.properties?.["use"]?.const;
    if (use !== undefined) return `{ use: ${plain(use)} }`;
    if (schema.const !== undefined) return plain(schema.const);
    if (schema.anyOf !== undefined) return alternatives(schema.anyOf);
    return typeName(schema.type ?? "value");
  });
  return [...new Set(forms)].join(" or ");
}

interface Alternative {
  readonly type?: string;
  readonly const?: unknown;
  readonly anyOf?: readonly Alternative[];
  /** Today's names of its values by their former names. */
  readonly renamed?: Readonly<Record<string, string>>;
  readonly properties?: Readonly<Record<string, { readonly const?: unknown }>>;
}

function typeName(type: string): string {
  const names: Record<string, string> = {
    integer: "a whole number",
    number: "a number",
    string: "text",
    boolean: "true or false",
    object: "a map",
    array: "a list",
  };
  return names[type] ?? type;
}

/** What a type expects, in words, with the range if it is a number: `a whole number from 1 to 4,096`. */
export function expectation(type: string, range: Range): string {
  const what = typeName(type);
  if (type !== "integer" && type !== "number") return what;
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum } = range;
  const parts = [
    ...(minimum === undefined ? [] : [`from ${figure(minimum)}`]),
    ...(exclusiveMinimum === undefined ? [] : [`above ${figure(exclusiveMinimum)}`]),
  ];
  const and = parts.length === 0 ? "" : "and ";
  if (maximum !== undefined)
    parts.push(minimum === undefined ? `${and}at most ${figure(maximum)}` : `to ${figure(maximum)}`);
  if (exclusiveMaximum !== undefined) parts.push(`${and}below ${figure(exclusiveMaximum)}`);
  return [what, ...parts].join(" ");
}

/** The bounds of a number in a schema. */
export interface Range {
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly exclusiveMaximum?: number;
}

/** A bound as text for people: `1,000,000`, `1e12`. */
function figure(value: number): string {
  return Math.abs(value) > 1e9 && Number.isInteger(Math.log10(Math.abs(value)))
    ? value.toExponential().replace("+", "")
    : value.toLocaleString("en-US", { maximumFractionDigits: 20 });
}

/** A constant without quotes. */
function plain(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A value as JSON; in words if it is none, as a program may give it. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return "a value that JSON cannot write";
  }
}

/** A value as a message shows it, on one short line. */
export function show(value: unknown): string {
  // YAML's numbers that JSON lacks would become null.
  const text =
    typeof value === "number" && !Number.isFinite(value)
      ? Number.isNaN(value)
        ? ".nan"
        : value > 0
          ? ".inf"
          : "-.inf"
      : typeof value === "string"
        ? `"${value}"`
        : jsonOf(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
