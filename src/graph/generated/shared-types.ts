import { capitalised } from "../../messages/capitalised.ts";
import { countParts, mapParts, type Schema } from "./schema-parts.ts";

/** A type with a name, the schema of its values, and the paths of what has it, such as `uct.rave`. */
export interface NamedType {
  readonly name: string;
  readonly schema: Schema;
  readonly users: string[];
}

/**
 * Schemas, by name, in which each part that occurs several times and is `long` has a type name, and these types. A name
 * consists of the first schema and the keys that have the type: `UctRave`, `MctsMaxNOptions`. Parts that differ only in their
 * own description and default have one type, because these two belong to the key.
 */
export function sharedTypes(
  schemas: readonly (readonly [name: string, schema: Schema])[],
  long: (schema: Schema) => boolean,
): { readonly schemas: readonly Schema[]; readonly types: readonly NamedType[] } {
  const counts = countParts(
    schemas.map(([, schema]) => schema),
    textOf,
  );
  const types = new Map<string, NamedType>();
  const named = (part: Schema, path: readonly string[]): Schema => {
    const text = textOf(part);
    let type = types.get(text);
    if (type === undefined) {
      const schema = mapParts(part, named, path);
      if (counts.get(text)! < 2 || !long(part)) return schema;
      const words = path.length === 1 ? [...path, "options"] : path;
      type = { name: words.map(pascalCase).join(""), schema, users: [] };
      types.set(text, type);
    }
    type.users.push(path.join("."));
    return { ...part, typeName: type.name };
  };
  return { schemas: schemas.map(([name, schema]) => named(schema, [name])), types: [...types.values()] };
}

function textOf(schema: Schema): string {
  const { description: _, default: __, ...type } = schema;
  return JSON.stringify(type);
}

function pascalCase(word: string): string {
  return word
    .split("-")
    .map((each) => capitalised(each))
    .join("");
}
