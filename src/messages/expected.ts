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
      const hint = removed(error) || (typeof data === "string" ? didYouMean(data, known) : "");
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
    case "anyOf":
      return `expected ${alternatives(error.schema as Alternative[])}, found ${show(data)}${renamed(error)}`;
    default:
      return `${error.message ?? error.keyword}, found ${show(data)}`;
  }
}

/**
 * The new name of a value that had another name in earlier versions, as an addition to a message: `; "a" is now called
 * "b"`. Empty where there is none. A schema lists its former names in `renamed`.
 */
export function renamed({ data, parentSchema }: ErrorObject): string {
  const names = (parentSchema as Alternative | undefined)?.renamed;
  const now =
    typeof data === "string" && names !== undefined && Object.hasOwn(names, data) ? names[data] : undefined;
  return now === undefined ? "" : `; "${String(data)}" is now called "${now}"`;
}

/**
 * What to use in place of a value that earlier versions had, as an addition to a message: `; "a" was removed: use b`. Empty
 * where there is none. A schema lists such values in `removed`.
 */
function removed({ data, parentSchema }: ErrorObject): string {
  const values = (parentSchema as Alternative | undefined)?.removed;
  if (typeof data !== "string" || values === undefined || !Object.hasOwn(values, data)) return "";
  return `; "${data}" was removed: ${values[data]!}`;
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
  /** What to use in place of values that earlier versions had. */
  readonly removed?: Readonly<Record<string, string>>;
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

/** What a type expects, in words, with the range where it is one of numbers: `a whole number from 1 to 4,096`. */
function expectation(type: string, range: Range): string {
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

interface Range {
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

/** A value as a message shows it, on one short line. */
export function show(value: unknown): string {
  const text = typeof value === "string" ? `"${value}"` : (JSON.stringify(value) ?? String(value));
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
