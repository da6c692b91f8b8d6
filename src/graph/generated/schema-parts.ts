/** A draft-07 schema, as JSON; with `typeName` its values have the TypeScript type of this name. */
export type Schema = Readonly<Record<string, any>>;

/** Keys of a schema whose value is a schema, or a list of schemas. `else` is before `then`: whole files get the short names. */
const INSIDE = ["if", "else", "then", "items", "additionalProperties", "propertyNames"];
const LISTS = ["anyOf", "oneOf", "allOf"];

/** Gives another schema for one inside; `isForm` if it is a form of a union. */
export type EachPart = (inside: Schema, path: readonly string[], isForm: boolean) => Schema;

/**
 * A schema with another one in place of each schema directly inside it. Paths consist of keys and of the names by which
 * unions select their forms.
 */
export function mapParts(schema: Schema, each: EachPart, path: readonly string[] = []): Schema {
  const result: Record<string, unknown> = { ...schema };
  const form = formName(schema);
  for (const key of INSIDE)
    if (typeof schema[key] === "object") {
      const word = key === "then" ? form : key === "if" && form !== undefined ? `is-${form}` : undefined;
      result[key] = each(
        schema[key],
        word === undefined ? path : [...path, word],
        key === "then" && word !== undefined,
      );
    }
  for (const key of LISTS)
    if (schema[key] !== undefined)
      result[key] = schema[key].map((inside: Schema) => each(inside, path, false));
  if (schema["properties"] !== undefined)
    result["properties"] = Object.fromEntries(
      Object.entries(schema["properties"] as Schema).map(([key, inside]) => [
        key,
        each(inside, [...path, key], false),
      ]),
    );
  return result;
}

/** How often each part of these schemas occurs, by its text. What is inside a part counts once, however often the part occurs. */
export function countParts(
  schemas: readonly Schema[],
  textOf: (schema: Schema) => string,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const count = (part: Schema): Schema => {
    const text = textOf(part);
    const before = counts.get(text) ?? 0;
    counts.set(text, before + 1);
    if (before === 0) mapParts(part, count);
    return part;
  };
  for (const schema of schemas) count(schema);
  return counts;
}

/** The name that selects a form of a union, of the condition for this form. */
function formName(condition: Schema): string | undefined {
  const [selected]: readonly Schema[] = Object.values((condition["if"]?.properties ?? {}) as Schema);
  return selected?.["enum"] === undefined ? undefined : String(selected["enum"][0]);
}
