import { countParts, mapParts, type Schema } from "./schema-parts.ts";

/** About the length of a reference in a file, and of the entry of a definition, without the name. */
const REFERENCE = 19;
const ENTRY = 10;

/**
 * A schema that accepts the same values, with definitions for the forms of unions, and for other parts that occur several
 * times if this makes the file smaller.
 *
 * The name of a definition is the shortest end of its path in the schema that no other one has: `simulations`,
 * `uct.simulations`. A definition of maps lies one level deeper, in `rave/object`: yaml-language-server shows the last word
 * of a reference if it finds no map, and "Expected object" is clearer than "Expected rave".
 */
export function sharedSchema(schema: Schema): Schema {
  const counts = countParts([schema], (part) => JSON.stringify(part));
  const definitions = new Map<string, Schema>();
  const made = new Map<string, Schema>();
  const share = (part: Schema, path: readonly string[], isForm: boolean): Schema => {
    const text = JSON.stringify(part);
    const known = made.get(text);
    if (known !== undefined) return known;
    const smaller = mapParts(part, share, path);
    const uses = counts.get(text)!;
    const name = unusedName(withMark(path, markOf(part, isForm)), definitions);
    const isMap = part["type"] === "object";
    const pointer = isMap ? `${name}/object` : name;
    const saved = (uses - 1) * JSON.stringify(smaller).length - uses * (REFERENCE + pointer.length);
    if (isForm || saved > ENTRY + name.length) {
      definitions.set(name, isMap ? { object: smaller } : smaller);
      made.set(text, { $ref: `#/$defs/${pointer}` });
    } else made.set(text, smaller);
    return made.get(text)!;
  };
  const rest = mapParts(schema, share);
  return { ...rest, $defs: Object.fromEntries(definitions) };
}

/** The ending of the name of a part that only partial files have: the part of whole files has the name without it. */
function markOf(part: Schema, isForm: boolean): string {
  if (isForm) return part["required"] === undefined ? "-partial" : "";
  return part["anyOf"]?.at(-1).type === "null" ? "-or-null" : "";
}

function withMark(path: readonly string[], mark: string): readonly string[] {
  return path.length === 0 ? path : [...path.slice(0, -1), `${path.at(-1)}${mark}`];
}

/** The shortest end of a path that is not a name yet; with a number if all are. */
function unusedName(path: readonly string[], names: ReadonlyMap<string, unknown>): string {
  const words = path.map((word) => word.replaceAll(/[^\w-]/g, "_"));
  const ends = words.map((_, i) => words.slice(-1 - i).join("."));
  for (let i = 2; ; i++) {
    const free = ends.find((end) => !names.has(end));
    if (free !== undefined) return free;
    ends.push(`${ends[0] ?? "part"}.${i}`);
  }
}
