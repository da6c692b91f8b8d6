import type { Static, TObject } from "typebox";
import Value from "typebox/value";

/**
 * Options with their defaults filled in and checked against a strict schema; or what is wrong with them: an unknown
 * option, or the place and what is expected there. The given object is not changed.
 */
export function completeOptions<O extends TObject>(
  schema: O,
  given: Readonly<Record<string, unknown>>,
): { readonly options: Required<Static<O>> } | { readonly wrong: string } {
  const options = Value.Default(schema, structuredClone(given));
  if (Value.Check(schema, options)) return { options: options as Required<Static<O>> };
  const known = Object.keys(schema.properties);
  for (const key of Object.keys(options as object))
    if (!known.includes(key))
      return {
        wrong: `unknown option "${key}"; known options: ${known.length > 0 ? known.join(", ") : "none"}`,
      };
  const errors = Value.Errors(schema, options);
  const first = errors.at(0)!;
  const field = first.instancePath.split("/")[1] ?? "";
  const described: { readonly description?: string } | undefined = schema.properties[field];
  const expected = described?.description;
  // What a union expects would be one message per branch; its description says more.
  const message = errors.some(({ keyword }) => keyword === "anyOf") ? "no such value" : first.message;
  return { wrong: `${field}: ${message}${expected === undefined ? "" : ` (${expected})`}` };
}
