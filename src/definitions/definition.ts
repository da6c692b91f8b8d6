/** What a plug-in can define. */
export type DefinitionKind = "game" | "search" | "net" | "stage";

const KIND: unique symbol = Symbol.for("ludoflow.definition");

/** A definition of a plug-in, made by `defineGame` and its like: its default export, or one of a list. */
export interface Definition {
  readonly name: string;
  /** @internal */
  readonly [KIND]: { readonly kind: DefinitionKind; readonly made: unknown };
}

/** Marks what a `define` function has made. */
export function definition(kind: DefinitionKind, name: string, made: unknown): Definition {
  return { name, [KIND]: { kind, made } };
}

/** What a value defines; undefined where no `define` function has made it. */
export function defined(
  value: unknown,
): { readonly kind: DefinitionKind; readonly name: string; readonly made: unknown } | undefined {
  if (typeof value !== "object" || value === null || !(KIND in value)) return undefined;
  const { name, [KIND]: content } = value as Definition;
  return { ...content, name };
}
