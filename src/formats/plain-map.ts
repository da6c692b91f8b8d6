/** Whether a value, as JSON or YAML has it, is a map, and no list. */
export function isPlainMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
